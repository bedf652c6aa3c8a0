import type { OpenEvidence, StatedCoverage, UnprovedState } from '@signed-registry/verifier/evidence'
import { port } from '../kernel/port.js'

/** A registered signature with its evidence, as a bundle carries it. */
export interface SignatureInBundle {
  readonly signId: number
  readonly signType: 'cms' | 'xml'
  /** When it was registered, milliseconds. */
  readonly storedAt: number
  /** Who signed, in words. */
  readonly signer: string
  /** CMS: CAdES-B-LT, detached but for a manifest, DER; XML: the signature element, UTF-8. */
  readonly signed: Uint8Array
  /** What of the document it is over; `undefined` for all of it. */
  readonly coverage?: StatedCoverage | undefined
  /** TimeStampToken (RFC 3161). */
  readonly timeStamp: Uint8Array
  /** The moment that the time stamp proves, milliseconds. */
  readonly stampedAt: number
  /** What the time stamp is over. */
  readonly stamped: Uint8Array
  /** OCSPResponse (RFC 6960) about the signer's certificate; `undefined` where CRLs stand in its place. */
  readonly ocsp: Uint8Array | undefined
  /** CRLs that prove the status, DER. */
  readonly crls: readonly Uint8Array[]
  /** What the transparency log has of it; `undefined` where the registry keeps none. */
  readonly log?: LogInBundle | undefined
  /** The evidence record that renews its proof (RFC 4998); `undefined` where there is none. */
  readonly record?: RecordInBundle | undefined
}

/** An evidence record about a signature, and what it is about. */
export interface RecordInBundle {
  /** The octets that the record is about, as `writeDataObject` of the verifier writes them. */
  readonly object: Uint8Array
  /** EvidenceRecord (RFC 4998), DER. */
  readonly record: Uint8Array
  /** The moment that its newest time stamp proves, milliseconds. */
  readonly renewedAt: number
}

/** What the transparency log has of something: a proof, or why there is none. */
export type LogInBundle = { readonly state: UnprovedState } | ProofInBundle

/** A proof that something is logged. */
export interface ProofInBundle {
  readonly state: 'logged'
  /** C2SP tlog-proof. */
  readonly proof: string
  /** Verifier key of the log. */
  readonly logKey: string | undefined
  /** The signature as it was received, whose hash the entry has, where `signed` is another form; DER. */
  readonly received?: Uint8Array | undefined
  /** The checkpoint that the proof leads to. */
  readonly checkpoint: CheckpointInBundle
}

/** A checkpoint of a log. */
export interface CheckpointInBundle {
  readonly size: number
  /** Signed note (C2SP tlog-checkpoint). */
  readonly note: string
  /** TimeStampToken (RFC 3161) over the note. */
  readonly stamp: Uint8Array | undefined
  /** The moment that the time stamp proves, milliseconds. */
  readonly stampedAt: number | undefined
}

/** A document with its signatures, as a bundle carries it. */
export interface DocumentInBundle {
  readonly documentId: string
  readonly title: string
  readonly description: string
  readonly isPrivate: boolean
  /** When it was registered, milliseconds. */
  readonly storedAt: number
  /** Bytes of the original. */
  readonly size: number
  /** Fixed hashes by the OID of their algorithm; SHA-256 is one of them. */
  readonly digests: ReadonlyMap<string, Uint8Array>
  /** What the transparency log has of its hashes; `undefined` where the registry keeps none. */
  readonly log?: LogInBundle | undefined
  /** `undefined` for a bundle without it. Its bytes have the fixed hashes, or reading them fails. */
  readonly original: { readonly name: string; bytes(): AsyncIterable<Uint8Array> } | undefined
  /** In the order of `signId`. */
  readonly signatures: readonly SignatureInBundle[]
}

/** What a bundle is made of (docs/evidence.md). Equal input gives equal bytes. */
export interface Bundle {
  readonly registry: { readonly origin: string; readonly name: string; readonly statementKey: string }
  /** Signs a text by the registry's statement key, as a signed note (C2SP). */
  readonly sign: (text: string) => string
  /** Rules that the signatures were verified by. */
  readonly rules: string
  /** When the state last changed, milliseconds. */
  readonly asOf: number
  /** The package that the documents are of. */
  readonly package?:
    | { readonly packageId: string; readonly title: string; readonly description: string; readonly storedAt: number }
    | undefined
  readonly documents: readonly DocumentInBundle[]
  /** Certificates of all paths, DER, each once. */
  readonly certificates: readonly Uint8Array[]
  /** SHA-256 of those that the registry trusts, hexadecimal. */
  readonly anchors: readonly string[]
  /** OIDs of the policies of the time stamps, each once. */
  readonly timeStampPolicies: readonly string[]
  /** Reports on all signatures as of `asOf`. */
  readonly reports: { readonly html: Readonly<Record<'kk' | 'ru' | 'en', string>>; readonly xml: string }
}

/** A bundle that is written while it is read. */
export interface BuiltBundle {
  /** Bytes of all of it, known before any is written. */
  readonly size: number
  /** The same for the same bytes only; hexadecimal. */
  readonly tag: string
  /** Everything but originals is in memory; those pass in chunks. Rejects as their reading does. */
  bytes(): AsyncIterable<Uint8Array>
}

/** Writes evidence bundles from verified input: it only arranges and describes. */
export interface EvidenceBuilder {
  build(bundle: Bundle): BuiltBundle
}
export const EvidenceBuilder = port<EvidenceBuilder | undefined>('EvidenceBuilder', 'defaulted')

/** Reads evidence bundles, of this registry or another. What it finds is untrusted; it judges no signature. */
export interface EvidenceParser {
  /**
   * Rejects with `evidenceNotRead` where nothing can be said of any document; whatever else is wrong is among the `problems`. It
   * must let other work run in between.
   */
  parse(bundle: Uint8Array): Promise<OpenEvidence>
}
export const EvidenceParser = port<EvidenceParser | undefined>('EvidenceParser', 'defaulted')
