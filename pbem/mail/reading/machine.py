"""What a mail is, before anybody reads what is typed in it: a table of rules, tried in order.

A rule only looks. What it finds is a kind with a reason for the moderator; mail that no rule claims was written
by a person.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from pbem.mail.reading.addresses import without_tag
from pbem.mail.reading.message import Part
from pbem.mail.reading.phrases import any_of
from pbem.mail.reading.values import Kind, Reading

DAEMONS = re.compile(
    r"(?:mailer-?daemon|postmaster|mail-?daemon|microsoftexchange[0-9a-f]+|bounces?|mdaemon|mailerdaemon|double-bounce)(?:[+=-].*)?@|^mailer-daemon$",
    re.IGNORECASE,
)
ROBOTS = re.compile(
    r"(?:no-?_?\.?reply|do-?not-?_?reply|donotreply|noresponse|auto-?(?:reply|responder|confirm)|notifications?|nicht-?antworten|ne-?pas-?repondre)(?:[+._-].*)?@",
    re.IGNORECASE,
)

BOUNCE_SUBJECT = any_of(
    r"^undeliver", r"^non ?remis\b", r"^(?:mail|message|e-?mail) (?:delivery )?(?:failed|failure|delivery failed|undeliverable|delayed)", r"^delivery (?:status notification|failure|has failed|delayed|notification)",
    r"^failure notice", r"^returned mail", r"^mail system error", r"^delivery (?:report|unsuccessful)", r"^warning: (?:could not send|message .* delayed)", r"^mail delivery (?:failed|system|problem|error|failure|status)", r"^could not deliver", r"^delayed mail",
    r"^unzustellbar", r"^nachricht (?:konnte nicht|nicht zugestellt)", r"^non ?remis", r"^échec de (?:la )?(?:remise|distribution)", r"^message non (?:remis|distribué)", r"^no se puede entregar", r"^no entregado", r"^error de entrega", r"^devuelto",
    r"^não (?:é possível entregar|entregue)", r"^falha na entrega", r"^impossibile recapitare", r"^mancato recapito", r"^non recapitabile", r"^onbestelbaar", r"^niet bezorgd", r"^kan inte levereras", r"^olevererbart", r"^det går inte att leverera", r"^kan ikke leveres", r"^kunne ikke leveres",
    r"^ei voi(?:tu|da)? toimittaa", r"^toimitus epäonnistui", r"^nie można dostarczyć", r"^niedostarczon", r"^zwrot poczty", r"^nedoručiteln", r"^nedoručen", r"^kézbesíthetetlen", r"^nelivr", r"^neisporučiv", r"^nedostavljiv", r"^недоставлен", r"^не удается доставить", r"^сообщение не доставлено", r"^не вдалося доставити", r"^недоставим",
    r"^αδυναμία παράδοσης", r"^δεν παραδόθηκε", r"^teslim edilemed", r"^teslim edilemeyen", r"^لم يتم تسليم", r"^تعذر تسليم", r"^לא ניתן למסור", r"^配信不能", r"^配信されませんでした", r"^配送できませんでした", r"^未送达", r"^无法送达", r"^无法传递", r"^無法傳遞", r"^系统退信", r"^退信", r"^전송(?:되지 않음| 실패)", r"^배달되지 않음", r"^không thể gửi", r"^tidak dapat terkirim",
)  # fmt: skip

ABSENCE_SUBJECT = any_of(
    r"^(?:re: *)?auto(?:matic)?[ -]?(?:reply|response|responder|answer)\b", r"^(?:re: *)?out[ -]of[ -](?:the[ -])?office", r"^(?:re: *)?ooo\b", r"^(?:re: *)?(?:on |i am on |away on )?(?:vacation|holiday|annual leave)\b.*(?:\breply\b|\bnotice\b|\bmessage\b|\buntil\b)", r"^(?:re: *)?(?:on |i am on |away on )?(?:vacation|holiday|annual leave):", r"^auto[: ]", r"^away from (?:(?:my|the) )?(?:office|desk|mail)", r"^\[?auto-?reply", r"^i(?:'m| am) (?:away|out of)",
    r"^(?:aw: *)?abwesen", r"^(?:aw: *)?automatische (?:antwort|abwesen|beantwoord|afwezig|odpow)", r"^(?:aw: *)?nicht im (?:büro|haus)", r"^(?:im )?urlaub(?:s(?:meldung|notiz|abwesenheit|vertretung|mitteilung|antwort)?)?\b", r"^antwort automatisch", r"^réponse automatique", r"^absence\b", r"^absent(?:e)?\b.*:", r"^(?:message d')?absence du bureau", r"^respuesta automática", r"^fuera de (?:la )?oficina", r"^ausente?\b", r"^resposta automàtica", r"^resposta automática", r"^fora do (?:escritório|ar)", r"^ausência",
    r"^risposta automatica", r"^fuori (?:sede|ufficio)", r"^assen(?:za|te)\b", r"^automatisch antwoord", r"^automatische reactie", r"^afwezig", r"^niet aanwezig", r"^autosvar", r"^automatiskt? svar", r"^frånvar[ao]", r"^fraværende|^fravær", r"^ikke til stede", r"^ikke på kontoret", r"^sjálfvirkt svar", r"^automaattinen vastaus", r"^poissa(?:olo)?\b", r"^lomavastaaja",
    r"^autoodpowiedź", r"^automatyczna odpowiedź", r"^odpowiedź automatyczna", r"^nieobecność", r"^poza biurem", r"^automatická odpov", r"^mimo (?:kancelář|kanceláriu)", r"^nepřítomn", r"^neprítomn", r"^automatikus válasz", r"^házon kívül", r"^szabadság", r"^nem vagyok az irodában", r"^răspuns automat", r"^în afara biroului", r"^absent din birou", r"^automatski odgovor", r"^samodejni odgovor", r"^odsoten|^odsotnost", r"^izvan ureda", r"^аутоматски одговор", r"^одсутан",
    r"^автоматический ответ", r"^автоответ", r"^(?:меня )?нет (?:на работе|на месте|в офисе)", r"^вне офиса", r"^отсутств", r"^автоматична відповідь", r"^автовідповідь", r"^поза офісом", r"^автоматичен отговор", r"^извън офиса", r"^αυτόματη απάντηση", r"^εκτός γραφείου", r"^απουσία", r"^otomatik yanıt", r"^otomatik cevap", r"^ofis dışında", r"^الرد التلقائي", r"^رد تلقائي", r"^خارج المكتب", r"^תשובה אוטומטית", r"^מענה אוטומטי", r"^מחוץ למשרד", r"^پاسخ خودکار", r"^خارج از دفتر",
    r"^स्वचालित (?:उत्तर|जवाब)", r"^ตอบกลับอัตโนมัติ", r"^การตอบกลับอัตโนมัติ", r"^ไม่อยู่ที่สำนักงาน", r"^trả lời tự động", r"^tự động trả lời", r"^vắng mặt", r"^balasan otomatis", r"^di luar kantor", r"^自動応答", r"^自動返信", r"^不在(?:通知|連絡|のお知らせ|:)?", r"^自动(?:答复|回复)", r"^自動(?:回覆|答覆)", r"^外出", r"^자동 ?(?:회신|응답)", r"^부재 ?중", r"^balas automatik", r"^automaatvastus", r"^automātiska atbilde", r"^automatinis atsakymas",
)  # fmt: skip

RECEIPT_SUBJECT = any_of(
    r"^read: ", r"^return receipt", r"^read receipt", r"^delivered: ", r"^not read: ", r"^disposition notification", r"^gelesen: ", r"^ungelesen: ", r"^lesebestätigung", r"^empfangsbestätigung", r"^zugestellt: ", r"^lu ?: ", r"^accusé de (?:lecture|réception)", r"^confirmation de lecture",
    r"^leído: ", r"^confirmación de lectura", r"^acuse de recibo", r"^lida: ", r"^lido: ", r"^confirmação de leitura", r"^recibo de leitura", r"^letto: ", r"^ricevuta di (?:ritorno|lettura)", r"^conferma di lettura", r"^gelezen: ", r"^leesbevestiging", r"^ontvangstbevestiging", r"^läst: ", r"^läskvitto", r"^læst: ", r"^lest: ", r"^kvittering", r"^lesekvittering", r"^luettu: ", r"^lukukuittaus",
    r"^przeczytano: ", r"^potwierdzenie (?:przeczytania|odczytu)", r"^přečteno: ", r"^potvrzení o přečtení", r"^prečítané: ", r"^elolvasva: ", r"^olvasási visszaigazolás", r"^citit: ", r"^pročitano: ", r"^прочитано: ", r"^прочтено: ", r"^уведомление о прочтении", r"^αναγνώστηκε: ", r"^okundu: ", r"^مقروءة: ", r"^נקרא: ", r"^開封済み: ", r"^開封確認", r"^已读: ", r"^已讀: ", r"^읽음: ", r"^đã đọc: ",
)  # fmt: skip
#: The body of a receipt or a machine's answer without headers that say so.
RECEIPT_TEXT = any_of(
    r"this is a (?:return|read) receipt", r"was (?:read|displayed|opened) on\b", r"return receipt only acknowledges", r"wurde am .{4,40} (?:gelesen|angezeigt)", r"a été (?:lu|affiché)", r"ha sido (?:leído|mostrado)", r"è stato (?:letto|visualizzato)", r"gelezen op\b", r"zostało (?:wyświetlone|przeczytane)", r"было прочитано", r"開封されました", r"已被阅读",
)  # fmt: skip

#: Sentences of absence notices. Two of them and no order make one; one alone may be a person's chat.
ABSENCE_TEXT = any_of(
    r"thank you for your (?:e-?mail|message|mail)", r"(?:currently|presently) (?:out of|away from)", r"\bout of (?:the )?office\b", r"\b(?:on|annual|parental|maternity|sick) leave\b", r"\bon (?:vacation|holiday|business travel)\b", r"limited access to (?:my )?(?:e-?mail|mail)", r"(?:will|shall) (?:reply|respond|answer|get back|return)\b.{0,60}\b(?:return|back|as soon as|after|on)\b", r"(?:urgent|emergenc)", r"this is an auto(?:matic|mated)", r"please (?:contact|call|write to)", r"not (?:be )?(?:reading|checking) (?:my )?(?:e-?)?mail",
    r"vielen dank für (?:ihre|deine) (?:e-?mail|nachricht|mail)", r"nicht im (?:büro|haus)", r"\bim urlaub\b", r"dringend", r"wenden sie sich", r"nicht weitergeleitet", r"automatisch (?:generiert|erstellt)|automatische (?:antwort|nachricht)", r"je suis (?:actuellement )?absent", r"merci (?:de|pour) votre (?:e-?mail|message|courriel)", r"en cas d'urgence", r"de retour le", r"\ben congés?\b", r"gracias por su (?:mensaje|correo)", r"fuera de la oficina", r"de vacaciones", r"en caso de urgencia|asuntos urgentes",
    r"obrigad[oa] (?:pelo|por) (?:seu|sua)", r"fora do escritório", r"de férias", r"em caso de urgência", r"grazie per (?:la tua|il tuo|la sua|il suo) (?:e-?mail|messaggio)", r"sono (?:assente|fuori (?:sede|ufficio))", r"in ferie", r"per urgenze|in caso di urgenza", r"bedankt voor (?:uw|je) (?:e-?mail|bericht)", r"niet (?:op kantoor|aanwezig)", r"met vakantie|op vakantie", r"dringende (?:zaken|vragen)", r"tack för ditt (?:mejl|mail|meddelande)", r"på semester", r"inte på kontoret", r"brådskande",
    r"tak for din (?:mail|besked)", r"på ferie", r"takk for (?:din )?(?:e-?post|melding)", r"kiitos (?:viestistäsi|sähköpostistasi)", r"lomalla", r"kiireellis", r"dziękuję za (?:wiadomość|mail)", r"na urlopie", r"pilnych", r"poza biurem", r"děkuji za (?:váš|vaši|zprávu)", r"na dovolené", r"ďakujem za", r"na dovolenke", r"szabadságon", r"köszönöm (?:a )?(?:levelét|üzenetét)", r"sürgős", r"sunt în concediu", r"mulțumesc pentru mesaj", r"na godišnjem", r"na dopustu",
    r"в отпуске", r"спасибо за (?:ваше )?(?:письмо|сообщение)", r"по срочным", r"у відпустці", r"дякую за лист", r"в отпуска", r"σε άδεια", r"ευχαριστώ για το", r"izindeyim", r"mesajınız için teşekkür", r"acil durum", r"في إجازة", r"شكرا لرسالتك", r"בחופשה", r"תודה על פנייתך", r"休暇", r"不在にしております", r"ご連絡ありがとう", r"休假", r"出差", r"感谢您的(?:来信|邮件)", r"휴가", r"부재 중", r"메일 감사", r"nghỉ phép", r"sedang cuti", r"terima kasih atas (?:email|pesan)", r"ลาพักร้อน", r"मैं (?:छुट्टी|अवकाश) पर",
)  # fmt: skip


class Verdict(NamedTuple):
    """What a rule found."""

    kind: Kind
    reason: str


def own(address: str, reading: Reading) -> bool:
    """Whether an address is one of ours, with or without a token."""
    return without_tag(address.lower()) in {without_tag(known.lower()) for known in reading.own_addresses}


def subject_of(mail: Part) -> str:
    """The subject without the tags that gateways put before it."""
    return re.sub(r"^\s*(?:\[[^\]]{1,40}\]\s*)+", "", mail.header("subject")).strip()


def senders(mail: Part) -> list[str]:
    """The addresses in From, or else in Sender."""
    return [box.address for box in mail.mailboxes("from") or mail.mailboxes("sender")]


def is_ours(mail: Part, reading: Reading) -> bool:
    """Our own mail came back."""
    return any(
        own(address, reading)
        for address in senders(mail)[:1] + re.findall(r"[^\s,;<>]+@[^\s,;<>]+", mail.header("x-loop"))
    )


def is_from_daemon(mail: Part) -> bool:
    """A mail system, not a person, is in From."""
    raw = " ".join(mail.all("from"))
    return bool(DAEMONS.search(raw)) or any(DAEMONS.match(address) for address in senders(mail))


def has_empty_return_path(mail: Part) -> bool:
    """The envelope said that nobody wants an answer."""
    return any(value.strip() == "<>" for value in mail.all("return-path"))


def report_type(mail: Part) -> str:
    """What a multipart/report reports; empty for other mail."""
    if mail.kind == "multipart/report":
        return mail.parameters.get("report-type", "").lower() or "delivery-status"
    if mail.kind in ("message/delivery-status", "message/disposition-notification"):
        return mail.kind.partition("/")[2]
    return ""


def is_delivery_receipt(mail: Part, reading: Reading) -> bool:
    """A delivery report that says it went well."""
    if report_type(mail) != "delivery-status":
        return False
    texts = [part.text(20_000) for part in mail.walk() if part.kind == "message/delivery-status"]
    actions = {
        action.lower()
        for text in texts
        for action in re.findall(r"^action:\s*(\w+)", text, re.IGNORECASE | re.MULTILINE)
    }
    return bool(actions) and actions <= {"delivered", "relayed", "expanded"}


def is_bounce(mail: Part, reading: Reading) -> bool:
    """A report of RFC 3464, or a daemon's own words. Before auto-reply: bounces are auto-submitted too."""
    if report_type(mail) in ("delivery-status", "global-delivery-status"):
        return True
    if mail.has("x-failed-recipients") or any(part.kind == "message/delivery-status" for part in mail.parts):
        return True
    told = bool(BOUNCE_SUBJECT.match(subject_of(mail)))
    if is_from_daemon(mail) and (told or has_empty_return_path(mail) or not mail.has("auto-submitted")):
        return not ABSENCE_SUBJECT.match(subject_of(mail))
    return told and (has_empty_return_path(mail) or mail.has("auto-submitted"))


