"""What else stands in a mail beside what was typed: signatures, footers, banners, small print, containers."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from types import SimpleNamespace

import pytest

from pbem.mail.handling.check import settings_for
from pbem.mail.reading.values import ParsedMail

ATTRIBUTION = "On Mon, 2 Mar 2026 at 09:14, The Clacks Office <orders+7K2QM9TD@play.example.org> wrote:"
HEADER = (
    "From: The Clacks Office <orders+7K2QM9TD@play.example.org>\nSent: Monday, March 2, 2026 9:14 AM\n"
    "To: Ilse Brandt <ilse.brandt@example.net>\nSubject: G042 turn 7: your report [7K2QM9TD]"
)

DEVICES = (
    "Sent from my iPhone", "Sent from my iPad", "Sent from Outlook for Android", "Get Outlook for iOS<https://aka.ms/o0ukef>", "Sent from Mailbird",
    "Sent with Proton Mail secure email.", "Sent from my Galaxy", "Sent from my Huawei phone", "Sent from my BlackBerry 10 smartphone.",
    "Sent via BlackBerry from T-Mobile", "Sent from Samsung tablet", "Sent from Yahoo Mail. Get the app", "Sent with Spark", "Sent from Mail for Windows",
    "Sent with Tutanota, enjoy secure & ad-free emails:", "Sent using Zoho Mail", "Sent from FairEmail", "Sent with BlueMail", "Sent with Mailspring",
    "Secured with Tuta Mail:", "Sent from ProtonMail mobile", "Composed on the go.", "Sent from myMail for iOS",
    "Von meinem iPhone gesendet", "Gesendet mit der mobilen Mail App", "Diese Nachricht wurde von meinem Android-Gerät mit GMX Mail gesendet.", "Von meinem Samsung Galaxy Smartphone gesendet.",
    "Gesendet mit der Telekom Mail App", "Envoyé de mon iPhone", "Envoyé depuis l'application Mail Orange", "Envoyé à partir de Outlook pour Android", "Télécharger Outlook pour Android",
    "Enviado desde mi iPhone", "Enviado do meu iPhone", "Enviat des del meu iPhone", "Inviato da iPhone", "Inviato da Libero Mail", "Trimis de pe iPhone-ul meu",
    "Verstuurd vanaf mijn iPhone", "Verzonden met Outlook voor Android", "Skickat från min iPhone", "Sendt fra min iPhone", "Sendt fra min Samsung Galaxy-smartphone.", "Lähetetty iPhonesta",
    "Wysłane z iPhone'a", "Wysłano z aplikacji WP Poczta", "Odesláno z iPhonu", "Odoslané z iPhonu", "Az iPhone készülékemről küldve", "Elküldve az iPhone-omról", "Poslano s mojeg iPhonea", "Poslano z mojega iPhona",
    "Послато са iPhone-а", "Изпратено от моя iPhone", "Отправлено с iPhone", "Отправлено из мобильной Почты Mail.ru", "Надіслано з iPhone", "Στάλθηκε από το iPhone μου", "iPhone'umdan gönderildi",
    "أرسلت من الـ iPhone", "נשלח מה-iPhone שלי", "ارسال شده از iPhone من", "मेरे iPhone से भेजा गया", "ส่งจาก iPhone ของฉัน", "Gửi từ iPhone của tôi", "Dikirim dari iPhone saya",
    "iPhoneから送信", "从我的 iPhone 发送", "發自我的 iPhone", "发自我的iPhone", "나의 iPhone에서 보냄",
)  # fmt: skip

BANNERS = (
    "CAUTION: This email originated from outside of the organization. Do not click links or open attachments unless you recognize the sender.",
    "[EXT] This message comes from an external sender.\nUse caution with links and attachments.",
    "⚠ External sender\nPlay it safe: do not open attachments or links from unknown senders.",
    "WARNING: This message is from an external source. Use the Report Phishing button if it looks suspicious.",
    "You don't often get email from orders@play.example.org. Learn why this is important to you.",
    "ACHTUNG: Diese E-Mail kommt von einem externen Absender. Öffnen Sie keine Anhänge und klicken Sie nicht auf Links.",
    "ATTENTION : ce courriel provient d'un expéditeur externe. Ne cliquez pas sur les liens.",
    "PRECAUCIÓN: este correo proviene de un remitente externo. No abra enlaces ni adjuntos.",
    "ATTENZIONE: mittente esterno. Non aprire gli allegati né i link.",
    "LET OP: deze e-mail komt van een externe afzender. Open geen bijlagen of links.",
    "UWAGA: wiadomość od zewnętrznego nadawcy. Nie otwieraj załączników.",
    "VARNING: Externt mejl. Öppna inte länkar eller bilagor från okänd avsändare.",
    "ВНИМАНИЕ: внешний отправитель. Не открывайте вложения и ссылки.",
    "注意: このメールは外部から送信されました。添付ファイルやリンクに注意してください。",
    "警告：此邮件来自外部发件人。请谨慎点击链接和附件。",
)

SMALL_PRINT = (
    "________________________________\nThis message is confidential and intended only for the addressee.\nUse of it by anyone else is prohibited.\nEnd of notice.",
    "This e-mail and any attachments are confidential. If you are not the intended recipient please notify the sender and delete it.\nUse or disclosure is strictly prohibited.",
    "CONFIDENTIALITY NOTICE: the contents of this email are intended solely for the recipient.\nUse by others is unauthorized.",
    "----------------------------------------\nExample Widgets Ltd. Registered in England no. 0000000.\nPlay your part: do not print this e-mail.\nend",
    "Diese E-Mail ist vertraulich und nur für den Empfänger bestimmt. Unbefugte Weitergabe ist verboten.\nGeschäftsführer: A. Beispiel, Amtsgericht Musterstadt",
    "Ce message est confidentiel et destiné exclusivement à son destinataire. Toute utilisation est interdite.",
    "Este mensaje es confidencial y va dirigido únicamente a su destinatario. Queda prohibida su divulgación.",
    "Questo messaggio è riservato al destinatario. È vietata ogni diffusione.",
    "Dit bericht is vertrouwelijk en uitsluitend bestemd voor de geadresseerde.",
    "Treść tej wiadomości jest poufna i przeznaczona wyłącznie dla adresata. Rozpowszechnianie zabronione.",
    "Это сообщение конфиденциально и предназначено только адресату.",
)

FOOTERS = (
    "_______________________________________________\nankh-players mailing list\nPlay nice on this list: https://lists.example.org/rules\nUse the archive: https://lists.example.org/ankh",
    "--\nYou received this message because you are subscribed to the group.\nuse the web view",
    "-~----------~----~----~----~------~----~------~--~---\nTo unsubscribe write to leave@lists.example.org\nend",
    "---------------------------------\nUse Example Mail for free!\nPlay games at https://games.example.com/",
    "=================================\nEnd spam now\nUse MailWasher for free",
    "* * * * * * * * * *\nGet your own address at https://mail.example.com/\nuse it today",
)


def check(found: ParsedMail, post: SimpleNamespace, chat: tuple[str, ...] = ()) -> None:
    assert (found.kind, found.orders, found.chat) == ("orders", post.orders, chat)


@pytest.mark.parametrize("device", DEVICES)
def test_a_device_footer_is_not_typed(post: SimpleNamespace, device: str) -> None:
    check(post.read(f"{post.typed}\n\n{device}\nplay hard\n\n{ATTRIBUTION}\n\n{post.quoted(post.report)}\n"), post)


@pytest.mark.parametrize("device", DEVICES)
def test_with_a_device_footer_alone_the_subject_is_read(post: SimpleNamespace, device: str) -> None:
    subject = f"Re: G042 turn 7: your report [{post.token}] {'; '.join(post.orders)}"
    check(post.read(f"\n{device}\n\n{HEADER}\n\n{post.report}\n", subject=subject), post)


@pytest.mark.parametrize("delimiter", ["-- ", "--", "—", "–", "- -- "])
def test_a_signature_goes_to_the_quote(post: SimpleNamespace, delimiter: str) -> None:
    text = f"{post.typed}\n\n{delimiter}\nIlse\nplay fair\nend\n\n{ATTRIBUTION}\n{post.quoted(post.report)}\n\nthanks\n"
    check(post.read(text), post, ("thanks",))


@pytest.mark.parametrize("banner", BANNERS)
def test_a_gateway_banner_is_not_typed(post: SimpleNamespace, banner: str) -> None:
    report = post.unwrapped(post.report)
    check(post.read(f"{banner}\n\n{post.typed}\n\n{HEADER}\n\n{banner}\n\n{report}\n"), post)
    check(post.read(f"{banner}\n{'-' * 40}\n{post.typed}\n\n{HEADER}\n\n{banner}\n\n{report}\n"), post)


@pytest.mark.parametrize("banner", BANNERS)
def test_below_a_banner_in_html_the_orders_are_read(post: SimpleNamespace, banner: str) -> None:
    box = (
        f'<table width="100%"><tr><td style="background:#ffb900"></td><td>{post.as_html(banner)}</td></tr></table><br>'
    )
    html = f'{box}<div>{post.as_html(post.typed)}</div><div id="divRplyFwdMsg">{post.as_html(HEADER)}</div>{post.as_html(post.report)}'
    check(post.read(None, html=html), post)


@pytest.mark.parametrize("small_print", SMALL_PRINT + FOOTERS)
def test_small_print_and_footers_are_not_typed(post: SimpleNamespace, small_print: str) -> None:
    check(post.read(f"{post.typed}\n\n{small_print}\n\n{HEADER}\n\n{post.report}\n\n{small_print}\n"), post)
    check(post.read(f"{post.typed}\n\n{ATTRIBUTION}\n{post.quoted(post.report)}\n\n{small_print}\n"), post)
    check(post.read(f"{ATTRIBUTION}\n{post.quoted(post.report)}\n\n{post.typed}\n\n{small_print}\n"), post)


def test_a_rule_between_typed_orders_ends_nothing(post: SimpleNamespace) -> None:
    check(post.read("play Mr Boggis\nminion The Hippo\n----------\nuse Nap Hill\nend\n"), post)
    check(post.read(f"My turn\n==========\n{post.typed}\n"), post, ("My turn",))


@pytest.mark.parametrize("mark", ["> ", ">", ">> ", "| ", "TC> ", "Clacks> ", "The Clacks Office> ", "» ", ": ", "＞ "])
def test_quote_marks_of_every_sort_are_known(post: SimpleNamespace, mark: str) -> None:
    check(post.read(f"{post.typed}\n\n{ATTRIBUTION}\n\n{post.quoted(post.report, mark)}\n"), post)
    check(post.read(f"{ATTRIBUTION}\n\n{post.quoted(post.report, mark)}\n\n{post.typed}\n"), post)


def combed(text: str, width: int) -> str:
    """Quoted lines broken at a width; the second halves carry no mark."""
    lines = []
    for line in text.splitlines():
        while len(line) > width and " " in line[3:width] and line[: line.rindex(" ", 0, width + 1)].strip("> "):
            cut = line.rindex(" ", 0, width + 1)
            lines.append(line[:cut])
            line = line[cut + 1 :]
        lines.append(line)
    return "\n".join(lines)


@pytest.mark.parametrize("width", range(50, 77, 2))
@pytest.mark.parametrize("report", ["report", "our_report"])
def test_quoted_lines_that_were_broken_anew_are_quoted_still(post: SimpleNamespace, width: int, report: str) -> None:
    quoted = combed(post.quoted(post.unwrapped(getattr(post, report))), width)
    found = post.read(f"{post.typed}\n\n-----Original Message-----\n{quoted}", settings=settings_for(None, (post.own,)))
    assert found.orders == post.orders


@pytest.mark.parametrize("width", range(46, 77, 2))
@pytest.mark.parametrize("report", ["report", "our_report"])
def test_with_the_report_as_sent_lines_broken_at_any_width_are_quoted(
    post: SimpleNamespace, width: int, report: str
) -> None:
    quoted = combed(post.quoted(post.unwrapped(getattr(post, report))), width)
    found = post.read(
        f"{post.typed}\n\n-----Original Message-----\n{quoted}",
        settings=settings_for(None, (post.own,)),
        sent=getattr(post, report),
    )
    assert found.orders == post.orders


def test_lines_typed_between_quoted_lines_count_in_order(post: SimpleNamespace) -> None:
    lines = post.quoted(post.report).splitlines()
    at = [
        next(i for i, line in enumerate(lines) if text in line)
        for text in ("a) Mr Boggis", "6 The Hippo", "12 Nap Hill")
    ]
    for position, order in sorted(zip(at, post.orders[:3], strict=True), reverse=True):
        lines.insert(position + 1, order)
    found = post.read(ATTRIBUTION + "\n" + "\n".join(lines) + "\n\nend\n")
    assert found.orders == ("minion The Hippo", "use Nap Hill", "play Mr Boggis", "end")


def test_html_replies_between_quoted_lines_count(post: SimpleNamespace) -> None:
    html = (
        f"<div>{post.as_html(ATTRIBUTION)}</div><blockquote type=cite>YOUR HAND<br> a) Mr Boggis</blockquote>"
        f"<div>{post.as_html(post.typed)}</div><blockquote type=cite>play Rosie Palm<br>end</blockquote>"
    )
    check(post.read(None, html=html), post)


SECTION = "==== ORDERS START ====\n"


@pytest.mark.parametrize("mark", ["> ", ">", ""])
def test_the_section_counts_with_and_without_marks(post: SimpleNamespace, mark: str) -> None:
    head = ATTRIBUTION if mark else HEADER
    filled = post.quoted(post.report.replace(SECTION, f"{SECTION}{post.typed}\n"), mark)
    check(post.read(f"{head}\n\n{filled}\n"), post)
    assert post.read(f"{filled}\n").orders == post.orders


def test_the_section_counts_in_html(post: SimpleNamespace) -> None:
    filled = post.as_html(post.report.replace(SECTION, f"{SECTION}{post.typed}\n"))
    check(post.read(None, html=f"<div>{post.as_html(ATTRIBUTION)}<blockquote>{filled}</blockquote></div>"), post)
    check(post.read(None, html=f'<div id="divRplyFwdMsg">{post.as_html(HEADER)}</div><div>{filled}</div>'), post)


def test_a_section_that_lost_its_line_ends_is_read(post: SimpleNamespace) -> None:
    filled = post.report.replace(f"{SECTION}\n", f"==== ORDERS START ==== {'; '.join(post.orders)} ")
    check(post.read(f"{HEADER}\n\n{filled}\n"), post)


@pytest.mark.parametrize("mark", ["> > ", ">> ", ">>"])
def test_a_section_in_anything_quoted_deeper_is_old(post: SimpleNamespace, mark: str) -> None:
    old = post.quoted(post.report.replace(SECTION, f"{SECTION}play Hex\n"), mark)
    mine = "On Mon, Mar 2, 2026 at 10:02 AM Ilse Brandt <ilse.brandt@example.net> wrote:"
    text = f"{post.typed}\n\n{mine}\n\n> play The Duckman\n> end\n>\n> {ATTRIBUTION}\n{old}\n"
    check(post.read(text), post)


def test_typing_at_the_top_and_in_the_section_counts_both(post: SimpleNamespace) -> None:
    filled = post.quoted(post.report.replace(SECTION, f"{SECTION}use Nap Hill\nend\n"))
    check(post.read(f"play Mr Boggis\nminion The Hippo\n\n{ATTRIBUTION}\n{filled}\n"), post)


CONTAINERS = {
    "Yahoo": '<div>{typed}</div><div id="yahoo_quoted_1" class="yahoo_quoted"><div>{attribution}</div><div>{report}</div></div>',
    "Proton": '<div>{typed}</div><div class="protonmail_quote">{attribution}<br><blockquote class="protonmail_quote" type="cite">{report}</blockquote></div>',
    "Zimbra": '<div>{typed}</div><hr id="zwchr" data-marker="__DIVIDER__"><div data-marker="__HEADERS__">{header}</div><div data-marker="__QUOTED_TEXT__">{report}</div>',
    "GMX": '<div>{typed}<div name="quote" style="margin:10px"><div><b>Gesendet:</b> Montag, 02. März 2026 um 10:14 Uhr<br><b>Von:</b> "The Clacks Office" &lt;orders+7K2QM9TD@play.example.org&gt;<br><b>An:</b> ilse.brandt@example.net<br><b>Betreff:</b> G042 turn 7</div><div name="quoted-content">{report}</div></div></div>',
    "Thunderbird": '<p>{typed}</p><div class="moz-signature">-- <br>play fair</div><div class="moz-cite-prefix">{attribution}<br></div><blockquote type="cite" cite="mid:1">{report}</blockquote>',
    "Tutanota": '<div>{typed}</div><div>-- <br>Secured with Tuta Mail</div><div>2. Mar 2026, 09:14 von orders+7K2QM9TD@play.example.org:<br></div><blockquote class="tutanota_quote">{report}</blockquote>',
    "new Outlook": '<div class="elementToProof">{typed}</div><div id="mail-editor-reference-message-container"><div id="divRplyFwdMsg">{header}</div>{report}</div>',
    "Outlook Mobile": '<div>{typed}</div><div id="ms-outlook-mobile-signature">use Outlook</div><hr><div id="divRplyFwdMsg">{header}</div>{report}',
    "Gmail signature": '<div dir="ltr">{typed}<br><div class="gmail_signature">play fair<br>end</div></div><div class="gmail_quote"><div class="gmail_attr">{attribution}</div><blockquote class="gmail_quote">{report}</blockquote></div>',
    "Gmail bottom": '<div class="gmail_quote"><div class="gmail_attr">{attribution}</div><blockquote class="gmail_quote">{report}</blockquote><div>{typed}</div></div>',
    "Mail.ru": "<p>{typed}</p><blockquote style=\"border-left:1px solid #08f\">{attribution}<br>{report}</blockquote>",
    "Yandex": "<div>{typed}</div><div>02.03.2026, 10:14, &quot;The Clacks Office&quot; &lt;orders+7K2QM9TD@play.example.org&gt;:</div><blockquote>{report}</blockquote>",
    "163": '<div>{typed}</div><div id="isReplyContent">At 2026-03-02 17:14:00, "The Clacks Office" wrote:<br>{report}</div>',
    "Seznam": "<p>{typed}</p><aside>---------- Původní e-mail ----------<br>Od: The Clacks Office &lt;orders+7K2QM9TD@play.example.org&gt;<br>Komu: ilse.brandt@example.net<br>Datum: 2. 3. 2026 10:14:00<br>Předmět: G042</aside><blockquote>{report}</blockquote>",
    "wrapped in a table": '<table><tr><td><p>{typed}</p></td></tr><tr><td><div>{attribution}</div><blockquote>{report}</blockquote></td></tr></table>',
    "preheader": '<div style="display:none;max-height:0">play Hex</div><div>{typed}</div><blockquote>{report}</blockquote>',
    "spans": '<span>{typed}</span><div><br></div><div>{attribution}</div><blockquote type="cite">{report}</blockquote>',
    "pre": "<pre>{plain}</pre><blockquote>{report}</blockquote>",
    "pre-wrap": '<div style="white-space: pre-wrap">{plain}</div><blockquote>{report}</blockquote>',
    "comments": "<!--[if mso]>play Hex<![endif]--><div>{typed}</div><!-- end --><style>play{{}}</style><blockquote>{report}</blockquote>",
    "indented by Gmail": '<blockquote style="margin:0 0 0 40px;border:none;padding:0px">{typed}</blockquote><div class="gmail_quote"><blockquote class="gmail_quote">{report}</blockquote></div>',
    "list": "<ul><li>play Mr Boggis</li><li><p>minion The Hippo</p></li><li><b>use</b> Nap Hill</li><li>end</li></ul><blockquote>{report}</blockquote>",
    "table without end tags": "<table><tr><td>1<td>play Mr Boggis<tr><td>2<td>minion The Hippo<tr><td>3<td>use Nap Hill<tr><td>4<td>end</table><blockquote>{report}</blockquote>",
    "table of words": "<table><tr><td>1.</td><td>play</td><td>Mr Boggis</td></tr><tr><td>2.</td><td>minion</td><td>The Hippo</td></tr><tr><td>3.</td><td>use</td><td>Nap Hill</td></tr><tr><td>4.</td><td>end</td><td></td></tr></table><blockquote>{report}</blockquote>",
    "checkboxes": "<div>☑ play Mr Boggis</div><div>☑ minion The Hippo</div><div>→ use Nap Hill</div><div>✔️ end</div><blockquote>{report}</blockquote>",
    "broken tags": "<div><b>play Mr Boggis</div><p>minion The Hippo<p>use Nap Hill<br/>end</b></i></div></div><blockquote>{report}",
}  # fmt: skip


@pytest.mark.parametrize("container", CONTAINERS.values(), ids=CONTAINERS)
def test_the_containers_of_html_programs_are_known(post: SimpleNamespace, container: str) -> None:
    html = container.format(
        typed=post.as_html(post.typed), plain=post.typed, attribution=post.as_html(ATTRIBUTION),
        header=post.as_html(HEADER), report=post.as_html(post.report),
    )  # fmt: skip
    check(post.read(None, html=html), post)


@pytest.mark.parametrize(
    "typed",
    [
        "play Mr Boggis; minion The Hippo; use Nap Hill; end", "Play Mr Boggis. Minion The Hippo. Use Nap Hill. End.", "play Mr Boggis, minion The Hippo, use Nap Hill, end",
        "1) play Mr Boggis\n2) minion The Hippo\n3) use Nap Hill\n4) end", "a. play Mr Boggis\nb. minion The Hippo\nc. use Nap Hill\nd. end",
        "(1) play Mr Boggis\n(2) minion The Hippo\n(3) use Nap Hill\n(4) end", "**play** Mr Boggis\n__minion__ The Hippo\n_use Nap Hill_\n***end***",
        "- [ ] play Mr Boggis\n- [ ] minion The Hippo\n+ use Nap Hill\n* end", "# play Mr Boggis\n## minion The Hippo\n### use Nap Hill\n#### end",
        "1️⃣ play Mr Boggis\n2️⃣ minion The Hippo\n3️⃣ use Nap Hill\n4️⃣ end", "① play Mr Boggis\n② minion The Hippo\n③ use Nap Hill\n④ end",
        "| 1 | play Mr Boggis |\n| 2 | minion The Hippo |\n|---|---|\n| 3 | use Nap Hill |\n| 4 | end |", "“play Mr Boggis”\n«minion The Hippo»\n'use Nap Hill'\n\"end\"",
        "ｐｌａｙ　Ｍｒ　Ｂｏｇｇｉｓ；　ｍｉｎｉｏｎ　Ｔｈｅ　Ｈｉｐｐｏ；ｕｓｅ　Ｎａｐ　Ｈｉｌｌ；ｅｎｄ", "play Mr Boggis，minion The Hippo。use Nap Hill。end。",
        "\u200eplay\u00a0Mr\u00a0Boggis\u200e\n\u202bminion The Hippo\u202c\nu\u00adse Nap Hill\n\ufeffend", "> play Mr Boggis\n> minion The Hippo\n> use Nap Hill\n> end",
        ">> play Mr Boggis\n>> minion The Hippo\n>> use Nap Hill\n>> end\n\n-- \nIlse", "play Mr Boggis\u2028minion The Hippo\u2028use Nap Hill\u2028end",
        "play Mr Boggis;\nminion The Hippo;\nuse Nap Hill;\nend;", "1. play Mr Boggis; 2. minion The Hippo; 3. use Nap Hill; 4. end", "•play Mr Boggis\n▪ minion The Hippo\n◦\tuse Nap Hill\n–end",
        "➡️ play Mr Boggis\n=> minion The Hippo\n-> use Nap Hill\n👉 end", "i) play Mr Boggis\nii) minion The Hippo\niii) use Nap Hill\niv) end", "PLAY MR BOGGIS\nMINION THE HIPPO\nUSE NAP HILL\nEND",
        "\t play  Mr   Boggis\n    minion The Hippo\n use Nap Hill\n  end",
    ],
)  # fmt: skip
def test_orders_are_found_however_they_are_listed(post: SimpleNamespace, typed: str) -> None:
    for text in (f"{typed}\n", f"Hello,\n\n{typed}\n\nBye\n"):
        if ">" in typed[:2] and "Hello" in text:
            continue
        found = post.read(text)
        assert [order.rstrip(" .;").casefold() for order in found.orders] == [order.casefold() for order in post.orders]


@pytest.mark.parametrize(
    "chat",
    [
        "Playing from the train today.", "Minions are fun!", "Useful map.", "End of the week suits me.", "Endless fun.", "User error, sorry.", "Play-by-mail rocks.",
        "The end is near", "I play tomorrow", "Please use my new address", "Hello all,", "Replay?", "ended it there", "play's over", "Viele Grüße", "よろしくお願いします",
    ],
)  # fmt: skip
def test_small_talk_is_no_order(post: SimpleNamespace, chat: str) -> None:
    found = post.read(f"{chat}\n\n{post.typed}\n\n{ATTRIBUTION}\n{post.quoted(post.report)}\n")
    check(found, post, (chat,))


@pytest.mark.parametrize(("subject", "expected"), [
    ("Re: G042 turn 7: your report [7K2QM9TD] play Mr Boggis; end", ("play Mr Boggis", "end")),
    ("[7k2qm9td] 2", ("2",)),
    ("AW: [EXTERN] G042 turn 7: your report [7K2QM9TD] - use Nap Hill", ("use Nap Hill",)),
    ("G042 turn 7 (7K2QM9TD): minion Dimwell", ("minion Dimwell",)),
    ("play Mr Boggis [7K2QM9TD]", ()),
    ("play Mr Boggis", ()),
    ("Re: G042 turn 7: your report [7K2QM9TD] thanks", ()),
])  # fmt: skip
def test_orders_behind_the_token_of_a_subject_count_when_nothing_is_typed(
    post: SimpleNamespace, subject: str, expected: tuple[str, ...]
) -> None:
    assert post.read("\n \n", subject=subject).orders == expected
    assert post.read("thank you\n", subject=subject).orders == ()


def test_the_report_as_sent_tells_unmarked_lines_of_ours(post: SimpleNamespace) -> None:
    words = "Take care. If you like the card you may use it now, and then play another one of your hand.\n"
    sent = f"Dear player,\nplay Groat or minion Dimwell if you can do so today.\n{words}"
    text = f"{post.typed}\n\nDear player,\nplay Groat or minion Dimwell if you can do so today.\n{words}"
    assert len(post.read(text).orders) == 5
    assert post.read(text, sent=sent).orders == post.orders


def test_flowed_text_is_joined(post: SimpleNamespace) -> None:
    kind = "text/plain; charset=utf-8; format=flowed"
    text = f"I hope you will \nplay nice.\n\nplay Mr \nBoggis\nminion The \nHippo\nuse Nap Hill\nend\n-- \nplay fair\n\n{ATTRIBUTION}\n{post.quoted(post.report)}"
    check(post.read(text, content_type=kind), post, ("I hope you will play nice.",))
    text = "play Mr Bog \ngis\nminion The  \nHippo\nuse Nap Hill\nend\n"
    check(post.read(text, content_type=kind + "; delsp=yes"), post)


def test_numbers_are_orders(post: SimpleNamespace) -> None:
    assert post.read("2\n").orders == ("2",)
    assert post.read("1, 3\n\nSent from my Apple Watch\n").orders == ("1, 3",)
    assert post.read("2; 14; end").orders == ("2", "14", "end")
    assert post.read("123\n").orders == ()
    assert post.read("play Groat; 2").orders == ("play Groat", "2")


def test_free_text_is_not_split(post: SimpleNamespace) -> None:
    settings = replace(
        post.settings,
        words=post.settings.words | {"tell", "undo"},
        alone=frozenset(("end", "undo")),
        free=frozenset(("tell",)),
    )
    found = post.read("tell Red I will play nice; use what you like. end\nundo\nundo that please\n", settings=settings)
    assert found.orders == ("tell Red I will play nice; use what you like. end", "undo")


# -- kinds of lines ----------------------------------------------------------------------------------------------------


def kinds(found: ParsedMail) -> list[tuple[str, str]]:
    return [tuple(line) for line in found.typed]


@pytest.mark.parametrize(
    ("ticked", "open_box"),
    [("- [x]", "- [ ]"), ("☑", "☐"), ("(x)", "( )"), ("* [X]", "* []"), ("✅", "⬜"), ("[✓]", "✗")],
)
def test_where_some_boxes_are_ticked_the_others_are_withdrawn(
    post: SimpleNamespace, ticked: str, open_box: str
) -> None:
    found = post.read(f"{ticked} play A\n{open_box} play B\nend")
    assert kinds(found) == [("play A", "order"), ("play B", "withdrawn"), ("end", "order")]


def test_a_list_of_empty_boxes_is_a_list(post: SimpleNamespace) -> None:
    assert post.read("- [ ] play A\n- [ ] minion B").orders == ("play A", "minion B")


@pytest.mark.parametrize("text", [
    "What do you mean by “play Rosie Palm\nminion Dimwell\nend”?", "Why „play Rosie\nend“ and not ”use X”?", "Is «play Rosie\nuse Dimwell» right?",
])  # fmt: skip
def test_what_is_cited_between_quotation_marks_is_no_order(post: SimpleNamespace, text: str) -> None:
    assert post.read(text).orders == ()


def test_orders_between_quotation_marks_are_orders(post: SimpleNamespace) -> None:
    assert post.read("“play Mr Boggis\nminion The Hippo\nuse Nap Hill\nend”").orders == post.orders


LONG = "play Mr Boggis; minion The Hippo; use Nap Hill; use Seven Sleepers; mini"


@pytest.mark.parametrize(("first", "second", "whole"), [
    (f"{LONG}on Isle", "of Gods; use Small Gods; end", "minion Isle of Gods"),
    (f"{LONG}on Isle", "of Gods", "minion Isle of Gods"),
    (f"{LONG}on Isle", "of the old Gods", "minion Isle of the old Gods"),
    (f"{LONG}on Isle", "of all the old Gods", "minion Isle"),
    ("play Mr Boggis; use Isle", "of Gods; end", "use Isle"),
    (f"{LONG}on Isle; end", "see you tomorrow; bye", "minion Isle"),
    (f"{LONG}on Isle", "that was my turn for today", "minion Isle"),
    (f"{LONG}on Isle", "use Small Gods; end", "minion Isle"),
])  # fmt: skip
def test_a_body_of_one_line_that_was_broken_is_whole_again(
    post: SimpleNamespace, first: str, second: str, whole: str
) -> None:
    assert whole in post.read(f"{first}\n{second}").orders


@pytest.mark.parametrize(("width", "joined"), [(70, True), (69, False)])
def test_only_a_line_that_had_no_room_for_more_was_broken(post: SimpleNamespace, width: int, joined: bool) -> None:
    first = "play Mr Boggis; minion Isle".rjust(width, "x")[-width:].replace(
        "x" * (width - 27), f"use {'y' * (width - 33)}; "
    )
    assert len(first) == width
    assert ("minion Isle of Gods" in post.read(f"{first}\nof Gods; end").orders) is joined


def test_two_dashes_above_and_below_orders_are_lines_drawn(post: SimpleNamespace) -> None:
    check(post.read(f"Hi all\n--\n{post.typed}\n--\nIlse\nplay fair\n"), post, ("Hi all",))
    assert post.read("Hi all\n--\nIlse\nplay fair\n").orders == ()


@pytest.mark.parametrize("name", ["Ilse Brandt", "Ilse", "Brandt, Ilse", "ilse brandt,"])
def test_a_company_below_the_players_name_is_not_typed(post: SimpleNamespace, name: str) -> None:
    below = "Foundry Manager\n\nExample Foundry - 50 years of casting bells\nUse our new number: 01632 960 001"
    check(post.read(f"{post.typed}\n\nKind regards,\n{name}\n{below}\n"), post, ("Kind regards,",))
    assert post.read(f"play Mr Boggis\n\n{name}\n\nminion The Hippo\nend").orders == (
        "play Mr Boggis",
        "minion The Hippo",
        "end",
    )


@pytest.mark.parametrize("line", ["Sent from my iPhone", "Ilse"])
def test_orders_right_below_what_closes_a_mail_count(post: SimpleNamespace, line: str) -> None:
    assert post.read(f"play Mr Boggis\n\n{line}\nminion The Hippo\nuse Nap Hill\nend\n").orders == post.orders
    assert post.read(f"play Mr Boggis\n\n{line}\nplay fair\n").orders == ("play Mr Boggis",)


@pytest.mark.parametrize("below", [
    "This message may be privileged.\nUse it only as intended.\nEnd.", "Best,\nIlse\n\nExample Foundry\nPlay with us: Foundry Fest 2026!\nUse code BELLS",
])  # fmt: skip
def test_below_the_end_of_a_turn_small_print_reads_like_orders_in_vain(post: SimpleNamespace, below: str) -> None:
    assert post.read(f"{post.typed}\n\n{below}").orders == post.orders


# -- thresholds --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "typed"), [
    ("a virus, the sender, a link", False),
    ("a virus, the sender, a line", True),
    ("a virus of the sender " + "x" * 32, True),
    ("a virus of the sender " + "x" * 33, False),
    ("a virus, the sender, https://x.example", False),
])  # fmt: skip
def test_three_roots_or_two_in_a_long_line_make_a_notice(post: SimpleNamespace, text: str, typed: bool) -> None:
    text = f"{text}\nI say"
    assert bool(post.read(f"play A\n\n{text}").chat) is typed


@pytest.mark.parametrize(("line", "order"), [("Use caution with links", False), ("Use caution with lines", True)])
def test_a_line_with_two_roots_is_no_order(post: SimpleNamespace, line: str, order: bool) -> None:
    found = post.read(f"{line}\nplay A\nminion B")
    assert (line in found.orders, line in found.chat) == (order, not order)


@pytest.mark.parametrize(("orders", "typed"), [(1, True), (2, False)])
def test_a_paragraph_of_which_half_is_orders_is_typed(post: SimpleNamespace, orders: int, typed: bool) -> None:
    notice = ["the recipient of a confidential message", "must delete it if he is not the addressee"]
    lines = ["play A"] * (3 - orders) + notice[:orders] + (notice[orders:] if orders == 2 else [])
    assert bool(post.read("\n".join(lines)).orders) is typed


@pytest.mark.parametrize(("words", "typed"), [(12, False), (13, True)])
def test_a_device_line_has_at_most_twelve_words(post: SimpleNamespace, words: int, typed: bool) -> None:
    assert bool(post.read("play A\n\nsent from " + " ".join("abcdefghijk"[: words - 2])).chat) is typed


@pytest.mark.parametrize(("length", "typed"), [(140, False), (141, True)])
def test_a_device_line_has_at_most_140_characters(post: SimpleNamespace, length: int, typed: bool) -> None:
    assert bool(post.read("play A\n\n" + "sent from my ".ljust(length, "x")).chat) is typed


# -- the report as it was sent ------------------------------------------------------------------------------------

OFFER = "assassinate Green in Dolly Sisters"
REPORT = f"""\
Rosie, it is your move. You are Red.
Your cards are a good deal better than those of last week, says Havelock.
minion puts one of your twelve into the city, where you have one or next door.
One order a line. For instance
   play Dr Cruces
   {OFFER}
   end
   1 play Dr Cruces
   2 play Drumknott
