import { Certificate, Crl, RegistryError, readTrust, type Trust } from '@signed-registry/verifier'
import { fromBase64 } from '../bytes.js'
import type { NamedAnchor, RegistryTrust, Trusted } from './question.js'

const NOBODY: Trust = { anchors: [], intermediates: [] }

/** Whom the visitor or the registry trusts: nobody, unless certificates are given. Throws `trustNotRead`. */
export function trustedBy(trust: Trusted): Trust {
  if ('anchors' in trust) return trustOf(trust)
  if (trust.length === 0) return NOBODY
  return readTrust(trust.map(({ name, certificate }) => ({ name, bytes: bytesOf(name, certificate) })))
}

/** As the registry has it: a certificate that is signed by itself is no anchor where the registry does not say so. */
function trustOf({ anchors, intermediates, responders, crls }: RegistryTrust): Trust {
  const certificates = (all: readonly string[]) => all.map((one) => Certificate.parse(fromBase64(one)))
  return {
    anchors: certificates(anchors),
    intermediates: certificates(intermediates),
    ...(responders.length > 0 && { responders: certificates(responders) }),
    crls: crls.map((one) => Crl.parse(fromBase64(one))),
  }
}

function bytesOf(name: NamedAnchor['name'], certificate: string): Uint8Array {
  if (certificate.includes('-----BEGIN ')) return new TextEncoder().encode(certificate)
  try {
    return fromBase64(certificate)
  } catch (cause) {
    const text = { kind: 'invalid', message: `${name} is not a certificate` } as const
    throw new RegistryError('trustNotRead', text, { details: { reason: 'neitherDerNorPem', file: name }, cause })
  }
}
