import type { Check } from './checks.js'
import type { RegistryError } from './error.js'
import type { Indication, SubIndication, Unsupported } from './indication.js'
import type { Seen } from './seen.js'
import type { ReadSignature, UnusedEvidence } from './signature.js'
import type { TimeStamp } from './timestamp/verify-time-stamp.js'
import type { SignatureProof } from './verification.js'
import type { Certificate } from './x509/certificate.js'
import type { VerifiedXml } from './xml/verify-xml-document.js'

/** What a signature covers of its file. */
export type Coverage =
  /** All of the document, or all of the content that it carries. */
  | { readonly of: 'content' }
  /** Bytes of one revision of a file, such as a PDF: from, and to but not including. What lies outside nobody signed. */
  | { readonly of: 'ranges'; readonly ranges: readonly (readonly [from: number, to: number])[] }
  /** What the references of an XML signature, or a manifest, name by URI. */
  | { readonly of: 'references'; readonly uris: readonly string[] }

/** What was missing for a better verdict. */
export type Missing = 'document' | 'signingCertificate' | 'timeStamp' | 'status' | 'chainStatus' | 'timeStampStatus'

/** The verdict on one signer's signature. */
export interface SignerVerdict {
  readonly indication: Indication
  readonly subIndication: SubIndication | undefined
  /**
   * `validAt`: good at a time that a time stamp proves, or at which somebody else is proved to have seen it; `validNow`: good at the moment of judging, nothing proves more;
   * `intact`: the value is right for its key, whose holder was not shown to be anybody; `refused`: not even that;
   * `unsupported`: of a form that is not judged here.
   */
  readonly conclusion: 'validAt' | 'validNow' | 'intact' | 'refused' | 'unsupported'
  /** The time that the conclusion is about, milliseconds since the epoch. */
  readonly time: number
  /**
   * The earliest time that it is proved to have existed at, milliseconds since the epoch, and what that is proved by, or kept good by
   * where a time stamp has outlived its authority; `undefined` where nothing dates it.
   */
  readonly existedAt: { readonly time: number; readonly by: 'timeStamp' | Seen['by'] } | undefined
  /** The one error that it is refused with, if there is one. */
  readonly refusal: RegistryError | undefined
  /** What is not judged here, and what to do about it; set where the conclusion is `unsupported`. */
  readonly unsupported: Unsupported | undefined
  /** `carried`: what was signed is part of the signed bytes; `notCompared`: nobody has shown the document. */
  readonly document: 'carried' | 'matches' | 'differs' | 'notCompared' | 'unknown'
  /** The name of the document that it is over, where it is one of those that were given. */
  readonly over: string | undefined
  /**
   * What an XML signature is over; of a part, read `signedBytes` alone; `detached` is over what `resolve` gave; `signature`
   * is a counter-signature, which says nothing of the document and does not count for the verdict as a whole.
   */
  readonly covers: VerifiedXml['covers'] | undefined
  /** What of its file the signature is over, once it could be read. */
  readonly coverage: Coverage | undefined
  /** The bytes that the signature is over, where it carries them. */
  readonly signedBytes: Uint8Array | undefined
  /** The signature as read, unless it was refused before. */
  readonly signature: ReadSignature | undefined
  /** What it was proved with, unless it was not. */
  readonly proof: SignatureProof<TimeStamp | undefined> | undefined
  readonly missing: readonly Missing[]
  /** Certificates that the verdict rests on and whose status nothing tells: signer, authorities, time stamp, responder. */
  readonly unasked: readonly Certificate[]
  /** Evidence that was there and that the verdict does not rest on. */
  readonly unused: readonly UnusedEvidence[]
  /** The checks, in order. */
  readonly checks: readonly Check[]
}

/** A signature whose value is right, and what it is over. */
export interface OpenedSignature extends Pick<SignerVerdict, 'covers' | 'signedBytes'> {
  readonly signature: ReadSignature
}

/** The verdict on signed bytes: the worst of all signatures except counter-signatures, and each individually. */
export interface Verdict {
  /** True when every signature is `TOTAL-PASSED`, counter-signatures aside, which anybody may add. */
  readonly valid: boolean
  readonly indication: Indication
  readonly subIndication: SubIndication | undefined
  /** The validation time, milliseconds since the epoch. */
  readonly at: number
  readonly signatures: readonly SignerVerdict[]
}