Reply above this report, one order a line, in the words of the list."""


@pytest.mark.parametrize("typed", [
    OFFER, f"Hello!\n\n{OFFER}\n\nBye", f"{OFFER}\n{OFFER}", f"play Dr Cruces\n{OFFER}\nend", "2 play Drumknott\nend",
])  # fmt: skip
@pytest.mark.parametrize("below", ["", f"\n\n{REPORT}", "\n\n> " + REPORT.replace("\n", "\n> ")])
def test_an_order_in_the_words_of_the_report_counts(post: SimpleNamespace, typed: str, below: str) -> None:
    settings = settings_for(None, (post.own,))
    expected = [
        line.removeprefix("2 ") for line in typed.splitlines() if line.startswith(("assass", "play", "2 ", "end"))
    ]
    assert list(post.read(typed + below, settings=settings, sent=REPORT).orders) == expected


@pytest.mark.parametrize("width", range(30, 100, 6))
def test_a_report_that_lost_its_lines_and_marks_is_known_again(post: SimpleNamespace, width: int) -> None:
    settings = settings_for(None, (post.own,))
    below = textwrap.fill(" ".join(REPORT.split()), width)
    assert post.read(f"{post.typed}\n\n{below}\n", settings=settings, sent=REPORT).orders == post.orders


EXAMPLE = """\
Hello Rosie, it is your move now, and the game goes on.
For instance
   play Mr Pin & Mr Tulip
   assassinate Green in The Shades
   minion Dolly Sisters
   end
