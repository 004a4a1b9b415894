"""Heat map of a search's belief about the hidden hands: expected number of cards by color and face."""

from textual.content import Content
from textual.widgets import Static

from cardgames.search.report import SearchReport
from cardgames.tui.screen_parts import CardStyle

_SHADE = 38
"""Opacity in percent of a card's color behind an expected number of one or more; the number must stay readable."""


class HeatMap(Static):
    """Widget that shows, for each opponent, how many of each card it is expected to hold, by a search's belief."""

    def __init__(self, card_style: CardStyle) -> None:
        super().__init__("")
        self._card_style = card_style

    def show(self, report: SearchReport | None) -> None:
        """Show the belief in a search report, or that the report has none; show nothing if `report` is None."""
        if report is None:
            self.update("")
            return
        if not report.belief:
            self.update(Content.styled("this agent has no belief", "$foreground-muted"))
            return
        size = report.effective_sample_size
        lines = [
            Content(f"expected cards, from {report.particles} particles"),
            Content(f"effective sample size {size or 0:.1f}"),
        ]
        for seat, expected in sorted(report.belief.items()):
            lines += [Content(""), Content.styled(f"seat {seat}, {sum(expected):.0f} cards", "bold")]
            lines += self._rows(dict(zip(report.card_kinds, expected, strict=True)))
        self.update(Content("\n").join(lines))

    def _rows(self, expected: dict[str, float]) -> list[Content]:
        """Return lines of text with one row per color and one column per face; cards named by one letter share a row."""
        colors = list(dict.fromkeys(kind[0] for kind in expected if len(kind) > 1))
        faces = list(dict.fromkeys(kind[1:] for kind in expected if len(kind) > 1))
        lines = [Content.styled("   " + "".join(f"{face:>4}" for face in faces), "$foreground-muted")] if faces else []
        for color in colors:
            cells = [self._cell(color + face, expected.get(color + face, 0.0)) for face in faces]
            lines.append(Content.assemble((f"{color:<3}", f"bold ${self._card_style.color(color)}"), *cells))
        singles = [kind for kind in expected if len(kind) == 1]
        named = [Content.assemble(f"   {kind}", self._cell(kind, expected[kind])) for kind in singles]
        return [*lines, Content("").join(named)] if named else lines

    def _cell(self, kind: str, number: float) -> tuple[str, str]:
        if number < 0.005:
            return "   ·", "$foreground-muted"
        text = f"{number:.2f}"[1:] if number < 0.995 else f"{number:.1f}"
        shade = round(_SHADE * min(1.0, number))
        return f"{text:>4}", f"$foreground on ${self._card_style.color(kind)} {shade}%"
