import type { NamedCurve } from './key.js'

/** A curve of ECDSA. */
export interface Curve extends NamedCurve {
  /** Name for `node:crypto`. */
  readonly openssl: string
  readonly bits: number
  /** Octets of a coordinate, and of r and s. */
  readonly octets: number
  /** Whether JSON Web Keys (RFC 7518, 6.2) have it. */
  readonly inJwk: boolean
}

const nist = (oid: string, name: string, openssl: string, bits: number): Curve => ({
  oid,
  name,
  openssl,
  bits,
  octets: Math.ceil(bits / 8),
  inJwk: true,
})

const BRAINPOOL = '1.3.36.3.3.2.8.1.1'
const brainpool = (arc: number, bits: number, kind: 'r1' | 't1'): Curve => {
  const name = `brainpoolP${bits}${kind}`
  return { oid: `${BRAINPOOL}.${arc}`, name, openssl: name, bits, octets: bits / 8, inJwk: false }
}

const CURVES: readonly Curve[] = [
  nist('1.2.840.10045.3.1.7', 'P-256', 'prime256v1', 256),
  nist('1.3.132.0.34', 'P-384', 'secp384r1', 384),
  nist('1.3.132.0.35', 'P-521', 'secp521r1', 521),
  brainpool(7, 256, 'r1'),
  brainpool(8, 256, 't1'),
  brainpool(11, 384, 'r1'),
  brainpool(12, 384, 't1'),
  brainpool(13, 512, 'r1'),
  brainpool(14, 512, 't1'),
]

/** Curves of ECDSA by OID: those of NIST (RFC 5480, 2.1.1.1) and of Brainpool, random and twisted (RFC 5639, 4). */
export const curves: ReadonlyMap<string, Curve> = new Map(CURVES.map((curve) => [curve.oid, curve]))
