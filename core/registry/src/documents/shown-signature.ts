import { integer, json, optional, type Row, table, text } from '../database/table.js'
import type { Signature, SignatureCoverage, SignatureFacts } from '../signatures/index.js'
import type { EmailNotifications } from './schema.js'

interface Stored {
  readonly signId: number
  readonly storedAt: number
  readonly facts: SignatureFacts
  readonly coverage: SignatureCoverage | undefined
}

/** A signature as in answers. */
export const signatureObject = ({ facts, storedAt, signId, coverage }: Stored): Signature => ({
  ...facts,
  storedAt,
  signId,
  ...(coverage && { coverage }),
})

/** A stored signature as JSON, built from stored text without parsing it. */
export interface WrittenSignature {
  readonly signId: number
  readonly userId: string
  readonly businessId: string | undefined
  /** JSON of the `Signature` in answers. */
  readonly json: string
  readonly emailNotifications: EmailNotifications | undefined
}

/** The rows of signatures, with facts as JSON text. */
const written = table('registry_signatures', {
  signId: integer('sign_id'),
  storedAt: integer('stored_at'),
  userId: text('user_id'),
  businessId: optional(text('business_id')),
  facts: text('facts'),
  coverage: optional(text('coverage')),
  emailNotifications: optional(json<EmailNotifications>('email_notifications')),
})

/** Its columns. */
export const WRITTEN = written.columns

/** Reads a row of these columns. */
export function writtenSignature(row: Row): WrittenSignature {
  const { signId, storedAt, facts, coverage, ...others } = written.read(row)
  const more = coverage === undefined ? '' : `,"coverage":${coverage}`
  return { ...others, signId, json: `${facts.slice(0, -1)},"storedAt":${storedAt},"signId":${signId}${more}}` }
}
