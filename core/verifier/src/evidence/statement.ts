import type { StatedCoverage } from './stated-coverage.js'

/** Media type of `evidence.json`, without its version. */
export const STATEMENT_TYPE = 'application/vnd.signed-registry.evidence+json'

/**
 * Version of `evidence.json` without evidence records: readers ignore what a later minor one adds, and take no other major one.
 * A bundle says the first version that has all its fields, so that it stays the same for as long as it says the same.
 */
export const STATEMENT_VERSION = '1.1'

/** Version of `evidence.json` with evidence records. */
export const RECORDS_VERSION = '1.2'

/** Version of `evidence.json` with signatures that are over ranges of their document, or over a list that names it. */
export const COVERAGE_VERSION = '1.3'

/** What a registry says about documents in `evidence.json` (docs/evidence.md). Times are UTC with milliseconds. */
export interface EvidenceStatement {
  /** The media type, with the version. */
  readonly type: string
  readonly registry: {
    /** Address of the registry. */
    readonly origin: string
    readonly name: string
    /** The key that `evidence.json.sig` is by, as signed notes name it: a hint, never the reader's trust. */
    readonly statementKey: string
  }
  /** Rules that the registry verified by. */
  readonly rules: string
  /** When what the bundle says last changed. */
  readonly asOf: string
  /** The package that the documents are of. */
  readonly package?: PackageStatement | undefined
  readonly documents: readonly DocumentStatement[]
  /** What the registry trusted: hints. */
  readonly hints: {
    /** SHA-256 of the trust anchors in `certificates.pem`, hexadecimal. */
    readonly anchors: readonly string[]
    /** OIDs of the policies of the time stamps. */
    readonly timeStampPolicies: readonly string[]
    /** Verifier keys of the transparency logs that signed the checkpoints in the bundle. */
    readonly logKeys?: readonly string[] | undefined
  }
  /** Every other file, in the order in which they stand. */
  readonly files: readonly FileStatement[]
}

export interface PackageStatement {
  readonly packageId: string
  readonly title: string
  readonly description: string
  readonly storedAt: string
}

/** A document as it is registered. */
export interface DocumentStatement {
  readonly documentId: string
  readonly title: string
  readonly description: string
  /** Whether only some may see it. */
  readonly private: boolean
  readonly storedAt: string
  /** Octets of the original. */
  readonly size: number
  /** Hashes of the original by the OID of the algorithm, hexadecimal. */
  readonly digests: Readonly<Record<string, string>>
  /** Where the original stands, if it does: by itself, or in a container with the CMS signatures. */
  readonly original?: { readonly file: string; readonly container?: string | undefined } | undefined
  /** What the transparency log has of the hashes; absent where the registry keeps none. */
  readonly log?: LogStatement | undefined
  readonly signatures: readonly SignatureStatement[]
}

/** A signature as it is registered, by the files that it and its evidence are in. */
export interface SignatureStatement {
  readonly signId: number
  readonly signType: 'cms' | 'xml'
  readonly storedAt: string
  readonly signature: string
  readonly timeStamp: string
  /** What the time stamp is over. */
  readonly stamped: string
  readonly ocsp?: string | undefined
  readonly crls?: readonly string[] | undefined
  /** What of the document it is over; absent where that is all of it as it stands. */
  readonly coverage?: StatedCoverage | undefined
  /** What the transparency log has of the signature; absent where the registry keeps none. */
  readonly log?: LogStatement | undefined
  /** The evidence record about the signature; absent where its proof was not renewed. */
  readonly record?: RecordFiles | undefined
}

/** The files of an evidence record. */
export interface RecordFiles {
  /** What the record is about: the signature with all of its evidence. */
  readonly object: string
  /** EvidenceRecord (RFC 4998). */
  readonly record: string
}

/** What the transparency log of a registry has of something, as the registry says. */
export type LogStatement = { readonly state: UnprovedState } | ({ readonly state: 'logged' } & LogFiles)

/**
 * Why there is no proof of the log: it is not in the log, as it should be only where it was registered while none was kept; the
 * entry waits for a checkpoint; what the registry has is not what was logged; the log cannot be read.
 */
export const UNPROVED_STATES = ['absent', 'pending', 'changed', 'broken'] as const
export type UnprovedState = (typeof UNPROVED_STATES)[number]

/** The files that prove that something is logged. */
export interface LogFiles {
  /** C2SP tlog-proof; its extra data is the salt and the text of the entry. */
  readonly proof: string
  /** The CMS as it was received, whose hash the entry has; absent where `signature` is just that. */
  readonly received?: string | undefined
  /** The checkpoint that the proof leads to. */
  readonly checkpoint: CheckpointFiles
}

/** A checkpoint of a log, and the time stamp over it. */
export interface CheckpointFiles {
  /** Signed note (C2SP tlog-checkpoint). */
  readonly note: string
  /** TimeStampToken (RFC 3161) over the file `note`. */
  readonly stamp?: string | undefined
}

/** A file by its hash, or a container by those of its files. */
export type FileStatement =
  | { readonly name: string; readonly size: number; readonly sha256: string }
  | { readonly name: string; readonly files: readonly FileHash[] }

/** A file in a container. */
export interface FileHash {
  readonly name: string
  readonly size: number
  readonly sha256: string
}

/** The text of `evidence.json`. */
export const statementText = (statement: EvidenceStatement): string => `${JSON.stringify(statement, undefined, 2)}\n`

/** A time as `evidence.json` and entries of the log have it. */
export const statedTime = (moment: number): string => new Date(moment).toISOString()

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Whether a text is such a time, in a year of four digits: there is no 24 o'clock, and no sixtieth second. */
export function isStatedTime(text: string): boolean {
  const moment = TIME.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(moment) && statedTime(moment) === text
}
