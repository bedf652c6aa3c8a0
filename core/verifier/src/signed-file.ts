/** A kind of signed file, told by its content. */
export type FileFormat = 'cms' | 'xml' | 'pdf' | 'asic-s' | 'asic-e'

/** Octets of a file: pairs of the first and the one behind the last. */
export type Ranges = readonly (readonly [from: number, to: number])[]

/** Digests by the OID of their algorithm. */
export type FileDigests = ReadonlyMap<string, Uint8Array>

/**
 * A signed file that was read and not judged yet: what may be signed in it, by what, and what is wrong with its form. It is plain
 * data, so that a thread can hand it on.
 */
export interface SignedFile {
  readonly format: FileFormat
  /** What in it may be signed: files of a container, or a PDF as a whole. */
  readonly documents: readonly DocumentInFile[]
  readonly signatures: readonly SignatureInFile[]
  /** Time stamps that are over the file, and not over a signature: DocTimeStamp of PDF, time assertions of ASiC. */
  readonly timeStamps: readonly TimeStampInFile[]
  /** Revisions of a PDF, in their order; none of other files. */
  readonly revisions: readonly Revision[]
  readonly problems: readonly FileProblem[]
  /** Evidence that stands beside the signatures, such as the DSS of a PDF, DER. It proves no more than what signatures carry. */
  readonly beside: EvidenceInFile
}

export interface EvidenceInFile {
  readonly certificates: readonly Uint8Array[]
  /** OCSPResponses (RFC 6960), as they stand. */
  readonly responses: readonly Uint8Array[]
  readonly crls: readonly Uint8Array[]
}

export interface DocumentInFile {
  /** Its name in the container; the empty text for what has none, such as a PDF or the content of a CMS. */
  readonly name: string
  /** Octets; of a PDF all of it. */
  readonly size: number
  /** SHA-256, and by the algorithms that its signatures use. */
  readonly digests: FileDigests
  /** The octets themselves, only where a signature is over another form of them (canonical XML). */
  readonly bytes?: Uint8Array
}

export interface SignatureInFile {
  /** The name of its file in the container, or of its field in the PDF. */
  readonly name: string
  readonly signType: 'cms' | 'xml'
  /** CMS: DER, without what stands behind it; XML: the signature element, or all of the signed document, UTF-8. */
  readonly signed: Uint8Array
  readonly over: SignedPart
}

/** What a signature of a file is over. */
export type SignedPart =
  /** What it carries itself. */
  | { readonly of: 'carried' }
  /** All of one document. */
  | { readonly of: 'document'; readonly document: string }
  /** Octets of the file, and their digests by the algorithms that the signature uses. */
  | { readonly of: 'ranges'; readonly document: string; readonly ranges: Ranges; readonly digests: FileDigests }
  /** A manifest, which names documents by their digests; those that it names rightly are `documents`. */
  | {
      readonly of: 'manifest'
      readonly name: string
      readonly manifest: Uint8Array
      readonly documents: readonly NamedByUri[]
    }
  /** Documents that an XML signature names itself. */
  | { readonly of: 'references'; readonly documents: readonly NamedByUri[] }

/** A document of a container, and the URI that it is signed by. */
export interface NamedByUri {
  readonly document: string
  readonly uri: string
  /** OID of the digest that names it, of the file as it stands; absent where another form of it is signed. */
  readonly oid?: string
}

export interface TimeStampInFile {
  readonly name: string
  /** TimeStampToken (RFC 3161), DER. */
  readonly token: Uint8Array
  readonly over: Exclude<SignedPart, { readonly of: 'carried' | 'references' }>
}

/** A PDF from its beginning to one of its ends. */
export interface Revision {
  /** Octets from the beginning of the file. */
  readonly end: number
  /** Signatures that are over it, to its end, by their places. */
  readonly signatures: readonly number[]
  /** Time stamps over it, by their places. */
  readonly timeStamps: readonly number[]
  /** What it changed of the revision before; nothing in the first one. */
  readonly changes: readonly Change[]
}

/** A change that an incremental update of a PDF made (ISO 32000-2, 7.5.6). */
export interface Change {
  readonly kind: /** A signature in a field that was there. */
    | 'signature'
    /** A signature field with its place on a page, added. */
    | 'signatureField'
    | 'documentTimeStamp'
    /** Certificates and their status (DSS). */
    | 'evidence'
    /** Title, author, dates, producer. */
    | 'metadata'
    /** The value of a form field. */
    | 'formField'
    | 'annotation'
    | 'attachment'
    /** What a page shows, or how many there are. */
    | 'page'
    /** Anything else that a reader of the document may see or that runs when it is opened. */
    | 'other'
  /** Whether what was signed before still shows what its signers saw. */
  readonly harmless: boolean
  /** Whether the certification of the document (DocMDP) forbids it. */
  readonly forbidden: boolean
  /** Name of the field or attachment. */
  readonly name?: string
  /** From 1. */
  readonly page?: number
  /** Left, bottom, right, top, points; of what is shown on the page. */
  readonly box?: readonly [number, number, number, number]
}

/** What is wrong with a file, or keeps it from being judged. */
export interface FileProblem {
  readonly code: FileProblemCode
  /** The document, signature or entry that it is about. */
  readonly name?: string
  /** Finer than `code`, camelCase, for programs. */
  readonly reason?: string
}

export type FileProblemCode =
  // PDF
  /** A signature whose dictionary, ranges or Contents are not as they have to be: it proves nothing. */
  | 'signatureBroken'
  /** What was signed was changed or covered by a later revision. */
  | 'changedAfterSigning'
  /** Something was added behind the last signed revision. */
  | 'addedAfterSigning'
  /** A change that the certification forbids. */
  | 'changeForbidden'
  /** A revision whose objects cannot be read or compared. */
  | 'revisionNotCompared'
  // Containers
  /** A document that no signature covers. */
  | 'notCovered'
  /** A manifest or signature names a file that is not there. */
  | 'fileMissing'
  /** A file that is not what a manifest says. */
  | 'fileChanged'
  /** A container that is not in its form: `mimetype`, places of files, a manifest that no signature is over. */
  | 'formWrong'
  // All
  /** A part that is not judged here: `reason` is what it is, such as `jades`, `xfa`. */
  | 'unsupported'

/** What a problem makes of the verdict. */
export const outcomeOfFileProblem: Readonly<Record<FileProblemCode, 'unknown' | 'wrong'>> = {
  signatureBroken: 'wrong',
  changedAfterSigning: 'unknown',
  addedAfterSigning: 'unknown',
  changeForbidden: 'wrong',
  revisionNotCompared: 'unknown',
  notCovered: 'unknown',
  fileMissing: 'wrong',
  fileChanged: 'wrong',
  formWrong: 'wrong',
  unsupported: 'unknown',
}
