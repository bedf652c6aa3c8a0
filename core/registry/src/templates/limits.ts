import { limits } from '../kernel/limits.js'

/** Limits of templates; `createRegistry` takes any of them in its options. */
export interface TemplateLimits {
  /** Templates of a person or an organization. */
  readonly templatesPerOwner: number
  /** Characters of the name of a template; at most 64. */
  readonly templateName: number
  /** Bytes of a template, as JSON. */
  readonly templateBytes: number
  /** Titles of documents in a template. */
  readonly templateDocuments: number
}
export const TemplateLimits = limits<TemplateLimits>('TemplateLimits', {
  templatesPerOwner: 50,
  templateName: 64,
  templateBytes: 16 * 1024,
  templateDocuments: 100,
})