def is_receipt(mail: Part, reading: Reading) -> bool:
    """RFC 8098, or the words of programs that do not know it."""
    if report_type(mail) in ("disposition-notification", "mail-receipt"):
        return True
    if any(part.kind == "message/disposition-notification" for part in mail.parts):
        return True
    if not RECEIPT_SUBJECT.match(subject_of(mail)):
        return False
    return any(
        RECEIPT_TEXT.search(part.text(4_000))
        for part in mail.walk()
        if part.kind in ("text/plain", "text/html")
    )


def is_other_report(mail: Part, reading: Reading) -> bool:
    """Feedback reports and whatever else comes as a report."""
    return mail.kind == "multipart/report"


def is_spam(mail: Part, reading: Reading) -> bool:
    """A filter we pass mail through says so."""
    return mail.header("x-spam-flag").lower().startswith("yes")


def is_auto_submitted(mail: Part, reading: Reading) -> bool:
    """RFC 3834 says so."""
    value = re.sub(r"\([^)]*\)", " ", mail.header("auto-submitted")).split(";")[0].strip().lower()
    return value not in ("", "no")


def is_marked_auto(mail: Part, reading: Reading) -> bool:
    """One of the older headers says so."""
    if any(
        mail.header(name) and mail.header(name).lower() not in ("no", "false")
        for name in (
            "x-autoreply",
            "x-autorespond",
            "x-autoresponder",
            "x-auto-reply",
            "x-auto-respond",
            "x-autoreply-from",
            "x-mail-autoreply",
            "x-vacation",
            "x-ms-exchange-generated-message-source",
        )
    ):
        return True
    return mail.header("precedence").lower() in ("auto_reply", "auto-reply", "autoreply")


