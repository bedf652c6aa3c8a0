import { type Clock, systemClock } from '@signed-registry/core'
import { folderCredentials } from './credential-store.js'
import { generateKey } from './keys.js'
import { pem } from './pem.js'
import { signCertificate } from './x509/certificate.js'
import { basicConstraints, extendedKeyUsage, serverNames, subjectKeyIdentifier } from './x509/extensions.js'
import { name } from './x509/name.js'

const DAY = 24 * 60 * 60 * 1000
const LIFE = 10 * 365 * DAY
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1'
const LOOPBACK = [Buffer.from([127, 0, 0, 1]), Buffer.concat([Buffer.alloc(15), Buffer.from([1])])]

/** Certificate and key of a TLS server, PEM. */
export interface LocalCertificate {
  readonly cert: string
  readonly key: string
}

/** A self-signed certificate for `localhost`, kept in `<folder>/localhost.pem`: made once, for ten years. */
export function localCertificate(folder: string, clock: Clock = systemClock): LocalCertificate {
  const { certificate, key } = folderCredentials(folder).take('localhost', () => {
    const made = generateKey('p256')
    const subject = name(['CN', 'localhost'])
    const extensions = [
      basicConstraints(false),
      extendedKeyUsage([SERVER_AUTHENTICATION]),
      serverNames(['localhost'], LOOPBACK),
      subjectKeyIdentifier(made.spki),
    ]
    const now = clock.now()
    const parts = { subject, issuer: subject, spki: made.spki, notBefore: now - DAY, notAfter: now + LIFE, extensions }
    return { key: made, certificate: signCertificate(parts, made) }
  })
  return { cert: pem('CERTIFICATE', certificate), key: key.toPem() }
}
