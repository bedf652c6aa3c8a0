import { elementChildren } from './element-content.js'
import type { XmlElement } from './node.js'
import { notParsed } from './xml-errors.js'

/** A cursor over child elements in the order of a schema sequence; leftovers are refused. */
export class ElementSequence {
  private readonly children: XmlElement[]
  private next = 0

  constructor(private readonly parent: XmlElement) {
    this.children = elementChildren(parent)
  }

  /** The next child if it has this name. */
  optional(namespace: string, localName: string): XmlElement | undefined {
    const child = this.children[this.next]
    if (child?.is(namespace, localName) !== true) return undefined
    this.next += 1
    return child
  }

  /** The next child, which must have this name. */
  required(namespace: string, localName: string): XmlElement {
    const child = this.optional(namespace, localName)
    if (child === undefined) throw notParsed('elementMissing', { element: localName, in: this.parent.localName })
    return child
  }

  /** All following children of this name. */
  all(namespace: string, localName: string, limit: number): XmlElement[] {
    const found: XmlElement[] = []
    for (;;) {
      const child = this.optional(namespace, localName)
      if (child === undefined) return found
      found.push(child)
      if (found.length > limit) throw notParsed('tooManyElements', { element: localName, most: limit })
    }
  }

  finish(): void {
    const child = this.children[this.next]
    if (child !== undefined) throw notParsed('unexpectedElement', { element: child.localName })
  }
}
