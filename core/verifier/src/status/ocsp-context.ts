import type { CertificatePath } from '../path/path-context.js'
import type { Certificate } from '../x509/certificate.js'
import type { StatusContext } from './status-context.js'

/** What an OCSP answer is judged by. Times are milliseconds since the epoch. */
export interface OcspContext extends StatusContext {
  /** Whose status is asked. */
  readonly certificate: Certificate
  /** Its issuer, out of a path that has been judged. */
  readonly issuer: Certificate
  /** That path, where all of it is known: what is known against authorities above counts too. */
  readonly path?: CertificatePath | undefined
  /** The proven time that the certificate must have been good at. */
  readonly time: number
  /** The nonce that was sent: the answer must bear it. */
  readonly nonce?: Uint8Array | undefined
}
