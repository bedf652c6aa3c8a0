import { concatBytes } from '@noble/curves/utils.js'
import { dsaKey } from './dsa.js'
import { ecdsaKey } from './ecdsa.js'
import { edwardsKey } from './edwards.js'
import type { VerificationKey } from './key.js'
import { rsaKey } from './rsa.js'
import { hex, readSpki } from './spki.js'

/** The forms of a key that the verifier imports. */
export type KeyInput =
  | { readonly format: 'jwk'; readonly key: Jwk }
  | { readonly format: 'der'; readonly type: 'spki'; readonly key: Uint8Array }

type Jwk =
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string }
  | { readonly kty: 'EC'; readonly crv: string; readonly x: string; readonly y: string }
  | { readonly kty: 'OKP'; readonly crv: string; readonly x: string }

/** Names in OpenSSL of the curves that JSON Web Keys have (RFC 7518, 6.2.1.1). */
const JWK_CURVES: Readonly<Record<string, string>> = {
  'P-256': 'prime256v1',
  'P-384': 'secp384r1',
  'P-521': 'secp521r1',
}
const UNCOMPRESSED = Uint8Array.of(4)

const EC_PUBLIC_KEY = '2a8648ce3d0201'
const DSA = '2a8648ce380401'
const ED25519 = '2b6570'
/** Curves of Brainpool by the content of their OIDs (RFC 5639, 4.1). */
const SPKI_CURVES: Readonly<Record<string, string>> = {
  '2b2403030208010107': 'brainpoolP256r1',
  '2b2403030208010108': 'brainpoolP256t1',
  '2b240303020801010b': 'brainpoolP384r1',
  '2b240303020801010c': 'brainpoolP384t1',
  '2b240303020801010d': 'brainpoolP512r1',
  '2b240303020801010e': 'brainpoolP512t1',
}

/** `createPublicKey` of `node:crypto`; throws where the key cannot be used. */
export function createPublicKey(input: KeyInput): VerificationKey {
  return input.format === 'jwk' ? ofJwk(input.key) : ofSpki(input.key)
}

function ofJwk(key: Jwk): VerificationKey {
  if (key.kty === 'RSA') return rsaKey(octetsOf(key.n), octetsOf(key.e))
  if (key.kty === 'OKP') return edwardsKey(key.crv, octetsOf(key.x))
  const point = concatBytes(UNCOMPRESSED, octetsOf(key.x), octetsOf(key.y))
  return ecdsaKey(JWK_CURVES[key.crv] ?? key.crv, point)
}

function ofSpki(der: Uint8Array): VerificationKey {
  const spki = readSpki(der)
  const { algorithm, parameters, key } = spki
  if (algorithm === DSA) return dsaKey(spki)
  if (algorithm === ED25519) return edwardsKey('Ed25519', key)
  const curve = SPKI_CURVES[hex(parameters?.content ?? key.subarray(0, 0))]
  if (algorithm !== EC_PUBLIC_KEY || curve === undefined) throw new TypeError('public key is not supported')
  return ecdsaKey(curve, key)
}

/** The octets of base64url. */
function octetsOf(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (sign) => sign.charCodeAt(0))
}
