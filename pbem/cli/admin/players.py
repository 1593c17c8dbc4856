"""Players: who they are, where they read mail, in which time zone; and the seats that they have."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.output import Colour, ConfigFile, GameName, Json, Why, each, local, moderating, table
from pbem.errors import ConfigError
from pbem.orders.outcome import Problem

if TYPE_CHECKING:
    from pbem.store import Address, Player

KnownAddress = Annotated[str, typer.Argument(help="An address of the player.", show_default=False)]


def players(as_json: Json = False, config: ConfigFile = None) -> None:
    with moderating(config) as moderator, moderator.store.reading() as tx:
        known = tx.players()
    if as_json:
        return each(asdict(player) for player in known)
    rows = [(player.name, address.address, state(player, address)) for player in known for address in player.addresses]
    rows += [
        (player.name, player.moving_to, f"from {local(player.moving_at, 'UTC')} on")
        for player in known
        if player.moving_at
    ]
    return table(("PLAYER", "ADDRESS", "STATE"), rows)


def state(player: "Player", address: "Address") -> str:
    if address.bouncing_at:
        return f"bounces: {address.bounce_reason}"
    return "in use" if address == player.address else "known"


def address(
    known: KnownAddress,
    why: Annotated[str, typer.Option("--why", "-m", help="A reason, which all are told.", show_default=False)],
    use: Annotated[str, typer.Argument(help="The address to use.", show_default=False)] = "",
    remove: Annotated[bool, typer.Option("--remove", help="Take KNOWN away from its player.")] = False,
    config: ConfigFile = None,
) -> None:
    """A new address counts after a day, or at once when no other works. The same one twice says that it works again.

    [bold]pbem admin address ann@example.org ann@work.example --why "Ann telephoned"[/bold]
    [bold]pbem admin address --remove eve@evil.example --why "Ann never had it"[/bold]
    """
    from pbem.moderator.players import add_address, remove_address

    if remove == bool(use):
        raise ConfigError("give the address to use, or --remove")
    with moderating(config) as moderator:
        player = remove_address(moderator, known, why) if remove else add_address(moderator, known, use, why)
    typer.echo(f"reports for {player.name} go to {player.address.address if player.address else 'nowhere'}")
    if player.moving_at:
        typer.echo(f"and to {player.moving_to} from {local(player.moving_at, 'UTC')} on; all who play have been told")


def timezone(
    known: KnownAddress,
    zone: Annotated[str, typer.Argument(help="Such as Europe/Berlin; '' for that of each game.", show_default=False)],
    config: ConfigFile = None,
) -> None:
    from pbem.moderator.players import set_timezone

    with moderating(config) as moderator:
        player = set_timezone(moderator, known, zone)
    typer.echo(f"{player.name} reads dates in {player.timezone or 'the time zone of each game'}")


def act_as(
    game: GameName,
    colour: Colour,
    orders: Annotated[list[str], typer.Argument(metavar="ORDER...", help="One order each.", show_default=False)],
    why: Annotated[str, typer.Option("--why", "-m", help="A reason, for the audit log.", show_default=False)],
    config: ConfigFile = None,
) -> None:
    """[bold]pbem admin act-as G042 Red "play Groat" "minion The Hippo" end --why "dictated by telephone"[/bold]"""
    from pbem.moderator import actions

    with moderating(config) as moderator:
        outcome = actions.act_as(moderator, game, colour, orders, why)
    for line in outcome.lines:
        meant = f" -> {line.option}" if line.option and line.option != line.text else ""
        typer.echo(f"{line.verdict.replace('_', ' ')}: {line.text}{meant}")
        if line.problem:
            typer.echo(f"    {explained(line.problem)}")
    if not outcome.changed:
        raise ConfigError(f"nothing was done; `pbem admin show {game}` says what the game waits for")


def explained(problem: Problem) -> str:
    """Why a line was not carried out, and what would be right."""
    reason = {
        "not_understood": "no legal order resembles it",
        "ambiguous": "it fits several orders, and none is guessed at",
        "not_possible": "it is not legal at this point",
    }[problem.kind]
    return f"{reason}; write one of these: {', '.join(problem.suggestions)}" if problem.suggestions else reason


def replace(
    game: GameName,
    colour: Colour,
    player: Annotated[str, typer.Argument(help="'Cyd <cyd@example.org>', or bot.", show_default=False)],
    why: Why = "",
    config: ConfigFile = None,
) -> None:
    from pbem.moderator import actions
    from pbem.moderator.players import seat_spec

    with moderating(config) as moderator:
        seat = actions.replace_player(moderator, game, colour, seat_spec(player), why)
    typer.echo(f"{seat.colour} is played by {seat.name} from now on")


def resend(game: GameName, colour: Colour, config: ConfigFile = None) -> None:
    from pbem.moderator import actions

    with moderating(config) as moderator:
        seat = actions.resend(moderator, game, colour)
    typer.echo(f"a new report for {seat.name} is in the outbox")
