import { defineErrors } from './error.js'

/**
 * What the verifier refuses, and what authorities fail at. Each refusal carries `details.reason`, a camelCase
 * sub-indication, and the facts that it was judged by.
 */
export const signatureErrors = defineErrors({
  signatureNotParsed: {
    kind: 'invalid',
    message: 'Failed to parse signature',
    ru: 'Не удалось разобрать подпись',
    kk: 'Қолтаңбаны талдау мүмкін болмады',
    description:
      'The bytes are not a CMS or XML signature of the accepted profile, or exceed a limit on size or depth.',
  },
  invalidSignature: {
    kind: 'unacceptable',
    message: 'Invalid signature',
    ru: 'Недействительная подпись',
    kk: 'Қолтаңба жарамсыз',
    description:
      'The signature can be read, but its value or its signed attributes are wrong, doubled, missing or contradictory.',
  },
  signatureTypeNotSupported: {
    kind: 'invalid',
    message: 'Signature type is not supported',
    ru: 'Тип подписи не поддерживается',
    kk: 'Қолтаңба түріне қолдау көрсетілмейді',
    description: 'Only signatures of types cms and xml are registered.',
  },
  signatureAlgorithmNotSupported: {
    kind: 'unacceptable',
    message: 'Signature algorithm not supported',
    ru: 'Алгоритм подписи не поддерживается',
    kk: 'Қолтаңба алгоритміне қолдау көрсетілмейді',
    description: 'The signature algorithm or its parameters are unknown, or do not fit the key.',
  },
  digestAlgorithmNotSupported: {
    kind: 'unacceptable',
    message: 'Digest algorithm not supported',
    ru: 'Алгоритм хеширования не поддерживается',
    kk: 'Хештеу алгоритміне қолдау көрсетілмейді',
    description: 'The digest algorithm or its parameters are unknown.',
  },
  certificateSignatureAlgorithmNotSupported: {
    kind: 'unacceptable',
    message: 'Certificate signature algorithm not supported',
    ru: 'Алгоритм подписи сертификата не поддерживается',
    kk: 'Сертификат қолтаңбасының алгоритміне қолдау көрсетілмейді',
    description:
      'A certificate is signed with an unknown algorithm, or its parameters do not fit the key of the issuer.',
  },
  algorithmNotTrusted: {
    kind: 'unacceptable',
    message: 'Algorithm is not trusted',
    ru: 'Алгоритм не является доверенным',
    kk: 'Алгоритм сенімді емес',
    description:
      'The algorithm is known but too weak to prove anything: MD5, SHA-1, DSA, RSA keys shorter than 2048 bits, or whatever the policy ended since.',
  },
  badSignerCertificate: {
    kind: 'unacceptable',
    message: 'Bad signer certificate',
    ru: 'Неподходящий сертификат подписавшего',
    kk: 'Қол қоюшының сертификаты жарамайды',
    description: 'The certificate of the signer is missing, ambiguous, malformed, or not meant for signing documents.',
  },
  signerCertificateNotValidNow: {
    kind: 'unacceptable',
    message: 'Signer certificate expired or not yet valid',
    ru: 'Срок действия сертификата подписавшего истёк или ещё не наступил',
    kk: 'Қол қоюшы сертификатының мерзімі өткен немесе әлі басталмаған',
    description: 'The certificate of the signer was not within its validity period at the time it is judged at.',
  },
  invalidCertificateStatus: {
    kind: 'unacceptable',
    message: 'Invalid certificate status',
    ru: 'Недопустимый статус сертификата',
    kk: 'Сертификат мәртебесі жарамсыз',
    description: 'The certificate was revoked, suspended or unknown to its authority at the time it is judged at.',
  },
  certificateIssuerUnknown: {
    kind: 'unacceptable',
    message: 'Certificate issuer is unknown',
    ru: 'Издатель сертификата неизвестен',
    kk: 'Сертификатты беруші белгісіз',
    description: 'No certification path leads from the certificate to a configured trust anchor.',
  },
  certificatePathNotBuilt: {
    kind: 'unacceptable',
    message: 'Failed to build certificate chain',
    ru: 'Не удалось построить цепочку сертификатов',
    kk: 'Сертификаттар тізбегін құру мүмкін болмады',
    description: 'A path to a trust anchor exists, but it breaks a rule of RFC 5280 section 6.',
  },
  invalidOcspData: {
    kind: 'unacceptable',
    message: 'Signature contains invalid OCSP data',
    ru: 'Подпись содержит недействительные данные OCSP',
    kk: 'Қолтаңбада жарамсыз OCSP деректері бар',
    description:
      'The OCSP answer is malformed, doubled, about another certificate, stale, or signed by somebody not authorised.',
  },
  invalidTspTimeStamp: {
    kind: 'unacceptable',
    message: 'Signature contains invalid TSP time stamp',
    ru: 'Подпись содержит недействительную метку времени TSP',
    kk: 'Қолтаңбада жарамсыз TSP уақыт белгісі бар',
    description: 'The time stamp is malformed, doubled, over other data, or signed by somebody not authorised.',
  },
  ocspServerProblem: {
    kind: 'unavailable',
    message: 'OCSP server problem',
    ru: 'Проблема с сервером OCSP',
    kk: 'OCSP серверінде ақау бар',
    description:
      'The OCSP responder could not be reached or gave no usable answer; the same request may succeed later.',
  },
  tspServerProblem: {
    kind: 'unavailable',
    message: 'TSP server problem',
    ru: 'Проблема с сервером TSP',
    kk: 'TSP серверінде ақау бар',
    description:
      'The time-stamping authority could not be reached or gave no usable answer; the same request may succeed later.',
  },
  evidenceTimesDiffer: {
    kind: 'unacceptable',
    message: 'Times of the TSP time stamp and of the OCSP data differ too much',
    ru: 'Слишком большая разница между временем метки TSP и данных OCSP',
    kk: 'TSP уақыт белгісі мен OCSP деректерінің уақыты тым алшақ',
    description:
      'The time stamp and the OCSP answer must be at most five minutes apart. Sign again or collect fresh evidence.',
  },
  signatureDoesNotCorrespond: {
    kind: 'unacceptable',
    message: 'Signature does not correspond to the document',
    ru: 'Подпись не соответствует документу',
    kk: 'Қолтаңба құжатқа сәйкес келмейді',
    description: 'The digests that were signed are not those of the document.',
  },
  setOrderNonconforming: {
    kind: 'unacceptable',
    message: 'Nonconforming order of elements in one of ASN.1 SET tags of the signature',
    ru: 'Нарушен порядок элементов в одном из тегов ASN.1 SET подписи',
    kk: 'Қолтаңбаның ASN.1 SET тегтерінің бірінде элементтер реті бұзылған',
    description: 'Strict mode only: the elements of a SET OF are not in the order that DER demands.',
  },
})
