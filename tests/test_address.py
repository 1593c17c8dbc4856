"""Which spellings are one mail address, and how one is kept."""

import pytest

from pbem.address import address_key, plausible_address


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann@Example.ORG", " ann@example.org"),
        ("ann@bücher.example", "ANN@XN--BCHER-KVA.example"),
        ("ann@bu\N{COMBINING DIAERESIS}cher.example", "ann@BÜCHER.example"),
        ("JÖRG@example.org", "jörg@example.org"),
    ],
)
def test_addresses_are_the_same_by_lower_case_and_a_label(one: str, other: str) -> None:
    assert address_key(one) == address_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("straße@example.org", "strasse@example.org"),
        ("ann@straße.example", "ann@strasse.example"),
        ("ann@bücher.example", "ann@bucher.example"),
        ("jörg@example.org", "jo\N{COMBINING DIAERESIS}rg@example.org"),
        ("ann+games@example.org", "ann@example.org"),
        ("a.nn@example.org", "ann@example.org"),
    ],
)
def test_addresses_are_the_same_by_nothing_else(one: str, other: str) -> None:
    assert address_key(one) != address_key(other)


def test_an_address_is_kept_with_the_a_label_of_its_domain() -> None:
    assert plausible_address("Ann@Bücher.example") == "Ann@xn--bcher-kva.example"


def test_letters_before_the_at_need_a_server_that_can_write_to_them() -> None:
    with pytest.raises(ValueError, match="our mail server cannot write to"):
        plausible_address("jörg@example.org")
    assert plausible_address("jörg@bücher.example", smtputf8=True) == "jörg@xn--bcher-kva.example"


@pytest.mark.parametrize(
    "text", ["ann", "ann@", "@example.org", "ann@ex ample.org", "ann@@example.org", "a@b, c@d", ""]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a mail address"):
        plausible_address(text)
    assert address_key(text) == text
