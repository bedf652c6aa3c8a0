import { named } from '../named-files.js'
import { isBundle } from './bundle-file.js'
import type { EvidenceAnswer } from './question.js'

/** A bundle that was judged with the files that are its documents, and with those that are of nothing else. */
export interface JudgedBundle {
  readonly file: File
  readonly beside: readonly File[]
  readonly answer: EvidenceAnswer
}

/** Bundles among files, and what remains to be judged by itself. */
export interface JudgedBundles {
  readonly bundles: readonly JudgedBundle[]
  /** Documents of the bundles; those that a signature may be on, too, are in `rest` as well. */
  readonly claimed: ReadonlySet<File>
  readonly rest: readonly File[]
}

/** How files are judged together with bundles. */
interface Judging {
  ask(bundle: File, beside: readonly File[]): Promise<EvidenceAnswer>
  /** Whether a file has signatures of its own, and is judged by itself unless it is a document of a bundle. */
  isSigned(file: File): Promise<boolean>
}

/**
 * Judges each bundle with the files beside it. A file that is none of its documents makes it open, unless it is judged
 * otherwise: as a document of another bundle, as a signature, or as what such a signature may be on.
 */
export async function judgeBundles(files: readonly File[], { ask, isSigned }: Judging): Promise<JudgedBundles> {
  const [bundles, others] = await parted(files, isBundle)
  if (bundles.length === 0) return { bundles: [], claimed: new Set(), rest: files }
  const first: JudgedBundle[] = []
  for (const file of bundles) first.push({ file, beside: others, answer: await ask(file, others) })
  const claimed = new Set(first.flatMap(documentsOf))
  const [signed, documents] = await parted(others, isSigned)
  const isMixed = signed.some((file) => !claimed.has(file))
  const strangers = isMixed ? [] : others.filter((file) => !claimed.has(file))
  const judged: JudgedBundle[] = []
  for (const one of first) {
    const { file, answer } = one
    const own = new Set([...documentsOf(one), ...strangers])
    const beside = others.filter((other) => own.has(other))
    const isSame = 'refused' in answer || beside.length === others.length
    judged.push(isSame ? one : { file, beside, answer: await ask(file, beside) })
  }
  const rest = isMixed ? [...signed.filter((file) => !claimed.has(file)), ...documents] : []
  return { bundles: judged, claimed, rest }
}

/** The files beside a bundle that are its documents; none where it could not be read. */
export function documentsOf({ beside, answer }: JudgedBundle): File[] {
  const bundle = 'verdict' in answer ? answer.verdict.bundle : undefined
  if (bundle === undefined || bundle.documents.length === 0) return []
  const strangers = new Set(bundle.strangers)
  return named(beside).flatMap(({ name, file }) => (strangers.has(name) ? [] : [file]))
}

/** Files that are so, and those that are not. */
async function parted(files: readonly File[], is: (file: File) => Promise<boolean>): Promise<[File[], File[]]> {
  const found = await Promise.all(files.map(is))
  return [files.filter((_, at) => found[at]), files.filter((_, at) => !found[at])]
}
