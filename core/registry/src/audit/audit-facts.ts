import type { LoggedFact } from '../log/index.js'
import type { Author } from './author.js'

/** A change of settings that loosened access, as it is logged. */
export interface LoggedChange extends Author {
  readonly eventId: number
  readonly ownerKind: string
  /** IIN, BIN or identifier of the owner. */
  readonly ownerId: string
  /** Milliseconds. */
  readonly modifiedAt: number
  /** `stateHash` of the settings. */
  readonly before: string
  readonly after: string
}

/** A change of settings, for the log. */
export const settingsFact = (change: LoggedChange): LoggedFact => ({
  kind: 'settings',
  ref: `${change.eventId}`,
  fields: [
    ['ownerKind', change.ownerKind],
    ['ownerId', change.ownerId],
    ['eventId', `${change.eventId}`],
    ['modifiedAt', new Date(change.modifiedAt).toISOString()],
    ['modifiedBy', change.modifiedBy],
    ['modifiedByBusinessId', change.modifiedByBusinessId],
    ['modifiedByDigest', change.modifiedByDigest],
    ['administrator', change.administrator],
    ['before', change.before],
    ['after', change.after],
  ],
})

/** A link of the chain of audit events. */
export interface Seal {
  readonly lastEventId: number
  /** Lower-case hexadecimal. */
  readonly hash: string
  /** Milliseconds. */
  readonly sealedAt: number
}

/** A seal of audit events, for the log. */
export const sealFact = ({ lastEventId, hash, sealedAt }: Seal): LoggedFact => ({
  kind: 'seal',
  ref: `${lastEventId}`,
  fields: [
    ['lastEventId', `${lastEventId}`],
    ['hash', hash],
    ['sealedAt', new Date(sealedAt).toISOString()],
  ],
})
