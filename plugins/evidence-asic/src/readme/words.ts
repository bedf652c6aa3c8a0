import type { StatedCoverage, UnprovedState } from '@signed-registry/verifier/evidence'

/** What is said under a command. */
export interface Meaning {
  /** What it must print. */
  readonly expected: string
  readonly proves: string
  readonly provesNot: string
}

/** The texts of `README.txt` in one language. */
export interface ReadmeWords {
  /** Name of the language, in it. */
  readonly language: string
  readonly title: string
  readonly about: string
  readonly signed: {
    readonly title: string
    readonly package: string
    readonly document: string
    readonly nobody: string
  }
  readonly before: {
    readonly title: string
    readonly unpack: string
    readonly trust: string
    readonly others: (signId: number) => string
    readonly rest: string
  }
  readonly proves: string
  readonly provesNot: string
  readonly original: Meaning & {
    readonly title: string
    readonly inside: (file: string) => string
    readonly beside: (file: string) => string
  }
  readonly signer: Meaning & {
    readonly title: string
    readonly engine: string
    readonly xml: (signId: number) => string
    /** Where it is not over the document as it stands. */
    readonly covered: Readonly<Record<StatedCoverage['of'], string>>
    readonly national: (signId: number) => string
  }
  readonly time: Meaning & { readonly title: string; readonly same: (file: string) => string }
  readonly status: { readonly title: string; readonly ocsp: Meaning; readonly crl: Meaning; readonly national: string }
  readonly programs: {
    readonly title: string
    readonly ours: string
    readonly page: string
    readonly containers: string
    readonly signatures: string
    readonly readBy: string
    readonly proves: string
    readonly provesNot: string
  }
  readonly registry: {
    readonly title: string
    readonly says: (key: string) => string
    readonly proves: string
    readonly provesNot: (origin: string) => string
  }
  readonly log: Meaning & {
    readonly title: string
    /** Before the command that compares everything. */
    readonly whole: string
    /** Where there is no time stamp over the checkpoint yet. */
    readonly unstamped: string
    /** Why there is no proof. */
    readonly unproved: Readonly<Record<UnprovedState, string>>
  }
  /** The evidence record of a signature; the title has no number. */
  readonly record: Meaning & {
    readonly title: string
    /** Before the command: what the two files are. */
    readonly files: (object: string, record: string) => string
  }
  readonly limits: { readonly title: string; readonly all: readonly string[] }
}
