import { DerError } from '../der/reader.js'
import { signatureErrors } from '../errors.js'
import type { Certificate } from './certificate.js'

const SERIAL_NUMBER = '2.5.4.5'
const ORGANIZATIONAL_UNIT = '2.5.4.11'
const EMAIL_ADDRESS = '1.2.840.113549.1.9.1'
const IIN = /^IIN\d{12}$/
const BIN = /^BIN\d{12}$/
const MAYBE_BIN = /^\s*BIN\s*\d/i
const MAILBOX = /^[^\s@<>(),;:\\"[\]]{1,64}@[A-Za-z0-9.-]{1,255}$/

/** Who a certificate speaks for. Every field is absent where the certificate does not say. */
export interface Identity {
  /** `IIN` and 12 digits, from the subject's serialNumber. */
  readonly userId: string | undefined
  /** `BIN` and 12 digits, from the one organizationalUnitName of that form. */
  readonly businessId: string | undefined
  /** The alternative name of type rfc822Name, else the subject's emailAddress. */
  readonly email: string | undefined
  /** Object identifier of the type of key storage. */
  readonly keyStorage: string | undefined
}

/**
 * Reads the identity in a certificate. Throws `badSignerCertificate`: `userIdAmbiguous` when the subject has several serial
 * numbers, `businessIdAmbiguous` when it has several BINs, `certificateMalformed` when an extension cannot be read.
 */
export function readIdentity(certificate: Certificate): Identity {
  const { subject } = certificate
  const serialNumbers = subject.rdns.flat().filter(({ oid }) => oid === SERIAL_NUMBER)
  if (serialNumbers.length > 1) throw signatureErrors.error('badSignerCertificate', { reason: 'userIdAmbiguous' })
  const units = subject.texts(ORGANIZATIONAL_UNIT)
  if (units.filter((text) => MAYBE_BIN.test(text)).length > 1)
    throw signatureErrors.error('badSignerCertificate', { reason: 'businessIdAmbiguous' })
  try {
    return {
      userId: subject.texts(SERIAL_NUMBER).find((text) => IIN.test(text)),
      businessId: units.find((text) => BIN.test(text)),
      email: emails(certificate).find((text) => MAILBOX.test(text)),
      keyStorage: certificate.extensions.keyStorage,
    }
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    throw signatureErrors.error('badSignerCertificate', { reason: 'certificateMalformed' }, error)
  }
}

const emails = ({ subject, extensions }: Certificate): string[] => [
  ...(extensions.subjectAltName ?? []).flatMap(({ type, value }) => (type === 'rfc822Name' ? value : [])),
  ...subject.texts(EMAIL_ADDRESS),
]