def is_absence(mail: Part, reading: Reading) -> bool:
    """The subject says that nobody is there."""
    subject = mail.header("subject").strip()
    return bool(ABSENCE_SUBJECT.match(subject_of(mail)) or ABSENCE_SUBJECT.match(subject))


def is_bulk(mail: Part, reading: Reading) -> bool:
    """Sent to many by a machine."""
    return mail.header("precedence").lower() in ("bulk", "junk")


def is_nobodys(mail: Part, reading: Reading) -> bool:
    """An empty return path: whatever it is, it wants no answer."""
    return has_empty_return_path(mail)


def is_robot(mail: Part, reading: Reading) -> bool:
    """An address that nobody reads."""
    return any(ROBOTS.match(address) for address in senders(mail)[:1])


Rule = Callable[[Part, Reading], bool]

#: Tried in order. The reason stands beside each and is what the moderator reads.
RULES: tuple[tuple[Rule, Verdict], ...] = (
    (is_ours, Verdict("loop", "our own mail came back")),
    (is_delivery_receipt, Verdict("receipt", "a delivery receipt")),
    (is_bounce, Verdict("bounce", "a mail of ours could not be delivered")),
    (is_receipt, Verdict("receipt", "a read receipt")),
    (is_other_report, Verdict("receipt", "a report of a mail system")),
    (is_spam, Verdict("bulk", "X-Spam-Flag says that it is spam")),
    (is_auto_submitted, Verdict("auto-reply", "Auto-Submitted says that a machine wrote it")),
    (is_marked_auto, Verdict("auto-reply", "a header says that it is an automatic reply")),
    (is_absence, Verdict("auto-reply", "the subject is that of an absence notice")),
    (is_bulk, Verdict("bulk", "Precedence says that it was sent in bulk")),
    (is_nobodys, Verdict("auto-reply", "the return path is empty")),
    (is_robot, Verdict("auto-reply", "the sender is an address that nobody reads")),
)


def machine_kind(mail: Part, reading: Reading) -> Verdict | None:
    """The kind of a mail that a machine wrote, or None when a person did."""
    for rule, verdict in RULES:
        if rule(mail, reading):
            return verdict
    return None


def is_absence_text(chat: tuple[str, ...]) -> bool:
    """Whether typed text without orders is an absence notice that no header gives away."""
    text = " ".join(chat)[:4_000]
    if not 30 < len(text) < 3_000:
        return False
    return len({match[0].casefold() for match in ABSENCE_TEXT.finditer(text)}) >= 3
