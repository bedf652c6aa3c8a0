import { DerError } from '../der/reader.js'
import { signatureErrors } from '../errors.js'
import { type AlgorithmIdentifier, isAbsentOrNull } from './algorithm-identifier.js'
import { digestAlgorithm } from './digest.js'
import type { PublicKey, SignatureScheme } from './key.js'
import { readPssParameters } from './pss-parameters.js'
import {
  gostAlgorithmsByKey,
  pkcs1AlgorithmOf,
  type SchemeFamily,
  signatureAlgorithms,
} from './signature-algorithms.js'

const RSA_ENCRYPTION = '1.2.840.113549.1.1.1'
const RSASSA_PSS = '1.2.840.113549.1.1.10'

/**
 * Resolves an AlgorithmIdentifier for a key. CMS passes the digest algorithm of its SignerInfo as `digestOid`: it completes
 * `rsaEncryption` and the GOST key algorithms, and must agree with any other algorithm.
 * Throws `signatureAlgorithmNotSupported` or `digestAlgorithmNotSupported`.
 */
export function signatureScheme(algorithm: AlgorithmIdentifier, key: PublicKey, digestOid?: string): SignatureScheme {
  const scheme = readScheme(algorithm, key, digestOid)
  if (digestOid !== undefined && scheme.digest.oid !== digestOid)
    throw unsupported(algorithm.oid, 'digestContradicts', { digest: digestOid })
  requireFit(scheme, key)
  return scheme
}

function readScheme(
  { oid, parameters }: AlgorithmIdentifier,
  key: PublicKey,
  digestOid: string | undefined,
): SignatureScheme {
  if (oid === RSASSA_PSS) return readPssScheme(parameters)
  if (oid === RSA_ENCRYPTION && digestOid !== undefined) {
    if (!isAbsentOrNull(parameters)) throw unsupported(oid, 'parameters')
    const digest = digestAlgorithm(digestOid)
    return { oid: pkcs1AlgorithmOf(digestOid) ?? oid, family: 'pkcs1', digest }
  }
  const byKey = digestOid === undefined ? undefined : gostAlgorithmsByKey.get(oid)
  if (byKey !== undefined) return readGostKeyScheme(byKey, { oid, parameters }, key)
  const known = signatureAlgorithms.get(oid)
  if (known === undefined) throw unsupported(oid, 'unknown')
  const fine = known.nullAllowed ? isAbsentOrNull(parameters) : parameters === undefined
  if (!fine) throw unsupported(oid, 'parameters')
  return { oid, family: known.family, digest: digestAlgorithm(known.digest) }
}

/** KalkanCrypt writes the key algorithm in place of the signature algorithm; its parameters are absent, NULL or the key's. */
function readGostKeyScheme(
  signatureOid: string,
  { oid, parameters }: AlgorithmIdentifier,
  key: PublicKey,
): SignatureScheme {
  const { algorithm } = key
  const areOfKey = algorithm.oid === oid && Buffer.compare(parameters ?? EMPTY, algorithm.parameters ?? EMPTY) === 0
  if (!isAbsentOrNull(parameters) && !areOfKey) throw unsupported(oid, 'parameters')
  return readScheme({ oid: signatureOid, parameters: undefined }, key, undefined)
}

const EMPTY = new Uint8Array()

function readPssScheme(parameters: Uint8Array | undefined): SignatureScheme {
  if (parameters === undefined) throw unsupported(RSASSA_PSS, 'parameters')
  try {
    const pss = readPssParameters(parameters)
    return { oid: RSASSA_PSS, family: 'pss', digest: pss.digest, pss }
  } catch (error) {
    if (error instanceof DerError) throw unsupported(RSASSA_PSS, 'parameters', {}, error)
    throw error
  }
}

/** Throws `signatureAlgorithmNotSupported` if the key is of another kind or restricted to other parameters (RFC 4055, 3.3). */
export function requireFit(scheme: SignatureScheme, key: PublicKey): void {
  const kinds = KINDS[scheme.family]
  if (!kinds.includes(key.kind)) throw unsupported(scheme.oid, 'keyOfAnotherKind', { key: key.kind })
  if (scheme.family.startsWith('gost') && 8 * scheme.digest.length !== key.bits)
    throw unsupported(scheme.oid, 'keyOfAnotherKind', { key: key.kind, bits: key.bits })
  const bound = key.pss
  if (bound === undefined) return
  const pss = scheme.pss
  const within =
    pss !== undefined &&
    pss.digest === bound.digest &&
    pss.mgfDigest === bound.mgfDigest &&
    pss.saltLength >= bound.saltLength
  if (!within) throw unsupported(scheme.oid, 'keyRestricted')
}

const KINDS: Record<SchemeFamily, readonly PublicKey['kind'][]> = {
  pkcs1: ['rsa'],
  pss: ['rsa', 'rsa-pss'],
  ecdsa: ['ecdsa'],
  ed25519: ['ed25519'],
  ed448: ['ed448'],
  dsa: ['dsa'],
  gost2015: ['gost2015'],
  gost2004: ['gost2004'],
}

const unsupported = (oid: string, reason: string, facts: object = {}, cause?: unknown) =>
  signatureErrors.error('signatureAlgorithmNotSupported', { reason, oid, ...facts }, cause)
