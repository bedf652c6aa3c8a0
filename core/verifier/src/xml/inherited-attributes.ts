import type { Canonicalization } from '../algorithms/canonicalization.js'
import { XML_NAMESPACE, type XmlAttribute, type XmlElement } from './node.js'
import { joinBase } from './xml-base.js'

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
