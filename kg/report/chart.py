"""A chart: a picture and the numbers in it."""

from dataclasses import dataclass, field
from pathlib import Path

from kg.frame import Frame
from kg.report.draw import themed


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart of the report. `title` says what is seen, `about` how to read it; notebooks show the picture."""

    name: str
    title: str
    about: str
    svg: str = field(repr=False)
    data: Frame = field(repr=False)
    wide: bool = False

    def csv(self) -> str:
        """The numbers as CSV."""
        return self.data.csv()

    def save(self, path: Path | str) -> Path:
        """Write the picture as an SVG file."""
        target = Path(path)
        target.write_text(self.svg, encoding="utf-8", newline="\n")
        return target

    @property
    def themed(self) -> str:
        """The picture with the page's variables for colours."""
        return themed(self.svg)

    def _repr_svg_(self) -> str:
        return self.svg
