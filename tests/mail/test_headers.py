"""Who sent it, which tokens it carries, whom it was copied to, and what a trusted server says of it."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from pbem.mail.reading.parse import parse_mail
from pbem.mail.reading.values import ParsedMail


@pytest.mark.parametrize(("headers", "sender"), [
    ({"From": '"bob@example.org" <Ann@Example.ORG>'}, "ann@example.org"), ({"From": "ann@example.org (Bob <bob@example.org>)"}, "ann@example.org"), ({"From": "Ann, Bob <ann@example.org>"}, "ann@example.org"),
    ({"From": "=?utf-8?q?bob=40example=2Eorg?= <ann@example.org>"}, "ann@example.org"), ({"From": "", "Sender": "ann@example.org"}, "ann@example.org"), ({"From": "bob@example.org, ann@example.org", "Sender": "ann@example.org"}, "ann@example.org"),
    ({"From": "ann@example.org", "Sender": "bob@example.org"}, "ann@example.org"), ({"From": "<ann@example.org"}, "ann@example.org"), ({"From": "Ann <@relay.example.com:ann@example.org>"}, "ann@example.org"), ({"From": "A group: ann@example.org;"}, "ann@example.org"),
    ({"From": "nobody"}, ""), ({"From": '"Ilse" <"ilse@home"@example.net>'}, '"ilse@home"@example.net'), ({"From": '"ilse home"@example.net'}, '"ilse home"@example.net'), ({"From": "jörg@example.net"}, "jörg@example.net"), ({"From": "<mailto:ann@example.org>"}, "ann@example.org"), ({"From": "Ann <ann@example.org>\r\n\tfolded"}, "ann@example.org"), ({"From": '"Ann \\"A\\" <x@y.example>" <ann@example.org>'}, "ann@example.org"),
])  # fmt: skip
def test_the_sender_is_the_address_in_from(post: SimpleNamespace, headers: dict[str, str], sender: str) -> None:
    assert post.read("play A", headers=headers).sender == sender


@pytest.mark.parametrize(("headers", "tokens"), [
    ({}, ("7K2QM9TD",)), ({"Subject": "Re: G042 [abcd2345]"}, ("ABCD2345", "7K2QM9TD")), ({"Subject": "hello"}, ("7K2QM9TD",)), ({"Subject": "no", "To": "orders@play.example.org"}, ("7K2QM9TD",)),
    ({"Subject": "no", "To": "orders@play.example.org", "In-Reply-To": ""}, ()), ({"Subject": "no", "To": "orders@play.example.org", "In-Reply-To": "<x-7K2QM9TD@elsewhere.example>"}, ()),
    ({"Subject": "no", "To": "x@example.org", "Delivered-To": "orders+abcd2345@play.example.org", "In-Reply-To": ""}, ("ABCD2345",)), ({"Subject": "turn 7 ABCD2345", "To": "orders@play.example.org", "In-Reply-To": ""}, ("ABCD2345",)),
    ({"Subject": "[ABCDOIL2]", "To": "orders@play.example.org", "In-Reply-To": ""}, ("ABCD0112",)), ({"Subject": "【7K2QM9TD】", "In-Reply-To": ""}, ("7K2QM9TD",)),
])  # fmt: skip
def test_tokens_are_found_wherever_they_travel(
    post: SimpleNamespace, headers: dict[str, str], tokens: tuple[str, ...]
) -> None:
    assert post.read("play A", headers=headers).tokens == tokens


@pytest.mark.parametrize(
    ("subject", "mark"),
    [
        ("G042 turn 7 [ABCD2345.a3f3]", "A3F3"),
        ("Fwd: [EXTERNAL] G042 turn 7 [ABCD2345.A3F3]", "A3F3"),
        ("Re: [G042] Thursday, turn 7: your move [ABCD2345]", ""),
        ("G042 turn 7 ABCD2345.A3F3", ""),
    ],
)
def test_the_mark_of_a_tapped_link_stands_behind_its_token(post: SimpleNamespace, subject: str, mark: str) -> None:
    found = post.read("play A", headers={"Subject": subject})
    assert found.mark == mark
    assert "ABCD2345" in found.tokens


def test_copies_to_others_are_seen(post: SimpleNamespace) -> None:
    found = post.read(
        "play A", headers={"Cc": "Bob <bob@example.org>, orders@play.example.org, ilse.brandt@example.net,"}
    )
    assert found.third_parties == ("bob@example.org",)


@pytest.mark.parametrize("header", ["Bcc", "Resent-To", "Resent-Cc"])
def test_copies_that_other_headers_tell_of_are_seen_too(post: SimpleNamespace, header: str) -> None:
    assert post.read("play A", headers={header: "bob@example.org"}).third_parties == ("bob@example.org",)


def test_a_list_in_from_is_told(post: SimpleNamespace) -> None:
    headers = {"From": "Ilse via List <list@lists.example.org>", "List-Id": "List <list.lists.example.org>"}
    assert post.read("play A", headers=headers).via_list
    assert not post.read("play A", headers={"List-Id": "<list.lists.example.org>"}).via_list


def test_the_digest_is_that_of_the_body(post: SimpleNamespace) -> None:
    one, other = post.mail("play A"), post.mail("play A", headers={"X-Original-To": "x@y.example"})
    assert parse_mail(one, post.settings).digest == parse_mail(other, post.settings).digest
    assert parse_mail(one.replace(b"\r\n", b"\n"), post.settings).digest == parse_mail(one, post.settings).digest
    assert parse_mail(one, post.settings).digest != post.read("play B").digest


PASS = "dmarc=pass header.from=example.net"


@pytest.mark.parametrize("results", [
    f"mx.ours; {PASS}", "mx.ours; spf=pass smtp.mailfrom=x@example.net; dkim=none", "mx.ours; spf=fail smtp.mailfrom=x@example.net; dkim=pass header.d=example.net", "mx.ours; dkim=pass header.d=mail.example.net header.i=@mail.example.net",
    "mx.ours; dkim=pass header.i=@example.net header.s=x header.b=AbC/d1", f"MX.Ours; {PASS}", f'"mx.ours"; {PASS}', f"mx.ours 1; {PASS}", f"(a (nested) comment; indeed) mx.ours (ours); {PASS}", f"mx.ours; {PASS};", "mx.ours; dmarc=none header.from=example.net; dkim=pass (2048-bit key) header.d=example.net header.b=a/b+c=",
])  # fmt: skip
def test_our_own_server_vouches_by_a_pass_for_the_senders_domain(post: SimpleNamespace, results: str) -> None:
    assert believed(post, results) is True


@pytest.mark.parametrize("results", [
    "mx.ours; dmarc=fail header.from=example.net", "mx.ours; spf=fail smtp.mailfrom=x@example.net; dkim=none", "mx.ours; none", "mx.ours", f"mx.theirs; {PASS}", "((((", "",
    # Only the domain of who forged it passes.
    "mx.ours; dkim=pass header.d=evil.example", "mx.ours; dmarc=pass header.from=evil.example", "mx.ours; spf=pass smtp.mailfrom=x@evil.example smtp.helo=example.net", "mx.ours; dkim=pass header.d=evil.example header.i=@example.net", "mx.ours; dkim=pass header.i=@evil.example", "mx.ours; dkim=pass header.d=notexample.net", "mx.ours; dmarc=pass",
    # One that cannot be read, or that names no server, as Microsoft writes it.
    f"mx.ours; {PASS}; dkim", f"mx.ours; =; {PASS}", f"spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=example.net; {PASS}", "mx.ours; dmarc=fail header.from=example.net; spf=pass smtp.mailfrom=x@example.net",
])  # fmt: skip
def test_whatever_else_results_say_the_sender_is_not_proven(post: SimpleNamespace, results: str) -> None:
    assert believed(post, results) is False


def test_only_the_topmost_results_of_our_own_server_count(post: SimpleNamespace) -> None:
    failed = "mx.ours; dmarc=fail header.from=example.net"
    assert believed(post, failed, f"mx.ours; {PASS}") is False
    assert believed(post, f"mx.ours; {PASS}", failed) is True
    assert believed(post, *["mx.theirs; none"] * 25, failed, f"mx.ours; {PASS}") is False
    assert believed(post, *["mx.theirs; none"] * 25, f"mx.ours; {PASS}") is True
    assert believed(post, f"spf=pass smtp.mailfrom=example.net; {PASS}", f"mx.ours; {PASS}") is False


def test_without_results_nobody_is_proven_unless_no_server_is_trusted(post: SimpleNamespace) -> None:
    assert believed(post) is False
    assert post.read("play A", headers={"Authentication-Results": "mx.ours; dmarc=fail"}).authenticated is None


@pytest.mark.parametrize("author", [
    "ilse.brandt@example.net, mallory@example.net", "=?utf-8?q?x_<ilse.brandt@example.net>_?= <mallory@example.net>", "(a\\) <ilse.brandt@example.net>) <mallory@example.net>",
    "ilse.brandt@example.net\r\nFrom: mallory@example.net", "ilse.brandt@example.net\rFrom: mallory@example.net", "ilse.brandt@example.net, mallory@example.net\r\nSender: ilse.brandt@example.net",
])  # fmt: skip
def test_results_about_a_from_of_several_addresses_prove_nothing(post: SimpleNamespace, author: str) -> None:
    headers = f"Authentication-Results: mx.ours; {PASS}\r\nFrom: {author}\r\nTo: orders@play.example.org\r\n\r\nplay A"
    mail = parse_mail(headers.encode(), replace(post.settings, trusted_authserv_id="mx.ours"))
    assert (mail.sender, mail.authenticated) == ("ilse.brandt@example.net", False)


def believed(post: SimpleNamespace, *results: str) -> bool | None:
    """What comes of these headers, the topmost first, when mx.ours is trusted."""
    lines = "".join(f"Authentication-Results: {result}\r\n" for result in results).encode()
    settings = replace(post.settings, trusted_authserv_id="mx.ours")
    mail: ParsedMail = parse_mail(lines + post.mail("play A"), settings)
    return mail.authenticated


@pytest.mark.parametrize(("depth", "sender"), [(4, "ann@example.org"), (5, "")])
def test_comments_stand_four_deep_in_one_another(post: SimpleNamespace, depth: int, sender: str) -> None:
    comment = "(" * depth + "Ann" + ")" * depth
    assert post.read("play A", headers={"From": f"{comment} ann@example.org"}).sender == sender
