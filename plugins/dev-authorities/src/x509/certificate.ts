import { randomBytes } from 'node:crypto'
import { children, contents, encoded, readDer } from '@signed-registry/verifier'
import { bitString, explicit, integer, sequence, time } from '../der/writer.js'
import type { HashName } from '../hashes.js'
import type { SigningKey } from '../signing-key.js'
import { type Extension, encodeExtension } from './extensions.js'

/** What a certificate says; names are DER. */
export interface CertificateParts {
  readonly issuer: Uint8Array
  readonly subject: Uint8Array
  readonly spki: Uint8Array
  readonly notBefore: number
  readonly notAfter: number
  readonly extensions: readonly Extension[]
  /** Unsigned big-endian; 20 random octets unless given. */
  readonly serial?: Uint8Array
}

/** A certificate signed by `key`, which need not be the issuer's: tests make wrong ones. */
export function signCertificate(parts: CertificateParts, key: SigningKey, hash: HashName = key.hash): Buffer {
  const algorithm = key.signatureAlgorithm(hash)
  const tbs = sequence(
    explicit(0, integer(2)),
    integer(parts.serial ?? newSerial()),
    algorithm,
    parts.issuer,
    sequence(time(parts.notBefore), time(parts.notAfter)),
    parts.subject,
    parts.spki,
    explicit(3, sequence(...parts.extensions.map(encodeExtension))),
  )
  return sequence(tbs, algorithm, bitString(key.sign(tbs, hash)))
}

/** 20 octets, positive, never shorter. */
export function newSerial(): Buffer {
  const serial = randomBytes(20)
  serial.writeUInt8((serial.readUInt8() & 0x3f) | 0x40)
  return serial
}

/** The parts of a certificate of ours that its signatures, answers and lists name; all DER but `serial`, which is content octets. */
export interface CertificateFields {
  readonly serial: Buffer
  readonly issuer: Buffer
  readonly subject: Buffer
  readonly spki: Buffer
}

export function certificateFields(certificate: Uint8Array): CertificateFields {
  const [tbs] = children(readDer(certificate))
  if (tbs === undefined) throw new TypeError('Not a certificate')
  const [, serial, , issuer, , subject, spki] = children(tbs)
  if (!serial || !issuer || !subject || !spki) throw new TypeError('Not a certificate')
  return {
    serial: Buffer.from(contents(serial)),
    issuer: Buffer.from(encoded(issuer)),
    subject: Buffer.from(encoded(subject)),
    spki: Buffer.from(encoded(spki)),
  }
}
