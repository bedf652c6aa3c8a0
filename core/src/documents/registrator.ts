import type { Caller } from '../identity/index.js'
import type { RegistratorObject } from './schema.js'

/** The information system that registered an object. */
export interface Registrator {
  readonly bin: string
  /** Its mutual-TLS certificate (DER). */
  readonly certificate: Uint8Array
}

/** Columns that keep a registrator. */
export interface RegistratorRow {
  readonly registrator_bin: string | null
  readonly registrator_certificate: Uint8Array | null
}

/** The registrator of what a caller registers: an information system, and nobody else. */
export const registratorOf = (caller: Caller): Registrator | undefined =>
  caller.kind === 'system' ? { bin: caller.bin, certificate: Buffer.from(caller.certificate, 'base64') } : undefined

export const registratorToRow = (registrator: Registrator | undefined): RegistratorRow => ({
  registrator_bin: registrator?.bin ?? null,
  registrator_certificate: registrator?.certificate ?? null,
})

export const readRegistrator = (row: RegistratorRow): Registrator | undefined =>
  row.registrator_bin === null || row.registrator_certificate === null
    ? undefined
    : { bin: row.registrator_bin, certificate: row.registrator_certificate }

/** The information system that registered an object, as answers show it. */
export const registratorObject = ({ bin, certificate }: Registrator): RegistratorObject => ({
  businessId: bin,
  certificate: Buffer.from(certificate).toString('base64'),
})
