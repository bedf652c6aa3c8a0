/** Deepest nesting of a JSON body. The deepest of the specification has 6 levels. */
export const MAX_JSON_DEPTH = 32
/** Bytes beside texts: brackets, numbers and spaces. */
export const MAX_JSON_BESIDE_TEXT = 1024 * 1024

const [QUOTE = 0, BACKSLASH = 0] = Buffer.from('"\\')
const [COMMA, OPEN, CLOSE] = [1, 2, 3]
const KINDS = new Uint8Array(256)
for (const [text, kind] of [
  [',', COMMA],
  ['[{', OPEN],
  [']}', CLOSE],
] as const) {
  for (const byte of Buffer.from(text)) KINDS[byte] = kind
}

/**
 * What keeps bytes from being parsed as JSON: brackets that nest too deeply, or more than so many elements and members.
 * One pass without recursion that ends at the first fault, so that a fault costs less than the parsing that it saves.
 */
export function jsonFault(json: Buffer, values: number): 'tooDeep' | 'tooMany' | undefined {
  let [depth, count, beside] = [0, 0, 0]
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0
    if (byte === QUOTE) {
      at = endOfText(json, at)
      continue
    }
    if (++beside > MAX_JSON_BESIDE_TEXT) return 'tooMany'
    const kind = KINDS[byte]
    if (kind === CLOSE) depth--
    else if (kind === OPEN || kind === COMMA) {
      // Each element or member comes after a comma, or is the first after its bracket.
      if (++count > values) return 'tooMany'
      if (kind === OPEN && ++depth > MAX_JSON_DEPTH) return 'tooDeep'
    }
  }
  return undefined
}

/** Where a text ends that begins with the quotation mark at `begin`; the end of all when it does not. */
function endOfText(json: Buffer, begin: number): number {
  // indexOf runs at memory speed over base64, which is most of a body.
  const quote = json.indexOf('"', begin + 1)
  if (quote < 0) return json.length
  if (json[quote - 1] !== BACKSLASH) return quote
  let at = begin + 1
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at
}
