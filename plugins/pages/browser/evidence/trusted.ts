import { RegistryError, readTrust, type Trust } from '@signed-registry/verifier'
import { fromBase64 } from '../bytes.js'
import type { NamedAnchor } from './question.js'

const NOBODY: Trust = { anchors: [], intermediates: [] }

/** Whom the visitor trusts: nobody, unless certificates are given. Throws `trustNotRead`. */
export const trustedBy = (anchors: readonly NamedAnchor[]): Trust =>
  anchors.length === 0
    ? NOBODY
    : readTrust(anchors.map(({ name, certificate }) => ({ name, bytes: bytesOf(name, certificate) })))

function bytesOf(name: string, certificate: string): Uint8Array {
  if (certificate.includes('-----BEGIN ')) return new TextEncoder().encode(certificate)
  try {
    return fromBase64(certificate)
  } catch (cause) {
    const text = { kind: 'invalid', message: `${name} is not a certificate` } as const
    throw new RegistryError('trustNotRead', text, { details: { reason: 'neitherDerNorPem', file: name }, cause })
  }
}