Reply above this report, one order a line, in the words of the list."""


@pytest.mark.parametrize("between", ["; ", ", ", "\n", "\n\n"])
@pytest.mark.parametrize("around", ["", EXAMPLE.splitlines()[0]])
def test_the_example_of_the_report_counts_however_it_is_typed(post: SimpleNamespace, between: str, around: str) -> None:
    settings = settings_for(None, (post.own,))
    orders = [line.strip() for line in EXAMPLE.splitlines() if line.startswith("   ")]
    mail = post.read(f"{around}\n{between.join(orders)}\n{EXAMPLE.splitlines()[-1]}", settings=settings, sent=EXAMPLE)
    assert "; ".join(mail.orders).replace(", ", "; ").split("; ") == orders


PROSE = "the bank has four dollars for whoever asks"


@pytest.mark.parametrize(
    ("typed", "ours"),
    [("bank has four dollars for", True), ("bank has four dollars", False), ("the bank had four dollars for", False)],
)
def test_five_words_as_they_stand_in_the_report_are_its_own(post: SimpleNamespace, typed: str, ours: bool) -> None:
    found = post.read(f"{typed}\nplay A", sent=PROSE)
    assert (found.chat == (), found.orders) == (ours, ("play A",))


@pytest.mark.parametrize(("words", "ours"), [(10, True), (9, False)])
def test_what_begins_like_an_order_and_goes_on_is_a_sentence(post: SimpleNamespace, words: int, ours: bool) -> None:
    sentence = " ".join(("play", *"abcdefghij"[: words - 1]))
    assert (post.read(sentence, sent=f"one {sentence} two").orders == ()) is ours


def test_rows_of_the_report_above_orders_lose_no_order(post: SimpleNamespace) -> None:
    rows = post.report[post.report.index("YOUR HAND") : post.report.index("LAST TURN")]
    check(post.read(f"{rows}\n{post.typed}\n", sent=post.report), post)


def test_a_mail_that_says_only_what_the_report_says_is_empty(post: SimpleNamespace) -> None:
    text = "minion puts one of your twelve into the city, there"
    assert post.read(text).kind == "orders"
    assert post.read(text, sent=f"{text} and so on").kind == "empty"
