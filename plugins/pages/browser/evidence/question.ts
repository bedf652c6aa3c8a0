import type { DocumentVerdict, EvidenceReport, Outcome } from '@signed-registry/verifier'
import type { ShownSignature } from '../shown-signature.js'

/** What the worker is asked. */
export interface EvidenceQuestion {
  /** A signature, or an evidence bundle. */
  readonly file: File
  /** Whom to trust; nobody else is trusted. */
  readonly trust: Trusted
  /** Documents that are given beside it. */
  readonly beside: readonly File[]
  /** The moment to judge at, milliseconds since the epoch; now where not given. */
  readonly at?: number
  /** The key of the registry (`GET /api/statementKey`) that a bundle must be of. */
  readonly key?: string
  readonly language: 'kk' | 'ru' | 'en'
}

/** Certificates that a visitor gave, which tell themselves whether they are roots; or what a registry trusts. */
export type Trusted = readonly NamedAnchor[] | RegistryTrust

/** A certificate that is trusted, under the name of its file: PEM, or base64 of DER. */
export interface NamedAnchor {
  readonly name: string
  readonly certificate: string
}

/** The trust set of a registry, base64 of DER (src/check-trust.ts). */
export interface RegistryTrust {
  readonly anchors: readonly string[]
  readonly intermediates: readonly string[]
  readonly responders: readonly string[]
  readonly crls: readonly string[]
  /** The key of its statements: bundles of its own are trusted, and those of others are only others' word. */
  readonly key?: string
}

/** The verdict, as far as it is shown. */
export interface ShownVerdict {
  readonly outcome: Outcome
  readonly signatures: readonly ShownSignature[]
  readonly documents: readonly DocumentVerdict[]
  /** Of an evidence bundle. */
  readonly bundle?: ShownBundle
  /** The report on it, a page of its own. */
  readonly report: string
}

/** What is shown of an evidence bundle, in the words of reports. */
export interface ShownBundle extends EvidenceReport {
  /** The outcome in words. */
  readonly says: string
  readonly strangerSays: string
  /** True of a bundle by the registry whose trust it was judged by. */
  readonly isOwn: boolean
  /** A hash of each document that was shown, base64. */
  readonly digests: readonly string[]
  readonly label: Readonly<Record<BundleLabel, string>>
}

/** What stands before the facts of a bundle. */
export type BundleLabel =
  | 'file'
  | 'registrySays'
  | 'registryWord'
  | 'statementBy'
  | 'registry'
  | 'registryKey'
  | 'asOf'
  | 'package'
  | 'document'
  | 'identifier'
  | 'registered'
  | 'signature'
  | 'hashes'
  | 'none'
  | 'log'
  | 'logEntry'
  | 'loggedBefore'
  | 'loggedAfter'
  | 'hashesNotLogged'
  | 'witnesses'
  | 'trust'
  | 'records'
  | 'existedAt'
  | 'holdsUntil'
  | 'recordChains'

/** What the worker answers; `refused` where the question makes no sense. */
export type EvidenceAnswer =
  | { readonly verdict: ShownVerdict }
  | { readonly refused: 'anchor' | 'noRoot' | 'key' | 'unreadable'; readonly file?: string }
