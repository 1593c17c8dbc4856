"""What mail programs, gateways and companies write into mails, in the languages they write it in.

Lists of words are the weakest of the signals that tell typed text from the rest, so they only ever add to what
shape and position say: a date beside an address, labels before values, a line alone at the end.
"""

from __future__ import annotations

import re


def any_of(*words: str) -> re.Pattern[str]:
    """A pattern for any of these, which are patterns themselves."""
    return re.compile("|".join(words), re.IGNORECASE)


#: "wrote", at the end or in the middle of an attribution.
WROTE = any_of(
    r"\bwrote\b", r"\bwrites\b", r"\bsaid\b", r"\bschrieb\b", r"\bschreibt\b", r"\bgeschrieben\b", r"\bécrit\b",
    r"\becrit\b", r"\bescribió\b", r"\bescribio\b", r"\bescreveu\b", r"\bva escriure\b", r"\bha scritto\b",
    r"\bscrisse\b", r"\bscris\b", r"\bschreef\b", r"\bgeschreven\b", r"\bskrev\b", r"\bskreiv\b", r"\bskrifaði\b",
    r"\bkirjoitti\b", r"\bnapisał", r"\bpisze\b", r"\bnapsal", r"\bnapísal", r"\bírta\b", r"\bnapisao\b",
    r"\bnapisala\b", r"\bje pisal", r"\bje napisal", r"\bpiše\b", r"\bпише\b", r"\bнаписа", r"\bпишет\b",
    r"\bпише:", r"\bέγραψε", r"\byazdı", r"\bşunları\b", r"كتب", r"\bنوشت", r"כתב", r"\bने लिखा", r"लिखा", r"เขียน",
    r"\bđã viết\b", r"\bmenulis\b", r"写道", r"寫道", r"のメール", r"さんは書きました", r"が書きました", r"작성",
    r"\brašė\b", r"\brakstīja\b", r"\bkirjutas\b", r"\bsulat\b", r"\bidatzi\b", r"\bscríobh\b", r"\bysgrifennodd\b",
)  # fmt: skip

