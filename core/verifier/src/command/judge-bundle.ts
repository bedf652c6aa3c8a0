import {
  type EvidenceOptions,
  type EvidenceVerdict,
  readVerifierKey,
  strangersOf,
  VerifierError,
  verifyEvidence,
} from '../index.js'
import { UsageError } from './console.js'
import { digestsOf, type GivenFile } from './given-file.js'
import { readKey } from './key-file.js'
import { type OpenFile, openFile } from './open-file.js'
import type { Input } from './sort-files.js'

/** An evidence bundle, and what was named beside it. */
export interface GivenBundle {
  readonly bundle: GivenFile
  readonly beside: readonly GivenFile[]
}

/** The bundle among files, if there is one; throws `UsageError` where there are several. */
export function bundleAmong(files: readonly GivenFile[]): GivenBundle | undefined {
  const [bundle, ...more] = files.filter(({ looks }) => looks === 'evidence')
  if (bundle === undefined) return undefined
  if (more.length > 0)
    throw new UsageError(`Name one evidence bundle at a time, not both ${bundle.name} and ${more[0]?.name}`)
  return { bundle, beside: files.filter((file) => file !== bundle) }
}

/**
 * Judges a bundle with the documents beside it; no file is in memory as a whole. Throws `UsageError` for a file beside it that
 * has signatures of its own and is none of its documents.
 */
export function judgeBundle(
  { bundle, beside }: GivenBundle,
  options: Omit<EvidenceOptions, 'documents'>,
): EvidenceVerdict {
  const opened: OpenFile[] = []
  const open = ({ name }: GivenFile): OpenFile => {
    const file = openFile(name)
    opened.push(file)
    return file
  }
  try {
    const documents = beside.map((file) => ({ name: file.name, document: open(file) }))
    const verdict = verifyEvidence(open(bundle), { ...options, documents })
    refuseSignatures(beside, verdict)
    return verdict
  } finally {
    for (const file of opened) file.close()
  }
}

function refuseSignatures(beside: readonly GivenFile[], verdict: EvidenceVerdict): void {
  const strangers = strangersOf(verdict)
  const signed = beside.find(({ name, looks }) => looks === 'signed' && strangers.includes(name))
  if (signed !== undefined)
    throw new UsageError(
      `${signed.name} has signatures of its own and is no document of the evidence bundle: verify it without the bundle`,
    )
}

/** The files as reports name them: those beside by all hashes that the bundle has of its documents. */
export function bundleInputs({ bundle, beside }: GivenBundle, { evidence }: EvidenceVerdict): Input[] {
  const oids = new Set(evidence.said?.documents.flatMap(({ digests }) => Object.keys(digests)))
  return [bundle, ...beside].map(({ name, size, looks }) => ({
    name,
    size,
    digests: digestsOf(name, looks === 'evidence' ? [] : oids),
  }))
}

/** The statement key that evidence is trusted by; throws a `UsageError` for a file that has none. */
export function trustedKey(file: string): string {
  const key = readKey(file)
  try {
    readVerifierKey(key)
  } catch (error) {
    if (!(error instanceof VerifierError)) throw error
    throw new UsageError(`${file} is not the key of a registry: keep the answer of GET /api/statementKey in a file`)
  }
  return key
}
