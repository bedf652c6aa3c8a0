import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { Certificate } from '#verifier/x509/certificate.js'
import { Crl } from '#verifier/x509/crl.js'
import { der, integerDer, nameDer, oidDer } from '../der.js'
import { NOW } from './authorities.js'
import { basicConstraints, extension, keyUsage } from './extensions.js'

const ECDSA_SHA256 = der(0x30, oidDer('1.2.840.10045.4.3.2'))
const RSA_SIGNATURES = {
  sha256: '1.2.840.113549.1.1.11',
  sha1: '1.2.840.113549.1.1.5',
  md5: '1.2.840.113549.1.1.4',
  /** Named by an identifier that nobody knows. */
  sha512: '1.3.6.1.4.1.55738.666.2',
}
const EDWARDS = new Map([
  ['ed25519', '1.3.101.112'],
  ['ed448', '1.3.101.113'],
])
const YEAR = 365 * 24 * 3_600_000

/** Encodes a Name of one CN, or nothing for an empty text. */
export const commonName = (text: string): Buffer => (text === '' ? nameDer() : nameDer([['2.5.4.3', text]]))

/** A certificate with its private key. */
export interface Entity {
  readonly certificate: Certificate
  readonly key: KeyObject
}

/** What of a certificate a test chooses; the rest is that of an honest end entity. */
export interface CertificateParts {
  /** CN, or a whole encoded Name. */
  readonly subject?: string | Buffer
  readonly issuer?: Buffer
  readonly serial?: bigint
  readonly from?: number
  readonly until?: number
  readonly version?: 1 | 3
  readonly extensions?: readonly Buffer[]
  /** Key pair of another entity, for cross-certificates. */
  readonly keyOf?: Entity
  /** A key of the test's own. */
  readonly key?: KeyObject
  /** What an RSA key signs the certificate with; SHA-256 unless told. */
  readonly hash?: keyof typeof RSA_SIGNATURES
  /** SubjectPublicKeyInfo that replaces that of the key. */
  readonly spki?: Buffer
}

let lastSerial = 1000n

/** Issues a certificate by a parent; self-signed without one. P-256 with SHA-256. */
export function issue(parent: Entity | undefined, parts: CertificateParts = {}): Entity {
  const key = parts.key ?? parts.keyOf?.key ?? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const spki = parts.spki ?? parts.keyOf?.certificate.spki ?? publicPart(key)
  const subject = nameOf(parts.subject ?? `entity ${lastSerial}`)
  const version = parts.version ?? 3
  const extensions = parts.extensions ?? []
  lastSerial += 1n
  const signer = parent?.key ?? key
  const tbs = der(
    0x30,
    ...(version === 3 ? [der(0xa0, integerDer(2))] : []),
    integerDer(parts.serial ?? lastSerial),
    algorithmOf(signer, parts.hash),
    parts.issuer ?? parent?.certificate.subject.der ?? subject,
    der(0x30, timeDer(parts.from ?? NOW - YEAR), timeDer(parts.until ?? NOW + YEAR)),
    subject,
    spki,
    ...(extensions.length === 0 ? [] : [der(0xa3, der(0x30, ...extensions))]),
  )
  return { certificate: Certificate.parse(signed(tbs, signer, parts.hash)), key }
}

/** Issues the certificate of an authority: critical basicConstraints, keyCertSign and cRLSign, then further extensions. */
export const issueAuthority = (
  parent: Entity | undefined,
  { pathLength, ...parts }: CertificateParts & { readonly pathLength?: number } = {},
): Entity =>
  issue(parent, {
    ...parts,
    extensions: [basicConstraints(true, pathLength), keyUsage('keyCertSign', 'cRLSign'), ...(parts.extensions ?? [])],
  })

/** An entry of a CRL: serial number, date, and extensions of its own. */
export interface Revocation {
  readonly serial: Uint8Array
  readonly at?: number
  readonly extensions?: readonly Buffer[]
}

/** What of a CRL a test chooses. */
export interface CrlParts {
  readonly issuer?: Buffer
  readonly revoked?: readonly Revocation[]
  readonly thisUpdate?: number
  readonly nextUpdate?: number | null
  readonly extensions?: readonly Buffer[]
}

/** Issues a CRL, complete unless an extension says otherwise. */
export function issueCrl(by: Entity, parts: CrlParts = {}): Crl {
  const { nextUpdate = NOW + YEAR, extensions = [], revoked = [] } = parts
  const entries = revoked.map((entry) =>
    der(
      0x30,
      der(0x02, entry.serial),
      timeDer(entry.at ?? NOW - 1000),
      ...(entry.extensions === undefined ? [] : [der(0x30, ...entry.extensions)]),
    ),
  )
  const tbs = der(
    0x30,
    integerDer(1),
    algorithmOf(by.key),
    parts.issuer ?? by.certificate.subject.der,
    timeDer(parts.thisUpdate ?? NOW - 1000),
    ...(nextUpdate === null ? [] : [timeDer(nextUpdate)]),
    ...(entries.length === 0 ? [] : [der(0x30, ...entries)]),
    ...(extensions.length === 0 ? [] : [der(0xa0, der(0x30, ...extensions))]),
  )
  return Crl.parse(signed(tbs, by.key))
}

/** Number of a CRL, and of the complete CRL that a delta CRL continues. */
export const crlNumber = (value: number): Buffer => extension('2.5.29.20', integerDer(value))
export const deltaCrl = (base: number): Buffer => extension('2.5.29.27', integerDer(base), true)

const publicPart = (key: KeyObject): Buffer => createPublicKey(key).export({ format: 'der', type: 'spki' })

const nameOf = (subject: string | Buffer): Buffer => (typeof subject === 'string' ? commonName(subject) : subject)

const edwardsOf = (key: KeyObject): string | undefined => EDWARDS.get(key.asymmetricKeyType ?? '')

function algorithmOf(key: KeyObject, hash: keyof typeof RSA_SIGNATURES = 'sha256'): Buffer {
  if (key.asymmetricKeyType === 'rsa') return der(0x30, oidDer(RSA_SIGNATURES[hash]), der(0x05))
  const edwards = edwardsOf(key)
  return edwards === undefined ? ECDSA_SHA256 : der(0x30, oidDer(edwards))
}

function signed(tbs: Buffer, key: KeyObject, hash: keyof typeof RSA_SIGNATURES = 'sha256'): Buffer {
  return der(
    0x30,
    tbs,
    algorithmOf(key, hash),
    der(0x03, Buffer.of(0), sign(edwardsOf(key) === undefined ? hash : null, tbs, key)),
  )
}

/** GeneralizedTime from 2050 on, UTCTime before. */
export function timeDer(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '')
  return new Date(ms).getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits))
}