#: A line a program puts under what was typed: "Sent from my iPhone".
SENT_FROM = any_of(
    r"^sent (?:from|via|with|using|by|through|securely|on the go)\b", r"^get (?:\w+ ){1,3}for (?:ios|android|mac|windows|iphone)",
    r"^(?:this (?:e-?)?mail|this message) was sent (?:from|with|via|using)", r"^e?-?mail sent (?:from|with|via|using)",
    r"^composed (?:on|with|in)\b", r"^written (?:on|with) (?:my|a)\b", r"^typed (?:on|with) (?:my|a)\b",
    r"^download (?:\w+ ){0,4}(?:app|for)\b", r"^sent$", r"^secured (?:by|with)\b", r"^encrypted (?:by|with)\b",
    r"^von (?:meinem|unterwegs|mobil)\b.*", r"^gesendet (?:von|mit|über|via|aus)\b", r"^diese (?:e-?mail|nachricht) wurde (?:von|mit)",
    r"^verschickt (?:von|mit)", r"^mit (?:\w+ )?(?:gesendet|verschickt)", r"^holen sie sich", r"^outlook für\b",
    r"^envoyée? (?:de|depuis|avec|via|à partir|par)\b", r"^envoyé$", r"^télécharge[zr]\b", r"^obtenir\b.*\bpour (?:ios|android)",
    r"^enviado (?:desde|con|mediante|do|de|pelo|a partir|através|via|com)\b", r"^enviada (?:do|de|a partir|pelo)\b", r"^obtener\b.*\bpara (?:ios|android)",
    r"^obter o\b.*\bpara", r"^enviat des", r"^enviat (?:amb|de)\b", r"^inviato (?:da|con|dal|tramite)\b", r"^scarica\b", r"^ottieni\b.*\bper",
    r"^trimis (?:de pe|din|cu|de la)\b", r"^verstuurd (?:vanaf|met|vanuit|via)\b", r"^verzonden (?:vanaf|met|via|vanuit)\b", r"^outlook voor\b.*downloaden",
    r"^skickat från\b", r"^skickad från\b", r"^skickat med\b", r"^hämta\b.*\bför", r"^sendt (?:fra|med|via|frå)\b", r"^hent\b.*\b(?:til|for) (?:ios|android)",
    r"^få\b.*\bfor (?:ios|android)", r"^lähetetty\b", r"^lataa\b", r"^sent úr\b", r"^sent frá\b", r"^wysłan[eoay] (?:z|przez|za)\b", r"^pobierz\b",
    r"^odesl[áa]no\b", r"^odoslan[éeo]\b", r"^získajte\b", r"^získat\b", r"^küldve\b", r"^elküldve\b", r"^.{2,30}(?:ról|ről|ból|ből|mről) küldve", r"^az? .{2,30} küldve\b",
    r"^poslano\b", r"^poslan[oa] (?:s|z|iz|sa)\b", r"^послато\b", r"^изпратено\b", r"^отправлено\b", r"^надіслано\b", r"^відправлено\b",
    r"^στάλθηκε\b", r"^απεστάλη\b", r"^αποστολή από\b", r".{2,40}(?:’|')?[dt]?[ae]n gönderildi", r".{0,40}gönderildi\.?$", r"^أ?رسل\w* من", r"^تم الإرسال", r"^نشلח", r"^נשלח מ",
    r"^ارسال شده", r"^فرستاده شده", r"^मेरे .* से भेजा", r".*से भेजा गया", r"^ส่งจาก", r"^ส่งโดย", r"^gửi từ", r"^được gửi", r"^dikirim (?:dari|dengan|melalui)",
    r".{1,30}から送信$", r"^送信元", r"^从我的.*发送", r"^从.*发送$", r"^發自", r"^从我的", r"^来自我的", r"^發送自", r"^发自", r"^由.*(?:发送|傳送)$", r"^從.*(?:傳送|發送|寄出|寄送)$", r".{1,20}에서 (?:보냄|발송|전송)$", r".{1,20}에서 보낸",
    r"^išsiųsta\b", r"^nosūtīts\b", r"^saadetud\b", r"^hantar dari\b", r"^bidalia\b",
)  # fmt: skip

#: Devices and products that sign mails.
PRODUCTS = any_of(
    r"\bi(?:phone|pad|pod)\b", r"\bapple watch\b", r"\bandroid\b", r"\bgalaxy\b", r"\bsamsung\b", r"\bhuawei\b", r"\bhonor\b", r"\bxiaomi\b",
    r"\bredmi\b", r"\boneplus\b", r"\bpixel\b", r"\bblackberry\b", r"\bfairphone\b", r"\bwindows (?:phone|10|11|mail)\b", r"\boutlook\b",
    r"\byahoo\b", r"\bgmail\b", r"\bproton ?mail\b", r"\bprotonmail\b", r"\bk-9\b", r"\bmailbird\b", r"\btuta(?:nota)?\b", r"\bbluemail\b",
    r"\baqua ?mail\b", r"\bfairemail\b", r"\bzoho\b", r"\bgmx\b", r"\bweb\.de\b", r"\bfreenet\b", r"\bt-online\b", r"\borange\b", r"\blibero\b",
    r"\bseznam\b", r"\bmail\.ru\b", r"\byandex\b|яндекс", r"\bnaver\b|네이버", r"\bthunderbird\b", r"\bem client\b", r"\bairmail\b", r"\bspark\b",
    r"\bcanary\b", r"\bsuperhuman\b", r"\bmailspring\b", r"\bsquirrelmail\b", r"\broundcube\b", r"\bzimbra\b", r"\bhorde\b", r"\bsogo\b",
    r"\bpocket mail\b", r"\bmobile (?:phone|device)\b", r"\bsmartphone\b", r"\btelefon", r"\btéléphone\b", r"\bmóvil\b", r"\bcellulare\b",
    r"\bmymail\b", r"\bedison\b", r"\bqq邮箱\b", r"网易|163邮箱", r"\bmailfence\b", r"\bposteo\b", r"\bmailbox\.org\b", r"\bfastmail\b",
)  # fmt: skip

