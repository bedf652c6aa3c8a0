import type { Caller } from '../identity/index.js'
import type { RegistratorObject } from './schema.js'

/** The information system that registered an object. */
export interface Registrator {
  readonly bin: string
  /** Its mutual-TLS certificate (DER). */
  readonly certificate: Uint8Array
}

/** The registrator of what a caller registers: an information system, and nobody else. */
export const registratorOf = (caller: Caller): Registrator | undefined =>
  caller.kind === 'system' ? { bin: caller.bin, certificate: Buffer.from(caller.certificate, 'base64') } : undefined

/** The information system that registered an object, as answers show it. */
export const registratorObject = ({ bin, certificate }: Registrator): RegistratorObject => ({
  businessId: bin,
  certificate: Buffer.from(certificate).toString('base64'),
})
