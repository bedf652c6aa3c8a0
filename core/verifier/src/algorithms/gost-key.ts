import { fieldsOf, OCTET_STRING } from '../der/fields.js'
import { readOid } from '../der/oid.js'
import { contents, DerError, readDer } from '../der/reader.js'
import {
  type GostCurve,
  GostKeyError,
  type GostPoint,
  gostCurves,
  parseGostPublicKey,
  verifyGost3410,
} from './gost/index.js'
import type { KeyParts, PublicKey } from './key.js'

interface GostKind {
  readonly kind: 'gost2015' | 'gost2004'
  readonly curve: GostCurve
  /** OID of the curve in the key's parameters. */
  readonly curveOid: string
  /** OID of the digest, or of its parameters, in the key's parameters. */
  readonly digestOid: string
}

/** National key algorithms (domain of 1.2.398.3.10.1.1) by OID. */
const KINDS: ReadonlyMap<string, GostKind> = new Map([
  [
    '1.2.398.3.10.1.1.2.2',
    {
      kind: 'gost2015',
      curve: gostCurves.tc26Gost512A,
      curveOid: '1.2.398.3.10.1.1.2.2.1',
      digestOid: '1.2.398.3.10.1.3.3',
    },
  ],
  [
    '1.2.398.3.10.1.1.2.1',
    {
      kind: 'gost2015',
      curve: gostCurves.tc26Gost256A,
      curveOid: '1.2.398.3.10.1.1.2.1.1',
      digestOid: '1.2.398.3.10.1.3.2',
    },
  ],
  [
    '1.2.398.3.10.1.1.1.1',
    {
      kind: 'gost2004',
      curve: gostCurves.cryptoProA,
      curveOid: '1.2.398.3.10.1.1.1.1.1',
      digestOid: '1.2.398.3.10.1.3.1.1.0',
    },
  ],
])

export const isGostAlgorithm = (oid: string): boolean => KINDS.has(oid)

/** Imports a key of GOST 34.10-2015 or GOST 34.310-2004: BIT STRING of OCTET STRING of x‖y, little-endian. Throws DerError. */
export function gostKey({ spki, algorithm, bits }: KeyParts): PublicKey {
  const known = KINDS.get(algorithm.oid)
  if (known === undefined) throw new DerError('algorithm of the key is not known')
  const { kind, curve, curveOid, digestOid } = known
  if (algorithm.parameters === undefined) throw new DerError('curve is not named')
  const parameters = fieldsOf(readDer(algorithm.parameters))
  if (readOid(parameters.any()) !== curveOid) throw new DerError('curve is not supported')
  if (!parameters.done && readOid(parameters.any()) !== digestOid)
    throw new DerError('digest of the key is not supported')
  parameters.finish()
  const octets = readDer(bits)
  if (octets.tag !== OCTET_STRING) throw new DerError('key is not an OCTET STRING')
  const point = readPoint(curve, contents(octets))
  return {
    kind,
    bits: 8 * curve.length,
    spki,
    algorithm,
    curve: { oid: curveOid, name: curve.name },
    verify: ({ family, digest }, data, signature) =>
      family === kind &&
      digest.length === curve.length &&
      verifyGost3410(curve, point, digest.create().update(data).digest(), signature),
  }
}

function readPoint(curve: GostCurve, octets: Uint8Array): GostPoint {
  try {
    return parseGostPublicKey(curve, octets)
  } catch (error) {
    if (error instanceof GostKeyError) throw new DerError(error.message, { cause: error })
    throw error
  }
}
