import Type from 'typebox'
import type { MadeBundle } from './make-bundle.js'

/** An evidence bundle, read as a stream; JSON has it in base64. */
export interface EvidenceFile extends MadeBundle {
  readonly fileName: string
}

/** Answer of `GET /api/{id}/evidence`, `POST /api/{id}/evidence` and `GET /api/package/{packageId}/evidence`. */
export const EvidenceFile = Type.Unsafe<EvidenceFile>(
  Type.Object(
    {
      fileName: Type.String({ description: 'the identifier of the document or package, with the extension' }),
      evidence: Type.String({ description: 'base64 of the bundle, a ZIP archive (docs/evidence.md)' }),
    },
    { $id: 'EvidenceFile' },
  ),
)

/** Types by which clients ask for the bundle itself in place of JSON. */
export const EVIDENCE_TYPES = ['application/zip', 'application/vnd.etsi.asic-e+zip'] as const

/** A bundle under the name of what it proves. */
export const evidenceFile = (id: string, built: MadeBundle): EvidenceFile => ({ fileName: `${id}.zip`, ...built })

/** Query of `GET /api/{id}/evidence` and `GET /api/package/{packageId}/evidence`. */
export const EvidenceQuery = Type.Object({
  withoutOriginal: Type.Optional(
    Type.Boolean({ default: false, description: 'leave stored originals out, although the caller may read them' }),
  ),
})
