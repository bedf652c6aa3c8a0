import type { ByteSource } from '../byte-source.js'
import { type CrossReference, crossReferenceAt } from './cross-reference.js'
import { PdfEntries } from './entries.js'
import { notRead } from './errors.js'
import type { InflateBudget } from './inflate.js'
import { objectAt, parseAt } from './object-at.js'
import { PdfDictionary } from './values.js'

/** A file from its beginning to one of its ends: what a reader of that file would take (ISO 32000-2, 7.5.6). */
export interface PdfRevision {
  /** Octets up to its `%%EOF`, with it. */
  readonly end: number
  /** All entries, of this revision and of those before. */
  readonly entries: PdfEntries
  readonly trailer: PdfDictionary
}

/** Updates of one file. */
const MAX_REVISIONS = 256
/** Octets at the end of a file in which the last `startxref` stands (Annex I). */
const TAIL = 1024
const START = 'startxref'

/** The revisions of a file, the oldest first, and where the last one ends. Throws `fileNotRead`. */
export function revisionsOf(source: ByteSource, budget: InflateBudget): readonly PdfRevision[] {
  const last = lastStart(source)
  const sections = sectionsFrom(source, last.crossReference, budget)
  const revisions: PdfRevision[] = []
  let entries = new PdfEntries()
  for (const group of revisionGroups(source, sections)) {
    for (const section of group.sections) entries = entries.with(section.entries)
    revisions.push({ end: group.end, entries, trailer: group.trailer })
  }
  const ends = revisions.map(({ end }) => end)
  if (ends.some((end, index) => index > 0 && end <= (ends[index - 1] ?? 0))) throw notRead('xrefBroken')
  return revisions
}

/** The last `startxref`, and the offset that it says. */
function lastStart(source: ByteSource): { readonly at: number; readonly crossReference: number } {
  const from = Math.max(0, source.size - TAIL)
  const found = Buffer.from(source.read(from, source.size)).toString('latin1').lastIndexOf(START)
  if (found === -1) throw notRead('startxrefMissing')
  return { at: from + found, crossReference: startAt(source, from + found).crossReference }
}

/** What `startxref` says, and the end of its `%%EOF`. */
function startAt(source: ByteSource, at: number): { readonly crossReference: number; readonly end: number } {
  return parseAt(source, at, (parser) => {
    if (parser.word() !== START) throw notRead('startxrefMissing', { at })
    const crossReference = parser.integer()
    return { crossReference, end: endOfFile(source, parser.place) }
  })
}

/** The end of the `%%EOF` behind white space. */
function endOfFile(source: ByteSource, from: number): number {
  const text = Buffer.from(source.read(from, Math.min(from + 32, source.size))).toString('latin1')
  const found = /^[\0\t\n\f\r ]*%%EOF/.exec(text)
  if (found === null) throw notRead('endOfFileMissing', { at: from })
  return from + found[0].length
}

/** Sections from the newest on, by what each says of the one before. */
function sectionsFrom(source: ByteSource, newest: number, budget: InflateBudget): CrossReference[] {
  const sections: CrossReference[] = []
  const seen = new Set<number>()
  for (let at: number | undefined = newest; at !== undefined; ) {
    if (seen.has(at)) throw notRead('xrefLoop', { at })
    seen.add(at)
    if (sections.length >= 2 * MAX_REVISIONS) throw notRead('tooManyRevisions')
    const section: CrossReference = crossReferenceAt(source, at, budget)
    sections.push(section)
    at = section.previous
  }
  return sections
}

interface RevisionGroup {
  /** The oldest first. */
  readonly sections: readonly CrossReference[]
  readonly trailer: PdfDictionary
  readonly end: number
}

/**
 * Each section is a revision, except of a linearized file, whose first revision has two (Annex F): the newer one, of the first page,
 * stands at the beginning of the file, and the `startxref` behind the older one leads to it.
 */
function revisionGroups(source: ByteSource, newestFirst: readonly CrossReference[]): RevisionGroup[] {
  const sections = [...newestFirst].reverse()
  const [oldest, second] = sections
  const groups: RevisionGroup[] = []
  const isPair = oldest !== undefined && second !== undefined && second.at < oldest.at && isLinearized(source)
  if (isPair) {
    const { crossReference, end } = startAt(source, behind(source, oldest.end))
    if (crossReference !== second.at) throw notRead('xrefBroken', { at: oldest.at })
    groups.push({ sections: [oldest, second], trailer: second.trailer, end })
  }
  for (const section of sections.slice(isPair ? 2 : 0)) {
    const { crossReference, end } = startAt(source, behind(source, section.end))
    // Whoever reads the file up to here begins at the same section.
    if (crossReference !== section.at) throw notRead('xrefBroken', { at: section.at })
    groups.push({ sections: [section], trailer: section.trailer, end })
  }
  return groups
}

const behind = (source: ByteSource, at: number): number =>
  parseAt(source, at, (parser) => {
    parser.skipSpace()
    return parser.place
  })

/** Whether the first object of the file says that it is linearized (F.3.3). */
function isLinearized(source: ByteSource): boolean {
  const { value } = objectAt(
    source,
    parseAt(source, 0, (parser) => {
      parser.skipSpace()
      return parser.place
    }),
  )
  return value instanceof PdfDictionary && typeof value.get('Linearized') === 'number'
}
