import { type CardLanguage, capital, type Term, terms } from '@signed-registry/core'

/** A text in all languages of cards. */
export type CardText = Readonly<Record<CardLanguage, string>>

const text = (ru: string, kk: string, en: string): CardText => ({ ru, kk, en })
const label = ({ ru, kk, en }: Term): CardText => text(capital(ru), capital(kk), capital(en))

/** The fixed texts of a card. Kazakh: ЖСН for ИИН, БСН for БИН, ЭЦҚ for ЭЦП. */
export const texts = {
  heading: text('Карточка электронного документа', 'Электрондық құжат карточкасы', 'Electronic document card'),
  built: text('Дата и время формирования', 'Қалыптастырылған күні мен уақыты', 'Date and time of making'),
  service: text('Информационная система или сервис', 'Ақпараттық жүйе немесе сервис', 'Information system or service'),
  documentId: text('Идентификатор документа', 'Құжат идентификаторы', 'Document identifier'),
  signaturesCount: text('Количество подписей', 'Қолтаңбалар саны', 'Signatures'),
  contents: text('Содержание', 'Мазмұны', 'Contents'),
  information: text('Информационный блок', 'Ақпараттық блок', 'Information'),
  originalPages: text(
    'Визуализация электронного документа',
    'Электрондық құжаттың визуализациясы',
    'Pages of the electronic document',
  ),
  signaturePages: text(
    'Визуализация подписей под электронным документом',
    'Электрондық құжатқа қойылған қолтаңбалардың визуализациясы',
    'Signatures on the electronic document',
  ),
  signaturePage: text(
    'Визуализация электронной цифровой подписи',
    'Электрондық цифрлық қолтаңбаның визуализациясы',
    'Electronic digital signature',
  ),
  files: text('Перечень вложенных файлов', 'Тіркемеленген файлдар тізімі', 'Attached files'),
  original: text(
    'Подлинник электронного документа',
    'Электрондық құжаттың түпнұсқасы',
    'Original of the electronic document',
  ),
  signatureOf: text('ЭЦП', 'ЭЦҚ', 'EDS'),
  hashes: text('Хеши подлинника', 'Түпнұсқаның хештері', 'Hashes of the original'),
  pageOf: text('стр. {} из {}', '{}-бет, барлығы {}', 'page {} of {}'),
  watermark: text(
    'Визуализация электронного документа',
    'Электрондық құжаттың визуализациясы',
    'Visualization of the electronic document',
  ),
  sample: text('ОБРАЗЕЦ', 'ҮЛГІ', 'SAMPLE'),
  signedAt: text('Подписано в сервисе', 'Сервисте қол қойылды', 'Signed in the service'),
  verifiedAt: text('Проверено в сервисе', 'Сервисте тексерілді', 'Verified in the service'),
  signers: text(
    'Подписавшие и время подписания',
    'Қол қойғандар және қол қойылған уақыт',
    'Signers and times of signing',
  ),
  number: text('№', '№', 'No.'),
  signerColumn: text('Кто подписал', 'Кім қол қойды', 'Signed by'),
  roleColumn: text(
    'В качестве кого (по сертификату)',
    'Кім ретінде (сертификат бойынша)',
    'Acting as (by certificate)',
  ),
  timeColumn: text(
    'Когда и откуда известно время',
    'Қашан және уақыт қайдан белгілі',
    'When, and how the time is known',
  ),
  byTimeStamp: text('по метке времени', 'уақыт белгісі бойынша', 'by time stamp'),
  byRegistry: text(
    'метки времени нет: время регистрации в сервисе',
    'уақыт белгісі жоқ: сервисте тіркелген уақыт',
    'no time stamp: time of registration in the service',
  ),
  signersNote: text(
    'Имена, организации и полномочия взяты из сертификатов подписавших, которые, как и сами подписи, проверены при формировании карточки.',
    'Аты-жөндер, ұйымдар мен өкілеттіктер қол қойғандардың сертификаттарынан алынды; сертификаттар да, қолтаңбалар да карточка қалыптастырылған кезде тексерілді.',
    'Names, organizations and roles are taken from the certificates of the signers, which were verified, as were the signatures, when this card was made.',
  ),
  codes: text('QR-коды с подписью', 'Қолтаңбасы бар QR-кодтар', 'QR codes that hold the signature'),
  signature: text('Подпись №', 'Қолтаңба №', 'Signature No. '),
  signedOn: text('Дата формирования подписи', 'Қолтаңба қойылған күні', 'Signed on'),
  signer: text('Подписал(а)', 'Қол қойған', 'Signed by'),
  iin: terms.iin,
  bin: terms.bin,
  organization: label(terms.organization),
  policies: text('Политика', 'Саясат', 'Policy'),
  usages: text('Допустимое использование', 'Рұқсат етілген пайдалану', 'Permitted use'),
  algorithm: text('Алгоритм подписи', 'Қолтаңба алгоритмі', 'Signature algorithm'),
  certificate: label(terms.registrationCertificate),
  timeStamp: label(terms.timeStamp),
  status: text('Статус сертификата (OCSP)', 'Сертификат мәртебесі (OCSP)', 'Certificate status (OCSP)'),
  statusGood: text('действителен', 'жарамды', 'good'),
  statusByCrl: text(
    'по списку отозванных сертификатов (CRL)',
    'қайтарып алынған сертификаттар тізімі (CRL) бойынша',
    'by certificate revocation list (CRL)',
  ),
  subject: text('Субъект', 'Субъект', 'Subject'),
  altName: text('Дополнительное имя', 'Қосымша атауы', 'Alternative name'),
  serialNumber: text('Серийный номер', 'Сериялық нөмірі', 'Serial number'),
  from: text('Действителен с', 'Жарамдылықтың басталуы', 'Valid from'),
  until: text('Действителен по', 'Жарамдылықтың аяқталуы', 'Valid until'),
  issuer: label(terms.issuer),
  at: text('Время', 'Уақыты', 'Time'),
  checked: text(
    'При формировании карточки сервис заново проверил все подписи под документом, метки времени и статусы сертификатов, а также целостность подлинника: его хеши совпадают с подписанными.',
    'Карточка қалыптастырылған кезде сервис құжаттағы барлық қолтаңбаны, уақыт белгілерін, сертификаттар мәртебесін және түпнұсқаның тұтастығын қайта тексерді: оның хештері қол қойылған хештерге сәйкес келеді.',
    'When making this card, the service verified again every signature on the document, its time stamp and certificate status, and the integrity of the original: its hashes match the signed ones.',
  ),
  whatIsCard: text(
    'Карточка электронного документа — это файл PDF, который состоит из страниц для чтения и вложенных файлов: подлинника электронного документа и электронных цифровых подписей (ЭЦП) под ним.',
    'Электрондық құжат карточкасы — оқуға арналған беттер мен тіркемеленген файлдардан, яғни электрондық құжаттың түпнұсқасынан және оған қойылған электрондық цифрлық қолтаңбалардан (ЭЦҚ) тұратын PDF файлы.',
    'An electronic document card is a PDF file that consists of pages to read and attached files: the original of the electronic document and the electronic digital signatures (EDS) on it.',
  ),
  whatIsOriginal: text(
    'Подлинник электронного документа — вложенный файл, который был подписан. Юридическую значимость имеют только вложенные файлы после проверки подписей. Вложения показывают и сохраняют многие программы для чтения PDF, например Adobe Acrobat Reader и Firefox.',
    'Электрондық құжаттың түпнұсқасы — қол қойылған тіркемеленген файл. Қолтаңбалар тексерілгеннен кейін тек тіркемеленген файлдардың заңды күші бар. Тіркемеленген файлдарды Adobe Acrobat Reader, Firefox сияқты көптеген PDF оқу бағдарламалары көрсетеді және сақтай алады.',
    'The original of the electronic document is the attached file that was signed. Only the attached files have legal force, once the signatures are verified. Many PDF readers, Adobe Acrobat Reader and Firefox among them, show and save attachments.',
  ),
  howToVerify: text(
    'Чтобы проверить документ, отсканируйте QR-код слева или откройте страницу документа:',
    'Құжатты тексеру үшін сол жақтағы QR-кодты сканерлеңіз немесе құжат бетін ашыңыз:',
    'To verify the document, scan the QR code on the left or open the page of the document:',
  ),
  howToVerifyFile: text(
    'Чтобы проверить документ, загрузите этот файл в сервис, который откроется по QR-коду слева или по адресу:',
    'Құжатты тексеру үшін осы файлды сол жақтағы QR-код немесе мына мекенжай арқылы ашылатын сервиске жүктеңіз:',
    'To verify the document, upload this file to the service that the QR code on the left or this address opens:',
  ),
  warning: text(
    'ВНИМАНИЕ! Страницы карточки не защищены от изменения и не имеют юридической значимости. Остерегайтесь мошенников: получив электронный документ, обязательно проверьте подписи.',
    'НАЗАР АУДАРЫҢЫЗ! Карточка беттері өзгертуден қорғалмаған және заңды күші жоқ. Алаяқтардан сақ болыңыз: электрондық құжатты алған соң, қолтаңбаларды міндетті түрде тексеріңіз.',
    'WARNING! The pages of this card are not protected from changes and have no legal force. Beware of fraud: always verify the signatures of a document that you receive.',
  ),
} as const
