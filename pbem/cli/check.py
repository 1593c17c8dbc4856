"""`pbem check`: what the server would understand of mails in files, or of orders in a written position."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.output import Json, tell

if TYPE_CHECKING:
    from pbem.protocol import Game


def check(
    files: Annotated[list[Path] | None, typer.Argument(help="Messages as received (.eml).", show_default=False)] = None,
    as_json: Json = False,
    words: Annotated[
        str | None, typer.Option(help="Order words, separated by commas; all of the games' when not given.")
    ] = None,
    own_address: Annotated[
        list[str] | None, typer.Option(help="An address of the game server; may be given several times.")
    ] = None,
    begin_marker: Annotated[str, typer.Option(help="The line above the section to fill in.")] = (
        "==== ORDERS START ===="
    ),
    end_marker: Annotated[str, typer.Option(help="The line below it.")] = "==== ORDERS END ====",
    sent: Annotated[
        Path | None, typer.Option(help="The text of the report that is answered; its lines are left out.")
    ] = None,
    position: Annotated[
        str, typer.Option(help="Instead of mails: a position in the game's notation, in which --orders are read.")
    ] = "",
    orders: Annotated[
        list[typer.FileText] | None, typer.Option(help="A mail's typed text; - reads standard input.")
    ] = None,
    game: Annotated[str, typer.Option(help="The game of the position.")] = "ankh_morpork",
    seat: Annotated[str | None, typer.Option(help="Who writes; by default who is asked first.")] = None,
    dice: Annotated[str, typer.Option(help="What is rolled first: 8,3.")] = "",
    names: Annotated[str, typer.Option(help="The players: red=Ann,green=Bob.")] = "",
) -> None:
    if position:
        return in_position(position, orders or [], game, seat, dice, names, as_json)
    if not files:
        raise typer.BadParameter("give messages to read, or --position and --orders")
    from pbem.mail.handling.check import check

    only = words.split(",") if words else None
    for mail in check(files, only, own_address or (), (begin_marker, end_marker), sent):
        details = [*mail["orders"], f"({mail['reason']})"] if mail["reason"] else mail["orders"]
        head = f"{mail['file']}: {mail['kind']} from {mail['sender'] or '?'}"
        tell(mail, head, *(f"    {detail}" for detail in details), as_json=as_json)
    return None


def in_position(
    position: str, orders: list[typer.FileText], game: str, seat: str | None, dice: str, names: str, as_json: bool
) -> None:
    """Print what each text of orders would do in a position."""
    from pbem.mail.handling.check import typed_in
    from pbem.play.written import in_position as read
    from pbem.protocol import game_named

    rolled, rules = numbers(dice), game_named(game)
    for text in orders:
        outcome = read(rules, position, typed_in(text.read()), colour=seat, dice=rolled, names=players(rules, names))
        head = f"{outcome['outcome']}: {'; '.join(outcome['choices']) or 'nothing is chosen'}"
        lines = (f"    {line['line']}    {line['verdict']}  {line['read_as'] or ''}" for line in outcome["lines"])
        tell(outcome, head, *map(str.rstrip, lines), as_json=as_json)


def numbers(text: str) -> list[int]:
    """The numbers of a list with commas."""
    try:
        return [int(number) for number in text.split(",") if number.strip()]
    except ValueError:
        raise typer.BadParameter(f"--dice is numbers with commas between, not {text}") from None


def players(game: "Game", text: str) -> dict[str, str]:
    """The colour of each player of `red=Ann,green=Bob` by name."""
    colours = {colour.casefold(): colour for colour in game.colours}
    return {name: colours.get(colour.casefold(), colour) for colour, name in pairs(text)}


def pairs(text: str) -> list[tuple[str, str]]:
    """`red=Ann,green=Bob` as pairs."""
    found = [pair.partition("=")[::2] for pair in text.split(",") if pair.strip()]
    if not all(colour.strip() and name.strip() for colour, name in found):
        raise typer.BadParameter(f"--names is COLOUR=NAME with commas between, not {text}")
    return [(colour.strip(), name.strip()) for colour, name in found]
