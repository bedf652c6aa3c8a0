import type { XmlElement } from './node.js'

/**
 * An element of a document as a document of its own, with the namespaces and `xml:` attributes that it inherits written into its
 * start tag: it and all that is in it have the same canonical form then (Canonical XML 1.0, 2.4).
 */
export function aloneInContext(xml: string, element: XmlElement): string {
  const namespaces = new Map(element.declarations.map(({ prefix }) => [prefix, '']))
  const others = new Map(element.attributes.map(({ prefix, localName }) => [`${prefix}:${localName}`, '']))
  const inherited: string[] = []
  for (let above = element.parent; above !== undefined; above = above.parent) {
    for (const { prefix, uri } of above.declarations) {
      if (namespaces.has(prefix)) continue
      namespaces.set(prefix, uri)
      inherited.push(` ${prefix === '' ? 'xmlns' : `xmlns:${prefix}`}="${escaped(uri)}"`)
    }
    for (const { prefix, localName, value } of above.attributes) {
      const name = `${prefix}:${localName}`
      if (prefix !== 'xml' || others.has(name)) continue
      others.set(name, value)
      inherited.push(` ${name}="${escaped(value)}"`)
    }
  }
  const tag = element.start + 1 + (element.prefix === '' ? 0 : element.prefix.length + 1) + element.localName.length
  return `${xml.slice(element.start, tag)}${inherited.join('')}${xml.slice(tag, element.end)}`
}

const escaped = (value: string): string =>
  value
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/"/g, '&quot;')
    .replace(/[\t\n\r]/g, (space) => `&#x${space.charCodeAt(0).toString(16).toUpperCase()};`)
