"""The configuration: where relative files lie, and that everything wrong in it is said at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.config import load
from pbem.errors import ConfigError

TOML = """
database = "sqlite:///games/pbem.db"
[mail]
address = "orders@example.org"
moderator = "you@example.org"
[imap]
host = "imap.example.org"
password_file = "imap.password"
[smtp]
host = "smtp.example.org"
"""


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pbem.toml that is not in the working directory."""
    (tmp_path / "club").mkdir()
    (tmp_path / "club" / "pbem.toml").write_text(TOML)
    monkeypatch.chdir(tmp_path)
    return Path("club/pbem.toml")


def test_a_relative_file_lies_beside_the_configuration(config: Path) -> None:
    settings = load(config)
    assert settings.database == f"sqlite:///{config.parent.absolute()}/games/pbem.db"
    assert settings.imap.password_file == config.parent.absolute() / "imap.password"


def test_a_relative_file_from_the_environment_lies_there_too(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_DATABASE", "sqlite+pysqlite:///other.db")
    monkeypatch.setenv("PBEM_SMTP__CA_FILE", "ca.pem")
    settings = load(config)
    assert settings.database == f"sqlite+pysqlite:///{config.parent.absolute()}/other.db"
    assert settings.smtp.ca_file == config.parent.absolute() / "ca.pem"


@pytest.mark.parametrize(
    ("command", "run"),
    [("./gettoken -v", "{}/gettoken -v"), ("/bin/gettoken", "/bin/gettoken"), ("gettoken a/b", "gettoken a/b")],
)
def test_a_relative_program_lies_there_too(
    config: Path, monkeypatch: pytest.MonkeyPatch, command: str, run: str
) -> None:
    monkeypatch.setenv("PBEM_IMAP__TOKEN_COMMAND", command)
    assert load(config).imap.token_command == run.format(config.parent.absolute())


@pytest.mark.parametrize("url", ["sqlite:////srv/pbem.db", "postgresql:///pbem", "sqlite://", "sqlite:///:memory:"])
def test_any_other_place_stays_as_it_is(config: Path, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("PBEM_DATABASE", url)
    assert load(config).database == url


def mistakes(config: Path) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        load(config)
    assert str(caught.value) == f"{config}: {'; '.join(caught.value.mistakes)}"
    return caught.value.mistakes


def test_everything_that_is_wrong_is_said_at_once(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = TOML.replace('host = "imap.example.org"', 'port = 0\npassword = "hunter2"').replace("moderator", "boss")
    config.write_text(text)
    monkeypatch.setenv("PBEM_SMPT__PASSWORD", "hunter2")
    monkeypatch.setenv("PBEM_SMTP__PASWORD", "hunter2")
    said = mistakes(config)
    assert sorted(sentence.partition(":")[0] for sentence in said) == [
        "PBEM_SMPT__PASSWORD", "PBEM_SMTP__PASWORD", "imap.host", "imap.password must not stand there; put it into "
        "PBEM_IMAP__PASSWORD or a file named by password_file", "imap.port", "mail.boss", "mail.moderator",
    ]  # fmt: skip
    assert "hunter2" not in str(said)


def test_a_misspelt_variable_is_told_what_it_may_mean(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_SMPT__PASSWORD", "x")
    assert mistakes(config) == ("PBEM_SMPT__PASSWORD: there is no such setting; PBEM_SMTP__PASSWORD is one",)


def test_a_variable_that_is_none_of_ours_changes_nothing(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEMX", "x")
    monkeypatch.setenv("PBEM_CONFIG", "elsewhere.toml")
    assert load(config).mail.moderator == "you@example.org"


def test_a_section_in_the_environment_that_cannot_be_read_is_one_sentence(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_MAIL", "{hunter2")
    with pytest.raises(ConfigError, match=r"the environment: .*mail") as caught:
        load(config)
    assert "hunter2" not in str(caught.value)


def test_a_file_that_is_no_text_is_one_sentence(config: Path) -> None:
    config.write_text(TOML.replace('"imap.password"', "5"))
    assert mistakes(config)[0].startswith("imap.password_file: ")


@pytest.mark.parametrize(
    "folders",
    [
        {"processed": "INBOX"},
        {"processed": "inbox"},
        {"quarantine": "Inbox/"},
        {"quarantine": "Processed"},
        {"inbox": "Orders", "quarantine": "orders"},
    ],
)
def test_mail_is_never_put_away_where_it_comes_from(
    config: Path, monkeypatch: pytest.MonkeyPatch, folders: dict[str, str]
) -> None:
    for name, folder in folders.items():
        monkeypatch.setenv(f"PBEM_IMAP__{name.upper()}", folder)
    assert mistakes(config) == ("imap: inbox, processed and quarantine must be three folders",)


def test_folders_below_the_inbox_are_folders_of_their_own(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_IMAP__PROCESSED", "INBOX.Processed")
    assert load(config).imap.processed == "INBOX.Processed"
