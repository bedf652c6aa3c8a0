import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { BuiltBundle, Bundle, EvidenceBuilder, EvidenceParser } from '@signed-registry/core'
import {
  evidenceNoteText,
  NOTE_FILE,
  type OpenEvidence,
  openEvidencePausing,
  STATEMENT_FILE,
  sourceOf,
  statementText,
} from '@signed-registry/verifier/evidence'
import { assertBundle } from './assert-bundle.js'
import { bundleFiles, MEDIA_TYPE } from './bundle-files.js'
import { statementOf } from './statement-of.js'
import { container } from './write-zip.js'

/** Evidence bundles as ASiC containers (docs/evidence.md). */
export class AsicEvidence implements EvidenceBuilder, EvidenceParser {
  build(bundle: Bundle): BuiltBundle {
    assertBundle(bundle)
    const files = bundleFiles(bundle)
    const statement = Buffer.from(statementText(statementOf(bundle, files)))
    const note = Buffer.from(bundle.sign(evidenceNoteText(bundle.registry.origin, statement)))
    const { size, bytes } = container([
      MEDIA_TYPE,
      { name: STATEMENT_FILE, content: statement },
      { name: NOTE_FILE, content: note },
      ...files.map(({ file }) => file),
    ])
    // The statement names every other file by its hash.
    const tag = createHash('sha256').update(statement).update(note).digest('hex')
    return { size, tag, bytes }
  }

  parse(bundle: Uint8Array): Promise<OpenEvidence> {
    return openEvidencePausing(sourceOf(bundle), () => setImmediate())
  }
}
