"""Quotes in many languages: attributions over marked and unmarked text, header blocks, in text and in HTML."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

ADDRESS = "<orders+7K2QM9TD@play.example.org>"
NAME = "The Clacks Office"

#: language and program -> the line or lines above the quoted report.
ATTRIBUTIONS = {
    "en Gmail": f"On Mon, 2 Mar 2026 at 09:14, {NAME} {ADDRESS} wrote:",
    "en Thunderbird": f"On 02/03/2026 10:14, {NAME} wrote:",
    "en HEY": f"On March 2, 2026, {NAME} {ADDRESS} wrote:",
    "en Pine": f"On Mon, 2 Mar 2026, {NAME} wrote:",
    "en SquirrelMail": f"{NAME} wrote:",
    "en Spark": f"On Mar 2, 2026 at 9:14 AM +0000, {NAME} {ADDRESS}, wrote:",
    "en Horde": f"Quoting {NAME} {ADDRESS}:",
    "en Zoho": f"---- On Mon, 02 Mar 2026 09:14:00 +0000 {NAME} {ADDRESS} wrote ----",
    "en Tutanota": "2 Mar 2026, 09:14 by orders+7K2QM9TD@play.example.org:",
    "en SOGo": f"On Monday, March 02, 2026 09:14 GMT, {NAME} {ADDRESS} wrote:",
    "en folded": f"On Mon, Mar 2, 2026 at 9:14 AM\n{NAME}\n{ADDRESS}\nwrote:",
    "en BlackBerry": f"On 2 Mar 2026 09:14, \"{NAME}\" {ADDRESS} wrote:",
    "de Gmail": f"Am Mo., 2. März 2026 um 10:14 Uhr schrieb {NAME} {ADDRESS}:",
    "de Apple": f"Am 02.03.2026 um 10:14 schrieb {NAME} {ADDRESS}:",
    "de GMX app": f"{NAME} {ADDRESS} schrieb am 02.03.2026 um 10:14:",
    "de T-Online": f"Am 02.03.26 um 10:14 schrieb {NAME}:",
    "de Roundcube": f"Am 2026-03-02 10:14, schrieb {NAME}:",
    "fr Gmail": f"Le lun. 2 mars 2026 à 10:14, {NAME} {ADDRESS} a écrit :",
    "fr Thunderbird": f"Le 02/03/2026 à 10:14, {NAME} a écrit :",
    "fr Orange": f"> Message du 02/03/26 10:14\n> De : \"{NAME}\" {ADDRESS}\n> A : ilse.brandt@example.net\n> Objet : G042 turn 7: your report [7K2QM9TD]",
    "es Gmail": f"El lun, 2 mar 2026 a las 10:14, {NAME} ({ADDRESS}) escribió:",
    "es Apple": f"El 2 mar 2026, a las 10:14, {NAME} {ADDRESS} escribió:",
    "ca Gmail": f"Missatge de {NAME} {ADDRESS} del dia dl., 2 de març 2026 a les 10:14:",
    "pt Gmail": f"Em seg., 2 de mar. de 2026 às 10:14, {NAME} {ADDRESS} escreveu:",
    "pt Apple": f"No dia 02/03/2026, às 10:14, {NAME} {ADDRESS} escreveu:",
    "it Gmail": f"Il giorno lun 2 mar 2026 alle ore 10:14 {NAME} {ADDRESS} ha scritto:",
    "it Libero": f"Il 02/03/2026 10:14 CET {NAME} {ADDRESS} ha scritto:",
    "ro Gmail": f"În lun., 2 mar. 2026 la 11:14, {NAME} {ADDRESS} a scris:",
    "nl Gmail": f"Op ma 2 mrt 2026 om 10:14 schreef {NAME} {ADDRESS}:",
    "nl Apple": f"Op 2 mrt 2026, om 10:14 heeft {NAME} {ADDRESS} het volgende geschreven:",
    "da Gmail": f"Den man. 2. mar. 2026 kl. 10.14 skrev {NAME} {ADDRESS}:",
    "sv Apple": f"2 mars 2026 kl. 10:14 skrev {NAME} {ADDRESS}:",
    "no Gmail": f"man. 2. mars 2026 kl. 10:14 skrev {NAME} {ADDRESS}:",
    "fi Gmail": f"ma 2.3.2026 klo 11.14 {NAME} {ADDRESS} kirjoitti:",
    "is Gmail": f"Þann mán., 2. mar. 2026 kl. 09:14 skrifaði {NAME} {ADDRESS}:",
    "pl Gmail": f"pon., 2 mar 2026 o 10:14 {NAME} {ADDRESS} napisał(a):",
    "pl WP": f"Dnia 2 marca 2026 10:14 {NAME} {ADDRESS} napisał(a):",
    "cs Gmail": f"po 2. 3. 2026 v 10:14 odesílatel {NAME} {ADDRESS} napsal:",
    "cs Seznam": f"---------- Původní e-mail ----------\nOd: {NAME} {ADDRESS}\nKomu: ilse.brandt@example.net\nDatum: 2. 3. 2026 10:14:00\nPředmět: G042 turn 7: your report [7K2QM9TD]",
    "sk Gmail": f"po 2. 3. 2026 o 10:14 {NAME} {ADDRESS} napísal(a):",
    "hu Gmail": f"{NAME} {ADDRESS} ezt írta (időpont: 2026. márc. 2., H, 10:14):",
    "hr Gmail": f"pon, 2. ožu 2026. u 10:14 {NAME} {ADDRESS} napisao je:",
    "sl Gmail": f"V V pon., 2. mar. 2026 ob 10:14 je oseba {NAME} {ADDRESS} napisala:",
    "sr Gmail": f"пон, 2. мар 2026. у 10:14 {NAME} {ADDRESS} је написао/ла:",
    "bg Gmail": f"На пн, 2.03.2026 г. в 11:14 {NAME} {ADDRESS} написа:",
    "ru Mail.ru": f"Понедельник, 2 марта 2026, 12:14 +03:00 от {NAME} {ADDRESS}:",
    "ru Yandex": f"02.03.2026, 12:14, \"{NAME}\" {ADDRESS}:",
    "ru Thunderbird": f"02.03.2026 12:14, {NAME} пишет:",
    "uk Gmail": f"пн, 2 бер. 2026 р. о 11:14 {NAME} {ADDRESS} пише:",
    "el Gmail": f"Στις Δευ 2 Μαρ 2026 στις 11:14 π.μ., ο χρήστης {NAME} {ADDRESS} έγραψε:",
    "tr Gmail": f"{NAME} {ADDRESS}, 2 Mar 2026 Pzt, 12:14 tarihinde şunu yazdı:",
    "ar Gmail": f"في الاثنين، ٢ مارس ٢٠٢٦ في ١٢:١٤ م تمت كتابة ما يلي بواسطة ‪{NAME}‬‏ {ADDRESS}:",
    "he Gmail": f"\u202bבתאריך יום ב׳, 2 במרץ 2026 ב-11:14 מאת \u202a{NAME}\u202c\u200f {ADDRESS}:\u202c",
    "fa Gmail": f"در تاریخ دوشنبه ۲ مارس ۲۰۲۶ در ۱۲:۴۴، {NAME} {ADDRESS} نوشت:",
    "hi Gmail": f"सोम, 2 मार्च 2026 को 2:44 pm बजे को {NAME} {ADDRESS} ने लिखा:",
    "th Gmail": f"ในวันที่ จ. 2 มี.ค. 2026 เวลา 16:14 {NAME} {ADDRESS} เขียนว่า:",
    "vi Gmail": f"Vào Th 2, 2 thg 3, 2026 vào lúc 16:14 {NAME} {ADDRESS} đã viết:",
    "id Gmail": f"Pada Sen, 2 Mar 2026 pukul 16.14 {NAME} {ADDRESS} menulis:",
    "ja Gmail": f"2026年3月2日(月) 18:14 {NAME} {ADDRESS}:",
    "ja Apple": f"2026/03/02 18:14、{NAME} {ADDRESS}のメール:",
    "zh-Hans Gmail": f"{NAME} {ADDRESS} 于2026年3月2日周一 17:14写道：",
    "zh-Hant Gmail": f"{NAME} {ADDRESS} 於 2026年3月2日 週一 下午5:14寫道：",
    "zh-Hans Apple": f"在 2026年3月2日，17:14，{NAME} {ADDRESS} 写道：",
    "zh-Hans 163": f"在 2026-03-02 17:14:00，\"{NAME}\" {ADDRESS} 写道：",
    "ko Gmail": f"2026년 3월 2일 (월) 오후 6:14, {NAME} {ADDRESS}님이 작성:",
    "ko Naver": f"-----Original Message-----\nFrom: \"{NAME}\" {ADDRESS}\nTo: <ilse.brandt@example.net>;\nCc:\nSent: 2026-03-02 (월) 18:14:00 (GMT+09:00)\nSubject: G042 turn 7: your report [7K2QM9TD]",
    "lt Gmail": f"{NAME} {ADDRESS} rašė (2026-03-02 11:14):",
    "eu Gmail": f"{NAME} {ADDRESS} igorleak hau idatzi du (2026 mar. 2, al. (10:14)):",
}  # fmt: skip

#: language -> the labels of a header block, and a date as Outlook writes it there.
LABELS = {
    "en": ("From", "Sent", "To", "Subject", "Monday, March 2, 2026 9:14 AM"),
    "da": ("Fra", "Sendt", "Til", "Emne", "2. marts 2026 10:14"),
    "sv": ("Från", "Skickat", "Till", "Ämne", "den 2 mars 2026 10:14"),
    "no": ("Fra", "Sendt", "Til", "Emne", "mandag 2. mars 2026 10:14"),
    "fi": ("Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe", "maanantai 2. maaliskuuta 2026 11.14"),
    "nl": ("Van", "Verzonden", "Aan", "Onderwerp", "maandag 2 maart 2026 10:14"),
    "de": ("Von", "Gesendet", "An", "Betreff", "Montag, 2. März 2026 10:14"),
    "fr": ("De ", "Envoyé ", "À ", "Objet ", "lundi 2 mars 2026 10:14"),
    "es": ("De", "Enviado el", "Para", "Asunto", "lunes, 2 de marzo de 2026 10:14"),
    "ca": ("De", "Enviat el", "Per a", "Tema", "dilluns, 2 de març de 2026 10:14"),
    "pt": ("De", "Enviada em", "Para", "Assunto", "segunda-feira, 2 de março de 2026 10:14"),
    "it": ("Da", "Inviato", "A", "Oggetto", "lunedì 2 marzo 2026 10:14"),
    "ro": ("De la", "Trimis", "Către", "Subiect", "luni, 2 martie 2026 11:14"),
    "pl": ("Od", "Wysłane", "Do", "Temat", "poniedziałek, 2 marca 2026 10:14"),
    "cs": ("Od", "Odesláno", "Komu", "Předmět", "pondělí 2. března 2026 10:14"),
    "sk": ("Od", "Odoslané", "Komu", "Predmet", "pondelok 2. marca 2026 10:14"),
    "hu": ("Feladó", "Elküldve", "Címzett", "Tárgy", "2026. március 2., hétfő 10:14"),
    "hr": ("Šalje", "Poslano", "Prima", "Predmet", "2. ožujka 2026. 10:14"),
    "sl": ("Od", "Poslano", "Za", "Zadeva", "ponedeljek, 02. marec 2026 10:14"),
    "sr": ("Од", "Послато", "За", "Тема", "понедељак, 2. март 2026. 10:14"),
    "bg": ("От", "Изпратено", "До", "Относно", "понеделник, 2 март 2026 г. 11:14"),
    "ru": ("От", "Отправлено", "Кому", "Тема", "2 марта 2026 г. 12:14"),
    "uk": ("Від", "Надіслано", "Кому", "Тема", "2 березня 2026 р. 11:14"),
    "el": ("Από", "Στάλθηκε", "Προς", "Θέμα", "Δευτέρα, 2 Μαρτίου 2026 11:14"),
    "tr": ("Kimden", "Gönderilme tarihi", "Kime", "Konu", "2 Mart 2026 Pazartesi 12:14"),
    "ar": ("من", "تم الإرسال", "إلى", "الموضوع", "الاثنين، 2 مارس، 2026 12:14"),
    "he": ("מאת", "נשלח", "אל", "נושא", "יום שני 02 מרץ 2026 11:14"),
    "fa": ("از", "ارسال شده", "به", "موضوع", "دوشنبه ۲ مارس ۲۰۲۶ ۱۲:۴۴"),
    "hi": ("प्रेषक", "भेजा गया", "प्रति", "विषय", "2 मार्च 2026 14:44"),
    "th": ("จาก", "ส่ง", "ถึง", "เรื่อง", "2 มีนาคม 2569 16:14"),
    "vi": ("Từ", "Đã gửi", "Đến", "Chủ đề", "Thứ Hai, 2 tháng 3, 2026 16:14"),
    "id": ("Dari", "Dikirim", "Kepada", "Subjek", "Senin, 2 Maret 2026 16:14"),
    "ja": ("差出人", "送信日時", "宛先", "件名", "2026年3月2日 18:14"),
    "zh-Hans": ("发件人", "发送时间", "收件人", "主题", "2026年3月2日 17:14"),
    "zh-Hant": ("寄件者", "寄件日期", "收件者", "主旨", "2026年3月2日 下午 05:14"),
    "ko": ("보낸 사람", "보낸 날짜", "받는 사람", "제목", "2026년 3월 2일 월요일 오후 6:14"),
}

GREETING = "Hello everybody, here is my turn:"


def block(language: str, template: str = "{}: {}", author: str = f"{NAME} {ADDRESS}") -> str:
    sender, sent, to, subject, date = LABELS[language]
    values = ((sender, author), (sent, date), (to, "Ilse Brandt <ilse.brandt@example.net>"),
              (subject, "G042 turn 7: your report [7K2QM9TD]"))  # fmt: skip
    return "\n".join(template.format(label, value) for label, value in values)


@pytest.mark.parametrize("attribution", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS)
@pytest.mark.parametrize("report", ["report", "our_report"])
def test_an_attribution_in_any_language_ends_what_was_typed_above_marked_text(
    post: SimpleNamespace, attribution: str, report: str
) -> None:
    found = post.read(f"{GREETING}\n\n{post.typed}\n\n{attribution}\n\n{post.quoted(getattr(post, report))}\n")
    assert (found.kind, found.orders, found.chat) == ("orders", post.orders, (GREETING,))


#: Orange marks its header block, so that nothing unmarked follows it.
UNMARKED = {program: lines for program, lines in ATTRIBUTIONS.items() if program != "fr Orange"}


@pytest.mark.parametrize("attribution", UNMARKED.values(), ids=UNMARKED)
@pytest.mark.parametrize("report", ["report", "our_report"])
def test_an_attribution_in_any_language_ends_what_was_typed_above_unmarked_text(
    post: SimpleNamespace, attribution: str, report: str
) -> None:
    found = post.read(f"{GREETING}\n\n{post.typed}\n\n{attribution}\n\n{getattr(post, report)}\n")
    assert (found.kind, found.orders, found.chat) == ("orders", post.orders, (GREETING,))


@pytest.mark.parametrize("attribution", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS)
def test_what_is_typed_below_a_quote_counts_in_any_language(post: SimpleNamespace, attribution: str) -> None:
    found = post.read(f"{attribution}\n{post.quoted(post.report)}\n\n{post.typed}\n\nIlse\n")
    assert (found.kind, found.orders, found.chat) == ("orders", post.orders, ("Ilse",))


@pytest.mark.parametrize("attribution", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS)
def test_nothing_typed_is_empty_in_any_language(post: SimpleNamespace, attribution: str) -> None:
    found = post.read(f"\n\n{attribution}\n\n{post.quoted(post.report)}\n")
    assert (found.kind, found.orders, found.chat) == ("empty", (), ())


@pytest.mark.parametrize("attribution", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS)
def test_html_quotes_are_told_from_what_was_typed(post: SimpleNamespace, attribution: str) -> None:
    html = f"<div>{post.as_html(post.typed)}</div><br><div>{post.as_html(attribution)}<br></div><blockquote>{post.as_html(post.report)}</blockquote>"
    found = post.read(None, html=html)
    assert (found.kind, found.orders, found.chat) == ("orders", post.orders, ())


@pytest.mark.parametrize("language", LABELS)
@pytest.mark.parametrize("report", ["report", "our_report"])
@pytest.mark.parametrize(
    ("before", "template"),
    [("", "{}: {}"), ("________________________________\n", "{}: {}"), ("", "*{}:* {}"), ("-----  -----\n", "{}:\t{}"),
     ("------ Original Message ------\n", "{} {}")],
    ids=["plain", "underscores", "bold", "tabs", "without colons"],
)  # fmt: skip
def test_a_header_block_in_any_language_ends_what_was_typed(
    post: SimpleNamespace, language: str, report: str, before: str, template: str
) -> None:
    text = f"{GREETING}\n\n{post.typed}\n\n{before}{block(language, template)}\n\n{post.unwrapped(getattr(post, report))}\n"
    found = post.read(text)
    assert (found.kind, found.orders, found.chat) == ("orders", post.orders, (GREETING,))


@pytest.mark.parametrize("language", LABELS)
def test_the_section_counts_below_a_header_block_in_any_language(post: SimpleNamespace, language: str) -> None:
    filled = post.report.replace("START ====\n", f"START ====\n{post.typed}\n")
    found = post.read(f"See below.\n\n{block(language)}\n\n{filled}\n")
    assert (found.kind, found.orders, found.chat) == ("orders", post.orders, ("See below.",))


@pytest.mark.parametrize("language", LABELS)
def test_an_earlier_mail_of_the_player_below_a_header_block_does_not_count(
    post: SimpleNamespace, language: str
) -> None:
    filled = post.report.replace("START ====\n", "START ====\nplay Hex\n")
    earlier = block(language, author="Ilse Brandt <ilse.brandt@example.net>")
    found = post.read(f"{post.typed}\n\n{earlier}\n\nplay The Duckman\nend\n\n{filled}\n")
    assert (found.kind, found.orders) == ("orders", post.orders)


@pytest.mark.parametrize("language", LABELS)
def test_html_only_outlook_mail_is_read_in_any_language(post: SimpleNamespace, language: str) -> None:
    typed = "".join(f'<p class="MsoNormal">{line}<o:p></o:p></p>' for line in post.orders)
    header = "<br>".join(
        f"<b>{line.replace(': ', ':</b> ', 1)}" for line in post.as_html(block(language)).split("<br>\n")
    )
    body = f'<div class="WordSection1">{typed}<p class="MsoNormal"><o:p>&nbsp;</o:p></p><div><p class="MsoNormal">{header}</p></div><p>{post.as_html(post.report)}</p></div>'
    found = post.read(None, html=f"<html><head><style>p {{margin:0}}</style></head><body>{body}</body></html>")
    assert (found.kind, found.orders, found.chat) == ("orders", post.orders, ())


# -- whose words follow ------------------------------------------------------------------------------------------------

TOMS = "play Hex\nminion Dimwell\nthat would help us both"


@pytest.mark.parametrize("announcement", [
    "From: Tom Okafor <tom@example.com>\nSent: Monday, March 2, 2026 8:40 AM\nTo: Ilse Brandt <ilse.brandt@example.net>\nSubject: our deal",
    "Begin forwarded message:\n\nFrom: Tom Okafor <tom@example.com>\nSubject: our deal\nTo: Ilse Brandt <ilse.brandt@example.net>",
    "On 2 March 2026, at 08:40, Tom Okafor wrote:", "Bob wrote:", "Bob schrieb am 2. März:", "--- Bob's mail of yesterday ---", "=== Original message ===", "Tom Okafor <tom@example.com>:", "----- Bobs Nachricht -----",
    "-----Mensaje original----- Enviado: 02/03/2026 11:02", "2 Mar 2026, 08:40 by tom@example.com:",
])  # fmt: skip
def test_a_block_that_says_whose_words_follow_is_a_quote_whoever_it_names(
    post: SimpleNamespace, announcement: str
) -> None:
    assert post.read(f"{post.typed}\n\n{announcement}\n\n{TOMS}\n").orders == post.orders


@pytest.mark.parametrize("heading", [
    "Ilse Brandt, 02/03/2026 21:15:", "Orders of Ilse Brandt for Monday, 2 March 2026:", "As Bob said:", "Player: Ilse Brandt\nTo: The Clacks Office\nDate: 2 March 2026",
    "Game: G042\nTurn: 7\nPlayer: Ilse Brandt", "--- my mail for turn 7 ---",
])  # fmt: skip
@pytest.mark.parametrize(
    "below", ["", "\n\nOn Mon, 2 Mar 2026 at 09:14, The Clacks Office <orders@play.example.org> wrote:\n{}"]
)
def test_a_block_with_nothing_typed_above_and_nothing_of_ours_below_is_a_heading(
    post: SimpleNamespace, heading: str, below: str
) -> None:
    text = f"{heading}\n{post.typed}{below.format(post.quoted(post.report))}\n"
    assert post.read(text).orders == post.orders


@pytest.mark.parametrize(
    ("line", "below", "typed"),
    [
        ("On an earlier day the game wrote:", "our_report", False),
        ("On an earlier day the game wrote:", "typed", True),
        ("On an earlier day the game said so.", "our_report", True),
        ("As I wrote on that day in my mail:", "our_report", True),
    ],
)
def test_a_line_on_whose_words_follow_belongs_to_our_report_right_below_it(
    post: SimpleNamespace, line: str, below: str, typed: bool
) -> None:
    found = post.read(f"{post.typed}\n\n{line}\n{post.quoted(getattr(post, below))}\n")
    assert (found.orders, line in found.chat) == (post.orders, typed)


def test_what_the_player_says_to_have_said_is_typed(post: SimpleNamespace) -> None:
    assert (
        post.read("play Mr Boggis\nI said so, and as I wrote:\nminion The Hippo\nuse Nap Hill\nend").orders
        == post.orders
    )


@pytest.mark.parametrize(
    ("line", "typed"), [("Bob said on that same evening:", True), ("Bob said on that evening:", False), ("Said:", True)]
)
def test_that_somebody_said_what_follows_is_said_in_five_words(post: SimpleNamespace, line: str, typed: bool) -> None:
    found = post.read(f"play Mr Boggis\n\n{line}\n\nminion The Hippo")
    assert ("minion The Hippo" in found.orders) is typed


@pytest.mark.parametrize(("labels", "typed"), [(3, False), (2, True)])
def test_three_lines_with_labels_are_a_header_block(post: SimpleNamespace, labels: int, typed: bool) -> None:
    block = ["From: Tom <tom@example.com>", "Date: 2 March 2026 8:40", "Re: our deal"][:labels]
    found = post.read("\n".join(("play Mr Boggis", "", *block, "", "minion The Hippo")))
    assert ("minion The Hippo" in found.orders) is typed


@pytest.mark.parametrize(("block", "typed"), [
    ("Subject: G042 turn 7: your report\nFrom: Tom <tom@example.com>", False),
    ("Note: G042 turn 7: your report, by Tom <tom@example.com>", True),
])  # fmt: skip
def test_two_are_enough_with_the_subject_of_our_report(post: SimpleNamespace, block: str, typed: bool) -> None:
    found = post.read(f"play Mr Boggis\n\n{block}\n\nminion The Hippo")
    assert ("minion The Hippo" in found.orders) is typed


@pytest.mark.parametrize(("words", "typed"), [(4, False), (5, True)])
def test_a_label_has_at_most_four_words(post: SimpleNamespace, words: int, typed: bool) -> None:
    label = " ".join("abcde"[:words])
    block = f"From: Tom <tom@example.com>\nDate: 2 March 2026\n{label}: our deal"
    found = post.read(f"play Mr Boggis\n\n{block}\n\nminion The Hippo")
    assert ("minion The Hippo" in found.orders) is typed


@pytest.mark.parametrize(("lines", "typed"), [(4, False), (5, True)])
def test_an_attribution_has_at_most_four_lines(post: SimpleNamespace, lines: int, typed: bool) -> None:
    attribution = "\n".join(["On 2 March 2026", *["of our lord"] * (lines - 2), "Tom of Elsewhere wrote at 8:40:"])
    found = post.read(f"play Mr Boggis\n\n{attribution}\n> hello\nminion The Hippo")
    assert ("On 2 March 2026" in found.chat) is typed


#: Lines that can hardly be anything but ours.
OURS = ("THE CITY", "YOUR HAND", "LAST TURN")


@pytest.mark.parametrize(("count", "typed"), [(3, False), (2, True)])
def test_three_lines_of_ours_without_marks_begin_the_report(post: SimpleNamespace, count: int, typed: bool) -> None:
    report = "\n\n".join(OURS[:count])
    found = post.read(f"play Mr Boggis\n\n{report}\nplay Hex")
    assert ("play Hex" in found.orders) is typed


@pytest.mark.parametrize(("lines", "typed"), [(25, False), (26, True)])
def test_lines_of_ours_begin_the_report_only_close_together(post: SimpleNamespace, lines: int, typed: bool) -> None:
    between = "\n".join(["a word"] * (lines - 2))
    found = post.read(f"play Mr Boggis\n\nTHE CITY\nYOUR HAND\n{between}\nLAST TURN\nplay Hex")
    assert ("play Hex" in found.orders) is typed


@pytest.mark.parametrize(("lines", "typed"), [(16, False), (17, True)])
def test_a_header_block_has_at_most_sixteen_lines(post: SimpleNamespace, lines: int, typed: bool) -> None:
    block = "\n".join([*["Date: 2 March 2026"] * (lines - 1), "From: Tom <tom@example.com>"])
    found = post.read(f"play Mr Boggis\n\n{block}\n\nminion The Hippo")
    assert ("Date: 2 March 2026" in found.chat) is typed


@pytest.mark.parametrize(("name", "typed"), [("Joe", False), ("Jo", True)])
def test_a_name_of_two_letters_names_nobody(post: SimpleNamespace, name: str, typed: bool) -> None:
    text = f"play Mr Boggis\n\nAs I wrote {name}:\n\nminion The Hippo"
    found = post.read(text, sender=f"{name} <ilse.brandt@example.net>")
    assert ("minion The Hippo" in found.orders) is typed


@pytest.mark.parametrize(("subject", "typed"), [("our deals", False), ("our deal", True)])
def test_a_subject_of_eight_letters_is_no_sign_of_our_report(post: SimpleNamespace, subject: str, typed: bool) -> None:
    text = f"play Mr Boggis\n\nSubject: {subject}\nFrom: Tom <tom@example.com>\n\nminion The Hippo"
    found = post.read(text, subject=f"Re: {subject} [{post.token}]")
    assert ("minion The Hippo" in found.orders) is typed


@pytest.mark.parametrize(("width", "typed"), [(37, True), (38, False), (99, False), (100, True)])
def test_quoted_lines_are_broken_at_no_odd_width(post: SimpleNamespace, width: int, typed: bool) -> None:
    line = "> " + "a line of ours ".ljust(width - 2, "x")
    found = post.read(f"{line}\nhalf of it\n{line}\nhalf of it\n> the end")
    assert ("half of it" in found.chat) is typed
