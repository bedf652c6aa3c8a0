import type { DocumentInFile, SignedFile } from '@signed-registry/verifier'
import { port } from '../kernel/port.js'
import type { Upload } from '../kernel/upload.js'

/** What a file is: signed, as it was read; or a card or an evidence bundle, which have readers of their own; or none of these. */
export type FoundFile =
  | { readonly is: 'signed'; readonly file: SignedFile }
  | { readonly is: 'evidence' }
  /** A PDF without signatures, which may be a card; `file` is the PDF as any other. */
  | { readonly is: 'card'; readonly file: SignedFile }

/** A file that is kept for as long as it is open. */
export interface OpenFile {
  readonly size: number
  readonly found: FoundFile
  /** All of the file. */
  whole(): Upload
  /** One of its documents: a file of a container, or a PDF to the end of its last signed revision. */
  document(one: DocumentInFile): Upload
  /** Removes what was kept. */
  close(): Promise<void>
}

/**
 * Keeps an uploaded file for a while, tells by its content what it is, and reads it without judging it. It must bound memory, room and
 * time by itself, and must not hold the event loop. Rejects with `fileNotRead`, `signedFilesBusy`, `bodyTooLarge`, and errors of
 * the stream.
 */
export interface SignedFileReader {
  /** `inTurn` is to be called with what reads the file, once all of it is there: nobody has a turn who sends slowly. */
  open(upload: Upload, inTurn: <T>(read: () => Promise<T>) => Promise<T>): Promise<OpenFile>
}

/** Reads signed files; `undefined` in a registry that takes none. */
export const SignedFileReader = port<SignedFileReader | undefined>('SignedFileReader', 'defaulted')
