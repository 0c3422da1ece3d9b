"""The shipped model files, loaded once a process."""

from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any


@cache
def load_arrays(name: str) -> dict[str, Any]:
    """The arrays of `kg/models/<name>.npz`."""
    import numpy as np

    with np.load(BytesIO(files("kg").joinpath("models", f"{name}.npz").read_bytes()), allow_pickle=False) as archive:
        return {key: archive[key] for key in archive.files}
