"""The model files of roles, relations and results, loaded once a process."""

from functools import cache
from pathlib import Path
from typing import Any

SHIPPED = Path(__file__).parent.parent / "models"


def load_arrays(name: str) -> dict[str, Any]:
    """The arrays of `<name>.npz` of the model in use: the folder that KG_MODEL names, where it has that file, else the shipped one."""
    import os

    chosen = os.environ.get("KG_MODEL")
    own = Path(chosen) / f"{name}.npz" if chosen else None
    return _read(own if own is not None and own.is_file() else SHIPPED / f"{name}.npz")


@cache
def _read(path: Path) -> dict[str, Any]:
    import numpy as np

    with np.load(path, allow_pickle=False) as archive:
        return {key: archive[key] for key in archive.files}