#: Roots found in the warnings that gateways put on top of mail from outside.
WARNING = any_of(
    r"\bexternal\b", r"\boutside\b", r"\bcaution\b", r"\bwarning\b", r"\boriginat", r"\blinks?\b", r"\battachments?\b", r"\bclick", r"\bphish",
    r"\bsuspicious\b", r"\bsender\b", r"\borgani[sz]ation\b", r"\brecogni[sz]e\b", r"\bverif(?:y|ied)\b", r"\bunknown\b", r"\bsafe\b", r"\btrust",
    r"\bbe careful\b", r"\bthink before\b", r"\bdon'?t often get email\b", r"\bimportant to you\b", r"\bscanned\b", r"\bvirus", r"\bspam\b",
    r"\bextern", r"\bvorsicht\b", r"\bachtung\b", r"\banh[äa]ng", r"\babsender", r"\bverdächtig", r"\bklick", r"\bquelle\b", r"\bunbekannt",
    r"\battention\b", r"\bprudence\b", r"\bexpéditeur", r"\bpièces? jointes?\b", r"\bliens?\b", r"\bcliquez\b", r"\bprovien", r"\bméfi",
    r"\bprecauci", r"\bprecaución\b", r"\bremitente\b", r"\badjuntos?\b", r"\benlaces?\b", r"\bcuidado\b", r"\bremetente\b", r"\banexos?\b",
    r"\batenção\b", r"\battenzione\b", r"\besterno?a?\b", r"\bmittente\b", r"\ballegati\b", r"\blet op\b", r"\bbijlage", r"\bafzender\b", r"\bpas op\b",
    r"\bvarning\b", r"\bavsändare", r"\bbilag", r"\blänk", r"\badvarsel\b", r"\bafsender", r"\bavsender", r"\bvedhæft", r"\bvedlegg", r"\bulkopuoli",
    r"\bvaroitus\b", r"\bliitteitä\b", r"\bzewnętrzn", r"\buwaga\b", r"\bnadawc", r"\bzałącznik", r"\blinki\b", r"\bexterní", r"\bpozor\b", r"\bodesíl",
    r"\bodosiel", r"\bpřílo[hž]", r"\bprílo[hž]", r"\bodkaz", r"\bkülső\b", r"\bfigyel", r"\bfeladó", r"\bmellékl", r"\bvanjsk", r"\bzunanj", r"\boprez\b",
    r"\bпривит", r"внешн", r"внимание", r"осторож", r"отправител", r"вложени", r"ссылк", r"зовнішн", r"увага", r"вкладен", r"външ", r"εξωτερικ", r"προσοχή",
    r"συνημμέν", r"\bdış\b", r"\bdikkat\b", r"\bgönderen", r"\bekleri?\b", r"خارج", r"تحذير", r"مرفقات", r"חיצוני", r"זהירות", r"قارجي|خارجی", r"هشدار", r"बाहरी", r"सावधान",
    r"ภายนอก", r"bên ngoài", r"cảnh báo", r"đính kèm", r"\beksternal\b", r"\bperingatan\b", r"\blampiran\b", r"外部", r"注意", r"添付", r"リンク", r"附件", r"链接|連結",
    r"谨慎|謹慎", r"외부", r"주의", r"첨부", r"\bexpeditor", r"\batașament", r"\bextern[aă]\b",
)  # fmt: skip

