/** Markup that is safe to show. */
export class Html {
  constructor(readonly text: string) {}
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

/** A template of markup: strings are escaped, markup and lists of it go in as they are. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  const filled = values.map((value) => {
    if (typeof value === 'string') return escaped(value)
    return value instanceof Html ? value.text : value.map(({ text }) => text).join('')
  })
  return new Html(parts.map((part, at) => part + (filled[at] ?? '')).join(''))
}
