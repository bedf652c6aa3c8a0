import type { ByteSource } from '../byte-source.js'
import type { Change } from '../signed-file.js'
import { compareForm } from './compare-form.js'
import { comparePages } from './compare-pages.js'
import type { PdfDocument } from './pdf-document.js'
import { RevisionComparison } from './revision-comparison.js'

const COMPARED_OTHERWISE: ReadonlySet<string> = new Set([
  'DSS',
  'Metadata',
  'Version',
  'Extensions',
  'Pages',
  'AcroForm',
])

/**
 * What a newer revision changed of an older one: everything that can be reached from the root of the older one has to be the same, but
 * for what a signature adds in its place.
 */
export function compareRevisions(source: ByteSource, older: PdfDocument, newer: PdfDocument): readonly Change[] {
  const comparison = new RevisionComparison(source, older, newer)
  compareRoots(comparison)
  return comparison.find()
}

function compareRoots(comparison: RevisionComparison): void {
  const [older, newer] = [comparison.older.revision.trailer, comparison.newer.revision.trailer]
  const roots = comparison.both(older.get('Root'), newer.get('Root'), { kind: 'other' })
  if (comparison.differs(older.get('Info'), newer.get('Info'))) comparison.say({ kind: 'metadata' }, { harmless: true })
  if (roots === undefined) return
  const [one, other] = roots
  if (comparison.differs(one.get('DSS'), other.get('DSS'))) comparison.say({ kind: 'evidence' }, { harmless: true })
  for (const key of ['Metadata', 'Version', 'Extensions'])
    if (comparison.differs(one.get(key), other.get(key))) comparison.say({ kind: 'metadata' }, { harmless: true })
  comparePages(comparison, one.get('Pages'), other.get('Pages'))
  compareForm(comparison, one.get('AcroForm'), other.get('AcroForm'))
  for (const key of new Set([...one.entries.keys(), ...other.entries.keys()])) {
    if (COMPARED_OTHERWISE.has(key)) continue
    const kind = key === 'Names' || key === 'AF' || key === 'Collection' ? 'attachment' : 'other'
    comparison.compare(one.get(key), other.get(key), { kind })
  }
}
