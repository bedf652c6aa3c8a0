import { hash } from 'node:crypto'
import { type AlgorithmIdentifier, readAlgorithmIdentifier, sameAlgorithm } from '../algorithms/algorithm-identifier.js'
import type { PublicKey } from '../algorithms/key.js'
import { ownPublicKey } from '../algorithms/public-key.js'
import { readBitString, readBitStringBytes } from '../der/bit-string.js'
import { BIT_STRING, context, contextConstructed, fieldsOf, INTEGER, SEQUENCE } from '../der/fields.js'
import { integerBytes, integerHex, readSmallInteger } from '../der/integer.js'
import { type DerElement, DerError, encoded, overLimit, readDer } from '../der/reader.js'
import { readTime } from '../der/time.js'
import { Recent } from '../recent.js'
import { noExtensions, readExtensionTable } from './extension-table.js'
import { Extensions } from './extensions.js'
import { Name } from './name.js'
import { readSigned } from './signed.js'

const MAX_CERTIFICATE_OCTETS = 1 << 18
const MAX_SERIAL_OCTETS = 64
const MAX_REMEMBERED = 1000

/** An X.509 certificate (RFC 5280 section 4.1). Nothing in it is trusted. */
export class Certificate {
  readonly der: Uint8Array
  /** TBSCertificate, DER. */
  readonly tbs: Uint8Array
  readonly version: 1 | 2 | 3
  /** Content octets of the serial number. */
  readonly serialBytes: Uint8Array
  readonly issuer: Name
  readonly subject: Name
  /** Milliseconds since the epoch. */
  readonly notBefore: number
  /** Milliseconds since the epoch, inclusive. */
  readonly notAfter: number
  /** SubjectPublicKeyInfo as encoded. */
  readonly spki: Uint8Array
  /** Bits of the subjectPublicKey, which key identifiers and OCSP hash. */
  readonly publicKeyBits: Uint8Array
  readonly signatureAlgorithm: AlgorithmIdentifier
  readonly signature: Uint8Array
  readonly extensions: Extensions
  private digest: string | undefined
  private key: PublicKey | undefined

  private constructor(element: DerElement) {
    const { der, tbs, signed, signatureAlgorithm, signature } = readSigned(element)
    this.signatureAlgorithm = signatureAlgorithm
    this.signature = signature
    this.der = der
    this.tbs = tbs

    const fields = fieldsOf(signed)
    this.version = readVersion(fields.explicit(contextConstructed(0)))
    this.serialBytes = integerBytes(fields.take(INTEGER))
    if (this.serialBytes.length > MAX_SERIAL_OCTETS) throw overLimit('serial number is too long')
    if (!sameAlgorithm(readAlgorithmIdentifier(fields.take(SEQUENCE)), this.signatureAlgorithm))
      throw new DerError('signature algorithms differ')
    this.issuer = Name.readKnown(fields.take(SEQUENCE))
    const validity = fieldsOf(fields.take(SEQUENCE))
    this.notBefore = readTime(validity.any())
    this.notAfter = readTime(validity.any())
    validity.finish()
    this.subject = Name.read(fields.take(SEQUENCE))
    const key = fields.take(SEQUENCE)
    this.spki = encoded(key)
    this.publicKeyBits = readPublicKeyBits(key)
    for (const unique of [context(1), context(2)]) {
      const identifier = fields.takeIf(unique)
      if (identifier === undefined) continue
      if (this.version === 1) throw new DerError('unique identifier in a version 1 certificate')
      readBitString(identifier, unique)
    }
    const extensions = fields.explicit(contextConstructed(3))
    fields.finish()
    if (extensions !== undefined && this.version !== 3) throw new DerError('extensions need version 3')
    this.extensions = new Extensions(extensions === undefined ? noExtensions : readExtensionTable(extensions))
  }

  /** Reads one certificate, at most 256 KiB; throws DerError. */
  static parse(der: Uint8Array): Certificate {
    return Certificate.read(readDer(der))
  }

  /** Reads a certificate inside another structure, cached: equal bytes give the same object. Throws DerError. */
  static read(element: DerElement): Certificate {
    if (element.end - element.start > MAX_CERTIFICATE_OCTETS) throw overLimit('certificate is too large')
    return recent.of(encoded(element), (der) => new Certificate(readDer(der)))
  }

  /** Lower-case hexadecimal without separators. */
  get serialNumber(): string {
    return integerHex(this.serialBytes)
  }

  /** The subject's key, parsed on first use; throws `signatureAlgorithmNotSupported`. */
  get publicKey(): PublicKey {
    this.key ??= ownPublicKey(this.spki)
    return this.key
  }

  /** SHA-256 of the encoding, in lower-case hexadecimal. */
  get fingerprint(): string {
    this.digest ??= hash('sha256', this.der)
    return this.digest
  }

  /** True when subject and issuer are the same name. */
  get isSelfIssued(): boolean {
    return this.subject.equals(this.issuer)
  }
}

function readVersion(element: DerElement | undefined): 1 | 2 | 3 {
  if (element === undefined) return 1
  const version = readSmallInteger(element)
  if (version === 1) return 2
  if (version === 2) return 3
  throw new DerError('certificate version is unknown')
}

function readPublicKeyBits(spki: DerElement): Uint8Array {
  const fields = fieldsOf(spki)
  fields.take(SEQUENCE)
  const bits = readBitStringBytes(fields.take(BIT_STRING))
  fields.finish()
  return bits
}

// CA certificates are in every signature, and signers sign repeatedly.
const recent = new Recent<Certificate>(MAX_REMEMBERED)
