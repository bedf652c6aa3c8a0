import { signatureScheme } from '../algorithms/signature-scheme.js'
import { type ErrorDetails, RegistryError } from '../error.js'
import { Certificate } from '../x509/certificate.js'
import { Crl } from '../x509/crl.js'
import type { Trust } from './trust.js'

/** Certificates and CRLs, DER or PEM, with a name for error messages. */
export interface TrustFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** One DER structure out of such a file. */
export interface TrustEntry {
  readonly name: string
  readonly der: Uint8Array
}

/**
 * Reads trust from DER or PEM: self-signed certificates are trust anchors, others intermediates for path building. `responders`
 * are OCSP responders trusted for all certificates. Throws `trustNotRead` with a message that names the file, and if there is
 * no anchor.
 */
export function readTrust(
  files: readonly (TrustFile | Uint8Array)[],
  { responders = [] }: { readonly responders?: readonly (TrustFile | Uint8Array)[] } = {},
): Trust {
  const anchors: Certificate[] = []
  const intermediates: Certificate[] = []
  const crls: Crl[] = []
  for (const entry of files.map(named).flatMap(trustEntries)) {
    const read = readEntry(entry)
    if (read instanceof Crl) crls.push(read)
    else if (isSelfSigned(read, entry.name)) anchors.push(read)
    else intermediates.push(read)
  }
  if (anchors.length === 0) throw notRead('no self-signed certificate among the trust anchors', { reason: 'noAnchor' })
  const trusted = responders.map(named).flatMap(trustEntries).map(readResponder)
  return { anchors, intermediates, crls, ...(trusted.length > 0 && { responders: trusted }) }
}

function readResponder({ name, der }: TrustEntry): Certificate {
  try {
    return Certificate.parse(der)
  } catch (cause) {
    throw notRead(`${name} holds something else than a certificate`, { reason: 'structure', file: name }, cause)
  }
}

const named = (file: TrustFile | Uint8Array, index: number): TrustFile =>
  file instanceof Uint8Array ? { name: `trust anchor ${index}`, bytes: file } : file

/** The structures in a file: one in DER, or all PEM blocks, which must be certificates and CRLs. */
export function trustEntries({ name, bytes }: TrustFile): TrustEntry[] {
  if (bytes[0] === 0x30) return [{ name, der: bytes }]
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const entries: TrustEntry[] = []
  for (let from = text.indexOf(BEGIN); from >= 0; from = text.indexOf(BEGIN, from + 1)) {
    entries.push({ name, der: pemBlock(name, text, from + BEGIN.length) })
  }
  if (entries.length === 0) throw notRead(`${name} is neither DER nor PEM`, { reason: 'neitherDerNorPem', file: name })
  return entries
}

const BEGIN = '-----BEGIN '
const LABELS = new Set(['CERTIFICATE', 'X509 CRL'])

function pemBlock(name: string, text: string, start: number): Uint8Array {
  const label = text.slice(start, text.indexOf('-----', start))
  if (!LABELS.has(label))
    throw notRead(`${name} holds something else than certificates and CRLs`, { reason: 'pemLabel', file: name })
  const body = start + label.length + 5
  const end = text.indexOf(`-----END ${label}-----`, body)
  const base64 = text.slice(body, end < 0 ? body : end).replace(/\s/g, '')
  if (base64.length === 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    throw notRead(`${name} holds a broken PEM block`, { reason: 'pem', file: name })
  return Buffer.from(base64, 'base64')
}

function readEntry({ name, der }: TrustEntry): Certificate | Crl {
  try {
    return Certificate.parse(der)
  } catch (notCertificate) {
    try {
      return Crl.parse(der)
    } catch {
      throw notRead(
        `${name} holds something else than a certificate or a CRL`,
        { reason: 'structure', file: name },
        notCertificate,
      )
    }
  }
}

/** Accepts weak algorithms: an anchor is trusted because the operator says so. */
function isSelfSigned(certificate: Certificate, name: string): boolean {
  if (!certificate.isSelfIssued) return false
  try {
    const key = certificate.publicKey
    return key.verify(signatureScheme(certificate.signatureAlgorithm, key), certificate.tbs, certificate.signature)
  } catch (cause) {
    throw notRead(
      `${name} holds a certificate of an algorithm that is not supported`,
      { reason: 'algorithm', file: name },
      cause,
    )
  }
}

/** For operators: no request can cause it. */
const notRead = (message: string, details: ErrorDetails, cause?: unknown) =>
  new RegistryError('trustNotRead', { kind: 'invalid', message }, { details, cause })
