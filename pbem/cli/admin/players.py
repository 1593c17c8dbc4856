"""Players: who they are, where they read mail, and in which time zone."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.output import ConfigFile, Json, each, moderating, table

if TYPE_CHECKING:
    from pbem.store import Address, Player

KnownAddress = Annotated[str, typer.Argument(help="An address of the player.", show_default=False)]


def players(as_json: Json = False, config: ConfigFile = None) -> None:
    with moderating(config) as moderator, moderator.store.reading() as tx:
        known = tx.players()
    if as_json:
        return each(asdict(player) for player in known)
    return table(
        ("PLAYER", "ADDRESS", "STATE"),
        ((player.name, address.address, state(player, address)) for player in known for address in player.addresses),
    )


def state(player: "Player", address: "Address") -> str:
    if address.bouncing_at:
        return f"bounces: {address.bounce_reason}"
    if address == player.address:
        return "in use"
    return "known" if address.verified_at else "to be confirmed"


def address(
    known: KnownAddress,
    use: Annotated[str, typer.Argument(help="The address to use from now on.", show_default=False)],
    config: ConfigFile = None,
) -> None:
    """The same address twice says that a bouncing one works again."""
    from pbem.moderator.players import add_address

    with moderating(config) as moderator:
        player = add_address(moderator, known, use)
    typer.echo(f"reports for {player.name} go to {player.address.address if player.address else 'nowhere'}")


def timezone(
    known: KnownAddress,
    zone: Annotated[str, typer.Argument(help="Such as Europe/Berlin; '' for that of each game.", show_default=False)],
    config: ConfigFile = None,
) -> None:
    from pbem.moderator.players import set_timezone

    with moderating(config) as moderator:
        player = set_timezone(moderator, known, zone)
    typer.echo(f"{player.name} reads dates in {player.timezone or 'the time zone of each game'}")
