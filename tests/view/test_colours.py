"""The colours of the types, as people see them who lack one kind of cone."""

import itertools
import re
from collections.abc import Sequence

import numpy as np
import pytest

from kg.view.page import ASSETS

# Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency" (2009), severity 1.
SEEN = {
    "everyone": np.eye(3),
    "without red cones": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "without green cones": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "without blue cones": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
LIGHT = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
LEAST = 10.0


def lab(colour: str, seen: Sequence[Sequence[float]]) -> np.ndarray:
    """A colour in CIELAB, as somebody sees it."""
    part = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    xyz = LIGHT @ np.clip(np.array(seen) @ linear, 0, 1) / LIGHT.sum(axis=1)
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_two_types_look_alike(seen: str, theme: str) -> None:
    script = (ASSETS / "js" / "look.js").read_text(encoding="utf-8")
    types = re.findall(r'(\w+): \{ shape: "(\w+)", colour: "(#\w{6})" \}', script)
    dark = dict(re.findall(r'(\w+): "(#\w{6})"', script[script.index("const dark") : script.index("const choose")]))
    colours = {name: dark[name] if theme == "dark" else colour for name, _, colour in types}
    assert len(colours) == 6
    places = {name: lab(colour, SEEN[seen]) for name, colour in colours.items()}
    apart = {(a, b): float(np.linalg.norm(places[a] - places[b])) for a, b in itertools.combinations(sorted(places), 2)}
    assert min(apart.values()) > LEAST, min(apart, key=lambda pair: apart[pair])


def test_each_type_of_entity_has_a_shape_of_its_own() -> None:
    shapes = re.findall(r'shape: "(\w+)"', (ASSETS / "js" / "look.js").read_text(encoding="utf-8"))
    assert len(shapes) == 6
    assert len(set(shapes)) == 5
    assert shapes.count("dot") == 2
