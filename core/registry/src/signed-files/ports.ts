import type { SignedFile } from '@signed-registry/verifier'
import { port } from '../kernel/port.js'
import type { Upload } from '../kernel/upload.js'

/** What a file is: signed, as it was read; or a card or an evidence bundle, which have readers of their own; or none of these. */
export type FoundFile =
  | { readonly is: 'signed'; readonly file: SignedFile }
  | { readonly is: 'evidence' }
  /** A PDF without signatures that has files attached, as cards have; `file` is the PDF as any other. */
  | { readonly is: 'card'; readonly file: SignedFile }

/** A file that is kept for as long as it is open. */
export interface OpenFile {
  readonly size: number
  readonly found: FoundFile
  /** All of the file. */
  whole(): Upload
  /** The octets of one of its documents, by its name; of a PDF those before `end`. */
  document(name: string, end?: number): Upload
  /** Removes what was kept. */
  close(): Promise<void>
}

/**
 * Keeps an uploaded file for a while, tells by its content what it is, and reads it without judging it. It must bound memory and
 * time by itself, and must not hold the event loop. Rejects with `fileNotRead`, `bodyTooLarge`, and errors of the stream.
 */
export interface SignedFileReader {
  open(upload: Upload): Promise<OpenFile>
}

/** Reads signed files; `undefined` in a registry that takes none. */
export const SignedFileReader = port<SignedFileReader | undefined>('SignedFileReader', 'defaulted')
