"""The process that `kg.query.worker.Worker` starts."""

import sys

from kg.query.worker import main

main(*sys.argv[1:3])
