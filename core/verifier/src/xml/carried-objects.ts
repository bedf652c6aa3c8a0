import { XmlElement, type XmlNode, XmlText } from './node.js'
import type { OpenSignature } from './open-signature.js'
import type { SignedContent } from './signed-content.js'

/**
 * What the Objects of a signature hold: its XAdES `properties` alone, or also what it is over itself (`signed`), or
 * something that it is not over (`unsigned`), which anybody may have put there.
 */
export type CarriedObjects = 'properties' | 'signed' | 'unsigned'

/** Tells what the Objects of a signature hold, whose references cover `contents`. */
export function carriedObjects(
  { parts, properties }: OpenSignature,
  contents: readonly SignedContent[],
): CarriedObjects {
  const covered = new Set(contents.map(({ apex }) => apex))
  const others = parts.objects.flatMap((object) =>
    covered.has(object) ? [object] : object.children.filter((child) => isContent(child, properties?.element)),
  )
  if (others.length === 0) return 'properties'
  return others.every((other) => other instanceof XmlElement && covered.has(other)) ? 'signed' : 'unsigned'
}

const isContent = (child: XmlNode, properties: XmlElement | undefined): boolean =>
  child instanceof XmlElement ? child !== properties : child instanceof XmlText && child.value.trim() !== ''