#: Roots found in the small print of companies.
SMALL_PRINT = any_of(
    r"\bconfidential", r"\bintended\b", r"\baddressees?\b", r"\brecipients?\b", r"\bprivileged\b", r"\bdisclos", r"\bunauthori[sz]ed\b", r"\bprohibited\b",
    r"\bforbidden\b", r"\bdissemination\b", r"\bliab", r"\bregistered\b", r"\bin error\b", r"\bnotify\b", r"\bdelete\b", r"\be-?mail and any\b",
    r"\battachments?\b", r"\blegal", r"\bcompany (?:no|number|registration)", r"\bprinting\b|\bprint this\b", r"\bunsubscribe\b", r"\bmailing list\b", r"\banyone else\b",
    r"\bthis (?:e-?mail|message|communication|notice)\b", r"\bcopyright\b", r"\bstrictly\b", r"\bthe (?:views|opinions)\b", r"\bdata protection\b", r"\bprivacy\b",
    r"\bvertraulich", r"\bunbefugt", r"\bempfänger", r"\bunverzüglich", r"\bhandelsregister\b", r"\bgeschäftsführ", r"\bamtsgericht\b", r"\bust-?id", r"\brechtlich",
    r"\bconfidentiel", r"\bdestinataires?\b", r"\bdivulg", r"\binterdit", r"\bpar erreur\b", r"\bconfidencia", r"\bdestinatari", r"\bprohibid", r"\bpor error\b",
    r"\bproibid", r"\bpor engano\b", r"\briservat", r"\bvietat", r"\bper errore\b", r"\bvertrouwelijk", r"\bgeadresseerde\b", r"\bbestemd\b", r"\bkonfidentiell",
    r"\bavsedd\b", r"\bfortrolig", r"\bmottaker", r"\bmodtager", r"\bluottamuksel", r"\bvastaanottaj", r"\bpoufn", r"\badresat", r"\bzabronion", r"\bdůvěrn",
    r"\bdôvern", r"\bpříjemc", r"\bpríjemc", r"\bbizalmas", r"\bcímzett", r"\bpovjerljiv", r"\bpoverljiv", r"\bzaupn", r"\bnamijenjen", r"\bconfidențial", r"конфиденциальн",
    r"адресат", r"конфіденційн", r"поверител", r"получател", r"εμπιστευτικ", r"παραλήπτ", r"\bgizli", r"\balıcı", r"سرّ?ية", r"المستلم", r"חסוי", r"סודי", r"محرمانه", r"गोपनीय",
    r"ความลับ", r"bảo mật", r"\brahasia\b", r"機密", r"机密|保密", r"受信者", r"收件人", r"기밀", r"수신인", r"\bkonfidencia",
)  # fmt: skip

#: Footers of lists and of free mail providers.
FOOTER = any_of(
    r"\bunsubscribe\b", r"\bmailing list\b", r"\blist ?(?:info|archive)\b", r"\bto (?:leave|subscribe|unsubscribe)\b", r"\babmelden\b|\babbestellen\b",
    r"\bse désabonner\b|\bdésinscri", r"\bdarse de baja\b|\bcancelar la suscripción\b", r"\bannulla l'iscrizione\b|\bdisiscri", r"\bafmelden\b|\buitschrijven\b",
    r"\bavregistrera\b|\bavprenumerera\b", r"\bafmeld\b", r"\bwypisa", r"\bodhlásit\b", r"\bleiratkoz", r"отписаться", r"відписатися", r"退订|取消订阅", r"配信停止", r"수신거부",
    r"\byou received this (?:message|email) because\b", r"\byou are subscribed\b", r"\bvirus-?free\b|\bvirenfrei\b|\bsans virus\b|\blibre de virus\b|\bgarantita priva di virus\b",
    r"\bavast\b|\bavg\b|\bnorton\b|\bkaspersky\b",
)  # fmt: skip

