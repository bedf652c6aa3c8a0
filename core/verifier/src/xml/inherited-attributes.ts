import type { Canonicalization } from '../algorithms/canonicalization.js'
import { XML_NAMESPACE, type XmlAttribute, type XmlElement } from './node.js'

const INHERITED_BY_1_1: ReadonlySet<string> = new Set(['lang', 'space'])

/**
 * Attributes of an element that is canonicalized without its ancestors. Canonical XML 1.0 (section 2.4) copies every
 * `xml:` attribute from them, 1.1 (section 2.4) copies `xml:lang` and `xml:space` and joins `xml:base`, exclusive
 * canonicalization none.
 */
export function inheritedXmlAttributes(
  apex: XmlElement,
  ancestors: readonly XmlElement[],
  kind: Canonicalization['kind'],
): readonly XmlAttribute[] {
  if (kind === 'exclusive' || ancestors.length === 0) return apex.attributes
  const found = new Map<string, XmlAttribute>()
  const bases: string[] = []
  for (const element of [...ancestors, apex]) {
    for (const attribute of element.attributes) {
      if (attribute.namespace !== XML_NAMESPACE) continue
      if (kind === 'inclusive-1.1' && attribute.localName === 'base') bases.push(attribute.value)
      else if (kind === 'inclusive-1.0' || element === apex || INHERITED_BY_1_1.has(attribute.localName)) {
        found.set(attribute.localName, attribute)
      }
    }
  }
  const base = bases.length === 0 ? '' : bases.reduce(joinBase)
  if (base !== '') found.set('base', { prefix: 'xml', localName: 'base', namespace: XML_NAMESPACE, value: base })
  return [...apex.attributes.filter(({ namespace }) => namespace !== XML_NAMESPACE), ...found.values()]
}

const URI_PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/s

interface UriParts {
  readonly scheme: string | undefined
  readonly authority: string | undefined
  readonly path: string
  readonly query: string | undefined
}

/** Joins two `xml:base` values (Canonical XML 1.1, section 2.4: RFC 3986 5.2 for bases that may be relative, fragments dropped). */
export function joinBase(outer: string, inner: string): string {
  const base = split(outer.endsWith('..') ? `${outer}/` : outer)
  const reference = split(inner)
  if (reference.scheme !== undefined) return write({ ...reference, path: removeDots(reference.path) })
  const { scheme } = base
  if (reference.authority !== undefined) return write({ ...reference, scheme, path: removeDots(reference.path) })
  const { authority } = base
  if (reference.path === '') {
    return write({ scheme, authority, path: removeDots(base.path), query: reference.query ?? base.query })
  }
  if (reference.path.startsWith('/')) {
    return write({ scheme, authority, path: removeDots(reference.path), query: reference.query })
  }
  const rooted = authority !== undefined && base.path === ''
  const folder = rooted ? '/' : base.path.slice(0, base.path.lastIndexOf('/') + 1)
  return write({ scheme, authority, path: removeDots(folder + reference.path), query: reference.query })
}

function split(uri: string): UriParts {
  const [, scheme, authority, path = '', query] = URI_PARTS.exec(uri) ?? []
  return { scheme, authority, path, query }
}

function write({ scheme, authority, path, query }: UriParts): string {
  return (
    (scheme === undefined ? '' : `${scheme}:`) +
    (authority === undefined ? '' : `//${authority}`) +
    path +
    (query === undefined ? '' : `?${query}`)
  )
}

/** Removes dot segments; leading `..` of a relative path stay, since the base may be relative. Runs of `/` become one. */
function removeDots(path: string): string {
  const absolute = path.startsWith('/')
  const kept: string[] = []
  const segments = path.split('/').filter((segment) => segment !== '')
  for (const segment of segments) {
    if (segment === '.') continue
    if (segment !== '..') kept.push(segment)
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop()
    else if (!absolute) kept.push('..')
  }
  const folder = /(?:^|\/)\.{0,2}$/.test(path) && kept.length > 0
  return (absolute ? '/' : '') + kept.join('/') + (folder ? '/' : '')
}
