/** A word for one thing, as it stands inside a sentence. */
export interface Term {
  readonly ru: string
  readonly kk: string
  readonly en: string
}

const term = (ru: string, kk: string, en: string): Term => ({ ru, kk, en })

/** What signatures are spoken of in: one word for each thing, which every text for people uses (docs/naming.md). */
export const signatureTerms = {
  document: term('документ', 'құжат', 'document'),
  original: term('подлинник', 'түпнұсқа', 'original'),
  hash: term('хеш', 'хеш', 'hash'),
  signature: term('подпись', 'қолтаңба', 'signature'),
  electronicSignature: term(
    'электронная цифровая подпись (ЭЦП)',
    'электрондық цифрлық қолтаңба (ЭЦҚ)',
    'electronic digital signature (EDS)',
  ),
  detachedSignature: term('отсоединённая подпись', 'бөлек қолтаңба', 'detached signature'),
  signer: term('подписавший', 'қол қоюшы', 'signer'),
  certificate: term('сертификат', 'сертификат', 'certificate'),
  /** Beside the name of the law, where the certificate of a person is shown first. */
  registrationCertificate: term(
    'сертификат (регистрационное свидетельство)',
    'сертификат (тіркеу куәлігі)',
    'certificate (registration certificate)',
  ),
  certificateStatus: term('статус сертификата', 'сертификат мәртебесі', 'certificate status'),
  revoked: term('отозван', 'қайтарып алынған', 'revoked'),
  revocationList: term(
    'список отозванных сертификатов (CRL)',
    'қайтарып алынған сертификаттар тізімі (CRL)',
    'certificate revocation list (CRL)',
  ),
  issuer: term('издатель', 'беруші', 'issuer'),
  certificationAuthority: term('удостоверяющий центр', 'куәландырушы орталық', 'certification authority'),
  timeStamp: term('метка времени', 'уақыт белгісі', 'time stamp'),
  timeStampAuthority: term('служба меток времени', 'уақыт белгісі қызметі', 'time-stamping authority'),
  /** What leaves a registry and proves by itself. */
  evidenceBundle: term('файл доказательств', 'дәлелдемелер файлы', 'evidence bundle'),
  iin: term('ИИН', 'ЖСН', 'IIN'),
  bin: term('БИН', 'БСН', 'BIN'),
  organization: term('организация', 'ұйым', 'organization'),
} as const

/** A term as a label or a sentence begins with it. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