#: Marks of text in which the real message is behind a link.
PROTECTED = any_of(
    r"\bencrypt", r"\bprotected\b", r"\bsecure(?:d|ly)? (?:e-?mail|message)", r"\bconfidential (?:e-?mail|message|mode)", r"verschlüssel", r"\bgeschützt", r"\bchiffr", r"\bprotégé",
    r"\bsécuris", r"\bcifrad", r"\bprotegid", r"\bcriptograf", r"crittograf", r"\bprotett", r"\bcifrat", r"versleuteld", r"\bbeveiligd", r"\bkrypter", r"\bskydda", r"\bbeskyttet",
    r"\bsalattu", r"\bsuojattu", r"zaszyfrowan", r"\bchronion", r"šifrovan", r"zašifrovan", r"\bchráněn", r"\bchránen", r"titkosít", r"\bvédett", r"зашифр", r"защищ", r"шифрован",
    r"захищ", r"κρυπτογραφ", r"προστατευ", r"şifrel", r"\bkorumalı", r"مشفر", r"محمي", r"מוצפן|מוצפנת", r"מוגן|מוגנת", r"رمزگذاری", r"एन्क्रिप्ट", r"เข้ารหัส", r"mã hóa", r"terenkripsi",
    r"加密", r"受保护|受保護", r"暗号化", r"保護された", r"암호화", r"보호된", r"\bcriptat", r"\bprotejat", r"šifriran", r"\bzaštićen",
)  # fmt: skip

#: Between dashes or alone on a line: the mail that is answered or forwarded stands below.
ORIGINAL_MESSAGE = any_of(
    r"original message", r"forwarded message", r"message d'origine", r"message original", r"message transféré", r"ursprüngliche nachricht", r"original-?nachricht", r"weitergeleitete",
    r"mensaje original", r"mensagem original", r"messaggio originale", r"messaggio inoltrato", r"oorspronkelijk bericht", r"ursprungligt meddelande", r"originalmeddelande",
    r"oprindelig meddelelse", r"opprinnelig melding", r"alkuperäinen viesti", r"oryginalna wiadomość", r"wiadomość oryginalna", r"původní zpráva", r"pôvodná správa",
    r"eredeti üzenet", r"izvorna poruka", r"izvirno sporočilo", r"исходное сообщение", r"пересылаемое сообщение", r"оригинальное сообщение", r"вихідне повідомлення", r"оригинално съобщение",
    r"αρχικό μήνυμα", r"orijinal (?:ileti|mesaj)", r"özgün ileti", r"الرسالة الأصلية", r"ההודעה המקורית", r"הודעה מקורית", r"پیام اصلی", r"原始邮件", r"邮件原件", r"原始郵件", r"元のメッセージ",
    r"원본 메[시세]지", r"mesaj original", r"thư gốc", r"pesan asli", r"ข้อความต้นฉบับ", r"मूल संदेश", r"missatge original", r"begin forwarded message", r"reply message", r"inline reply",
)  # fmt: skip

#: Headings of reports, in capitals: those of our templates, and of reports in other words.
HEADINGS = frozenset(
    (
        "MAP",
        "YOUR HAND",
        "LAST TURN",
        "HOW TO SEND ORDERS",
        "SINCE YOUR LAST REPORT",
        "THE CITY",
        "THE TABLE",
        "FOR YOUR EYES ONLY",
        "WHAT YOU MAY DO",
        "WHAT YOU MAY DO NOW",
        "THE GAME IN TEN LINES",
        "HOW TO PLAY BY MAIL",
        "YOUR ORDERS",
        "WHAT CAME OF THEM",
        "FAIR PLAY",
        "WHAT WOULD HAPPEN",
        "WHAT YOU WOULD BE ASKED THEN",
        "HOW IT WOULD BE THEN",
        "HOW TO SET POLICIES",
        "MAIL COMMANDS",
        "THE LAST TURNS",
        "WHO WAS WHO",
        "IN HAND AT THE END",
        "CHECK IT YOURSELF",
    )
)
