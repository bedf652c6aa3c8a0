import { bytes, integer, json, optional, type Stored, table, text } from '../database/table.js'
import type { Dependence } from './dependence.js'

/** Signatures whose data objects are renewed together: one time stamp covers all of them. */
export const batchesTable = table('registry_renewal_batches', {
  batch: integer('batch'),
  members: integer('members'),
  lastSignId: integer('last_sign_id'),
  /** From when on nothing is added; `undefined` of the one that grows. */
  sealedAt: optional(integer('sealed_at')),
  /** What its signatures depend on until they are under a time stamp of their batch. */
  dependsOn: json<readonly Dependence[]>('depends_on'),
  /** When its records began anew last, since what was stamped before proves nothing any more, and why. */
  lostAt: optional(integer('lost_at')),
  lostFor: optional(text('lost_for')),
})
export type Batch = Stored<typeof batchesTable>

/** What a data object has that is not in the row of its signature. */
export interface ObjectRest {
  /** Hexadecimal, by OID. */
  readonly digests: Readonly<Record<string, string>>
  /** Certificates of the authorities above the time stamp: SHA-256 of each, hexadecimal. */
  readonly authorities: readonly string[]
  /** C2SP tlog-proof. */
  readonly proof?: string
  /** The checkpoint in the proof. */
  readonly checkpoint?: { readonly log: number; readonly size: number }
}

export const membersTable = table('registry_renewal_members', {
  signId: integer('sign_id'),
  batch: integer('batch'),
  place: integer('place'),
  rest: json<ObjectRest>('rest'),
})
export type Member = Stored<typeof membersTable>

/** A tree over the data objects of a batch, by one digest. */
export const chainsTable = table('registry_renewal_chains', {
  batch: integer('batch'),
  chain: integer('chain'),
  /** The tree that its record begins with: itself where a record begins anew. */
  firstChain: integer('first_chain'),
  digestOid: text('digest_oid'),
  /** How many members are in the tree yet. */
  hashed: integer('hashed'),
  /** `undefined` until all are. */
  root: optional(bytes('root')),
})
export type Chain = Stored<typeof chainsTable>

export const hashesTable = table('registry_renewal_hashes', {
  batch: integer('batch'),
  chain: integer('chain'),
  level: integer('level'),
  index: integer('idx'),
  hashes: bytes('hashes'),
})

/** A time stamp over the root of a tree, or over the time stamps of its chain before. */
export const stampsTable = table('registry_renewal_stamps', {
  batch: integer('batch'),
  chain: integer('chain'),
  stamp: integer('stamp'),
  token: bytes('token'),
  genTime: integer('gen_time'),
  authority: json<StampAuthority>('authority'),
})
export type Stamp = Stored<typeof stampsTable>

/** Who made a time stamp, and until when its certificate and those above are valid, milliseconds. */
export interface StampAuthority {
  readonly name: string
  readonly until: number
}

/** Signatures whose proofs end at the same time. */
export interface ProofsThatEnd {
  /** The authority whose time stamp is the newest over them. */
  readonly authority: string
  /** Their own time stamps, or those of evidence records. */
  readonly by: 'timeStamp' | 'evidenceRecord'
  /** When its certificates, or an algorithm, end without a further renewal, milliseconds; 0 where the proof holds no more. */
  readonly endsAt: number
  /** What ends then, or why the proof does not hold. */
  readonly because: string
  readonly signatures: number
}

/** What a run has found out. */
export interface RenewalFigures {
  readonly proofs: readonly ProofsThatEnd[]
  /** Signatures in batches, and those under a time stamp of theirs. */
  readonly gathered: number
  readonly renewed: number
  readonly batches: number
}

/** Why nothing was renewed that should have been. */
export interface RenewalProblem {
  readonly reason: 'authority' | 'endsSooner' | 'time' | 'record' | 'digest'
  readonly text: string
}

/** What the operator was told of last. */
export interface ToldOf {
  /** Some proofs had ended. */
  readonly hasEnded: boolean
  /** When the last records began anew that they were told of, milliseconds; 0 for none. */
  readonly restartedAt: number
}

export const stateTable = table('registry_renewal_state', {
  id: integer('id'),
  requestedAt: optional(integer('requested_at')),
  doneAt: optional(integer('done_at')),
  problem: optional(json<RenewalProblem>('problem')),
  problemSince: optional(integer('problem_since')),
  figures: optional(json<RenewalFigures>('figures')),
  /** When the operator was told of a problem last; `undefined` after it is over. */
  toldAt: optional(integer('told_at')),
  toldOf: optional(json<ToldOf>('told_of')),
})
export type RenewalStateRow = Stored<typeof stateTable>

/** Signatures that nothing proves to others any more. */
export const lostTable = table('registry_renewal_lost', {
  signId: integer('sign_id'),
  documentId: text('document_id'),
  /** What has ended, or why their proof does not hold. */
  because: text('because'),
  /** When a run has found it first, milliseconds. */
  foundAt: integer('found_at'),
})
export type LostProof = Stored<typeof lostTable>
