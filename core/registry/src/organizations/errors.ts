import { defineErrors } from '../kernel/error.js'

const tlsCertificate = {
  message: 'One of the provided TLS certificates can not be used for authentication',
  ru: 'Один из указанных TLS-сертификатов не может быть использован для аутентификации',
  kk: 'Көрсетілген TLS сертификаттарының бірі аутентификация үшін қолданыла алмайды',
  description:
    'A certificate is one PEM block, of an RSA key of at least 2048 bits or an EC key of at least 224, and an organization lists its key once. A system authenticates with a certificate that its organization lists, or with any of the same key where it is listed with byKey.',
} as const

export const organizationErrors = defineErrors({
  notOrganization: {
    kind: 'forbidden',
    message: 'User does not represent an organization',
    ru: 'Пользователь не представляет организацию',
    kk: 'Пайдаланушы ұйымның өкілі емес',
    description: 'Authenticate with a certificate of an employee of the organization, or as its information system.',
  },
  tlsCertificateNotUsable: { kind: 'invalid', ...tlsCertificate },
  tlsCertificateNotListed: { kind: 'unauthenticated', ...tlsCertificate },
  tlsCertificateDisabled: {
    kind: 'unauthenticated',
    message: 'TLS certificate used for authentication was disabled',
    ru: 'TLS-сертификат, использованный для аутентификации, отключён',
    kk: 'Аутентификация үшін қолданылған TLS сертификаты өшірілген',
    description: 'The organization has disabled the certificate in its settings.',
  },
  tlsCertificatePending: {
    kind: 'unauthenticated',
    message: 'TLS certificate is not proved for an organization',
    ru: 'Не подтверждено, от имени какой организации действует TLS-сертификат',
    kk: 'TLS сертификатының қай ұйымның атынан әрекет ететіні расталмаған',
    description:
      'Anybody may list any certificate, so a key acts for nobody until its holder has said for which organization: POST /api/auth with businessId, once, over mutual TLS; or by a certificate whose subject names the organization (OU=BIN and 12 digits).',
  },
  invalidCertificateIndex: {
    kind: 'invalid',
    message: 'One of the provided certificate indices is invalid',
    ru: 'Один из указанных индексов сертификатов некорректен',
    kk: 'Көрсетілген сертификат индекстерінің бірі дұрыс емес',
    description: 'An index is a position in tlsCertificatesList, counted from 0; details name the field.',
  },
  invalidAuthority: {
    kind: 'invalid',
    message: 'One of the provided authority OIDs is in invalid format',
    ru: 'Один из указанных OID полномочий имеет некорректный формат',
    kk: 'Көрсетілген өкілеттік OID-терінің бірінің пішімі дұрыс емес',
    description:
      'An authority is an object identifier in dotted form, such as 1.2.398.3.3.4.1.2.1; details name the field.',
  },
  invalidIin: {
    kind: 'invalid',
    message: 'One of the provided IINs is in invalid format',
    ru: 'Один из указанных ИИН имеет некорректный формат',
    kk: 'Көрсетілген ЖСН-дердің бірінің пішімі дұрыс емес',
    description: 'An IIN is written as IIN and 12 digits; details name the field.',
  },
  invalidUrl: {
    kind: 'invalid',
    message: 'One of the provided URL addresses is in invalid format',
    ru: 'Один из указанных URL-адресов имеет некорректный формат',
    kk: 'Көрсетілген URL мекенжайларының бірінің пішімі дұрыс емес',
    description:
      'A webhook address begins with http:// or https://, names no user or password, and leads to the public Internet and to a port of the web (443, 80) unless the operator allows others; details name the reason.',
  },
  invalidLogoFormat: {
    kind: 'invalid',
    message: 'Invalid QR code logo format',
    ru: 'Некорректный формат логотипа QR-кода',
    kk: 'QR-код логотипінің пішімі дұрыс емес',
    description: 'A logo is a complete and correct PNG image in base64; details name the field.',
  },
  invalidLogoResolution: {
    kind: 'invalid',
    message: 'Invalid QR code logo resolution',
    ru: 'Некорректное разрешение логотипа QR-кода',
    kk: 'QR-код логотипінің ажыратымдылығы дұрыс емес',
    description: 'qrLogo has at most 102x102 pixels, ddcLogo has exactly 200x100, branding.logo at most 200x100.',
  },
  invalidLogoSize: {
    kind: 'invalid',
    message: 'Invalid QR code logo size',
    ru: 'Некорректный размер логотипа QR-кода',
    kk: 'QR-код логотипінің өлшемі дұрыс емес',
    description: 'A logo has at most 64 KiB.',
  },
  featureNotAvailable: {
    kind: 'forbidden',
    message: 'Feature is not available on current subscription level',
    ru: 'Функция недоступна на текущем уровне подписки',
    kk: 'Функция ағымдағы жазылым деңгейінде қолжетімсіз',
    description: 'The subscription of the organization has the feature off, or has expired; details name the feature.',
  },
})
