import type { System } from '../identity/index.js'
import { Certificate, DerError } from '../signatures/index.js'
import { organizationErrors } from './errors.js'
import { keyDigest } from './tls-certificate.js'
import { TlsKeyStore } from './tls-key-store.js'

/**
 * Tells which information system a client certificate of a TLS connection belongs to, by its public key alone
 * (specification, "Mutual TLS"). To be asked for each request: a certificate that is disabled is refused from then on.
 */
export class IdentifySystem {
  static readonly inject = [TlsKeyStore] as const

  constructor(private readonly keys: TlsKeyStore) {}

  /** Rejects with `tlsCertificateNotListed` or `tlsCertificateDisabled`. */
  async execute(certificateDer: Uint8Array): Promise<System> {
    const certificate = parse(certificateDer)
    const listed = await this.keys.find(keyDigest(certificate))
    if (listed === undefined) throw organizationErrors.error('tlsCertificateNotListed')
    if (listed.disabled) throw organizationErrors.error('tlsCertificateDisabled')
    return {
      kind: 'system',
      bin: listed.bin,
      certificateIndex: listed.position,
      certificate: Buffer.from(certificateDer).toString('base64'),
      certificateDigest: certificate.fingerprint,
    }
  }
}

function parse(der: Uint8Array): Certificate {
  try {
    return Certificate.parse(der)
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    throw organizationErrors.error('tlsCertificateNotListed', { reason: 'notParsed' }, error)
  }
}
