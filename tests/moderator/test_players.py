"""Who the players are, and where they read their mail."""

from __future__ import annotations

import pytest

from pbem.errors import ConfigError, StoreError
from pbem.moderator.players import SeatSpec, add_address, seat_spec


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Ann <ann@example.org>", SeatSpec("Ann", "ann@example.org")),
        ('"Ann of Lancre" <ann@example.org>', SeatSpec("Ann of Lancre", "ann@example.org")),
        ("ann@example.org", SeatSpec("ann", "ann@example.org")),
        ("bot", SeatSpec("")),
        ("Bot: Dibbler", SeatSpec("Dibbler")),
    ],
)
def test_players_are_written_as_in_a_mail_program(text: str, meant: SeatSpec) -> None:
    assert seat_spec(text) == meant


@pytest.mark.parametrize(
    "text", ["Ann", "", "Ann <ann>", "Ann <ann@@example.org>", "bot:" + "x" * 41, "A\x1b[2J <ann@example.org>"]
)
def test_what_is_no_player_is_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        seat_spec(text)


def test_a_player_who_is_known_is_the_same_person(club, game) -> None:
    club.adds("Friday", [seat_spec("ann <ANN@example.org>"), SeatSpec("Cyd", "cyd@example.org")])
    assert [player.name for player in club.players] == ["Ann", "Bob", "Cyd"]


def test_a_player_can_be_reached_elsewhere(club, game) -> None:
    player = add_address(club.moderator, "ann@example.org", "ann@work.example")
    assert player.address is not None
    assert player.address.address == "ann@work.example"
    assert player.owns("ann@example.org")
    with pytest.raises(StoreError, match="no player has the address nobody@"):
        add_address(club.moderator, "nobody@example.org", "x@example.org")
    with pytest.raises(ConfigError, match="is not a mail address"):
        add_address(club.moderator, "ann@example.org", "nonsense")
