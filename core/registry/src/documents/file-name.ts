import { checkLength } from '../kernel/field-length.js'
import { ID_PATTERN } from '../kernel/ids.js'
import type { Limits } from '../kernel/limits.js'
import { documentErrors } from './errors.js'
import { isFileName, withoutForbidden } from './nearest-title.js'

const MARKERS = ['-DocId', '-SigexId']
/** Of addresses with `?id=`, as the production service prints them, and of our page of a document. */
const SHOWN_ID = /(?:[?&]id=|^https?:\/\/[^?#]*\/d\/)([A-Za-z0-9]+)(?:[/?&#]|$)/

/** Refuses a title or description that is too long, or a title that cannot be a file name. */
export function checkTitles(title: string, description: string, limits: Limits): void {
  checkLength('title', title, limits.title)
  checkLength('description', description, limits.description)
  if (!isFileName(title)) throw documentErrors.error('invalidDocumentTitle')
}

/** The last segment of what may be a path, with `_` for each forbidden character; may be empty. */
export function asFileName(text: string): string {
  const last = withoutForbidden(text.split(/[/\\]/).at(-1) ?? '', () => '_').trim()
  return /^\.+$/.test(last) ? '' : last
}

/** Puts the document's identifier before the last extension: `contract.pdf` becomes `contract-DocId{id}.pdf`. */
export function buildFileName(name: string, documentId: string): string {
  if (name === '' || !isFileName(name)) throw documentErrors.error('invalidFileName')
  const dot = name.lastIndexOf('.')
  const at = dot > 0 ? dot : name.length
  return `${name.slice(0, at)}${MARKERS[0]}${documentId}${name.slice(at)}`
}

/** A file name without the identifier of its document, and without the marker before it. */
export const withoutId = (name: string, documentId: string): string =>
  MARKERS.reduce((rest, marker) => rest.replaceAll(`${marker}${documentId}`, ''), name).replaceAll(documentId, '')

/**
 * The identifier that `buildFileName` put into a file name, or that is in the address of a document's page. Also takes the
 * marker of the production service.
 */
export function idFromFileName(name: string): string {
  const id = markedId(name) ?? shownId(name)
  if (id === undefined) throw documentErrors.error('invalidFileName')
  return id
}

/** The identifier in what people paste: an identifier, the address of a page, or a file name; trims spaces. */
export function normalizeId(specialId: string): string {
  const text = specialId.trim()
  const id = ID_PATTERN.test(text) ? text : (shownId(text) ?? markedId(text))
  if (id === undefined) throw documentErrors.error('invalidDocumentIdentifier')
  return id
}

function shownId(text: string): string | undefined {
  const id = SHOWN_ID.exec(text.trim())?.[1]
  return id !== undefined && ID_PATTERN.test(id) ? id : undefined
}

function markedId(name: string): string | undefined {
  for (const marker of MARKERS) {
    const at = name.lastIndexOf(marker)
    if (at === -1) continue
    const [id] = name.slice(at + marker.length).split('.')
    if (id !== undefined && ID_PATTERN.test(id)) return id
  }
  return undefined
}
