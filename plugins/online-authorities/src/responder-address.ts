import type { Certificate } from '@signed-registry/verifier'
import { isNotDer } from '@signed-registry/verifier'

const DEFAULT_PORTS = new Map([
  ['http:', '80'],
  ['https:', '443'],
])

/**
 * The first OCSP address in a certificate's authority information access that goes to an allowed host. The certificate
 * is untrusted data: no other address in it is contacted. An entry is `host` (default port) or `host:port`, compared exactly.
 */
export function allowedResponder(certificate: Certificate, allowedHosts: ReadonlySet<string>): string | undefined {
  return ocspAddresses(certificate).find((address) => isAllowed(address, allowedHosts))
}

function isAllowed(address: string, allowedHosts: ReadonlySet<string>): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, username, password, hostname, port } = new URL(address)
  const defaultPort = DEFAULT_PORTS.get(protocol)
  if (defaultPort === undefined || username !== '' || password !== '') return false
  return port === ''
    ? allowedHosts.has(hostname) || allowedHosts.has(`${hostname}:${defaultPort}`)
    : allowedHosts.has(`${hostname}:${port}`)
}

const ID_AD_OCSP = '1.3.6.1.5.5.7.48.1'

function ocspAddresses(certificate: Certificate): string[] {
  try {
    return (certificate.extensions.authorityInfoAccess ?? []).flatMap(({ method, location }) =>
      method === ID_AD_OCSP && location.type === 'uniformResourceIdentifier' ? location.value : [],
    )
  } catch (error) {
    // A malformed extension names no responder.
    if (isNotDer(error)) return []
    throw error
  }
}
