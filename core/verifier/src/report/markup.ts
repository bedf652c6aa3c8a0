/** Text of XML or HTML that is made already, as opposed to text that is still to be escaped. */
export interface Markup {
  readonly markup: string
}

/** What stands in an element: markup, or text of anybody. What is undefined is left out. */
export type Content = Markup | string | undefined | readonly Content[]

// Characters that XML cannot hold, not even escaped (XML 1.0 section 2.2); halves of surrogate pairs among them.
const UNUSABLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

/** Text as Canonical XML has it (section 2.3); what XML cannot hold is shown as `�`. */
export const escapedText = (text: string): string =>
  text
    .replace(UNUSABLE, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#xD;')

/** An attribute's value as Canonical XML has it. */
export const escapedValue = (text: string): string =>
  text
    .replace(UNUSABLE, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#x9;')
    .replaceAll('\n', '&#xA;')
    .replaceAll('\r', '&#xD;')

/** Contents as text. */
export function written(content: Content): string {
  if (content === undefined) return ''
  if (typeof content === 'string') return escapedText(content)
  return 'markup' in content ? content.markup : content.map(written).join('')
}

/** An element; attributes are written in the order given. */
export const element = (
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  ...contents: readonly Content[]
): Markup => {
  const given = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : ` ${key}="${escapedValue(value)}"`,
  )
  return { markup: `<${name}${given.join('')}>${written(contents)}</${name}>` }
}
