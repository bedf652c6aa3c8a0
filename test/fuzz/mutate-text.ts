import type { Random } from './random.js'

const WORDS = [
  '<',
  '>',
  '</',
  '/>',
  '&',
  '&amp;',
  '&#0;',
  '&#x10FFFF;',
  '&#xD800;',
  '&lol;',
  '<!--',
  '-->',
  '<!-- -->',
  '<![CDATA[',
  ']]>',
  '<?xml version="1.1"?>',
  '<?a b?>',
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  ' xmlns=""',
  ' xmlns:a="b"',
  ' xmlns:xml="x"',
  ' Id="a"',
  ' xml:id="a"',
  ' URI=""',
  ' URI="#a"',
  ' URI="#xpointer(/)"',
  '"',
  "'",
  '=',
  '\u0000',
  '\ud800',
  '\ufffe',
  '\u{10ffff}',
  '\ufeff',
  'A'.repeat(5000),
  '====',
  '-----BEGIN CMS-----',
  '-----END CMS-----',
  '\r\n',
  '\t',
] as const

/** A good text with one to four things changed: its tags, attributes and texts as wholes, or single characters. */
export function mutateText(seeds: readonly string[], random: Random): string {
  let text = random.pick(seeds)
  for (let changes = 1 + random.below(4); changes > 0; changes -= 1)
    text = random.chance(70) ? changeTokens(text, seeds, random) : changeCharacters(text, random)
  return text
}

const tokensOf = (text: string): string[] => text.match(/<[^>]*>|[^<]+/g) ?? [text]

function changeTokens(text: string, seeds: readonly string[], random: Random): string {
  const tokens = tokensOf(text)
  const [at, other] = [random.below(tokens.length), random.below(tokens.length)]
  const token = tokens[at] as string
  switch (random.below(7)) {
    case 0:
      tokens.splice(at, 1)
      break
    case 1:
      tokens.splice(at, 0, ...Array.from({ length: 1 + random.below(20) }, () => token))
      break
    case 2:
      tokens[at] = tokens[other] as string
      tokens[other] = token
      break
    case 3:
      tokens[at] = random.pick(tokensOf(random.pick(seeds)))
      break
    case 4:
      tokens[at] = changeAttributes(token, random)
      break
    case 5: {
      // A whole run of tokens again, somewhere else.
      const [from, to] = [Math.min(at, other), Math.max(at, other) + 1]
      tokens.splice(random.below(tokens.length), 0, ...tokens.slice(from, Math.min(to, from + 60)))
      break
    }
    default:
      tokens[at] = changeCharacters(token, random)
  }
  return tokens.join('')
}

function changeAttributes(token: string, random: Random): string {
  const attributes = token.match(/\s[\w:]+="[^"]*"/g) ?? []
  if (attributes.length === 0) return token.replace(/\/?>$/, (end) => random.pick(WORDS) + end)
  const attribute = random.pick(attributes)
  return token.replace(attribute, random.pick(['', attribute + attribute, random.pick(WORDS), attribute.toUpperCase()]))
}

function changeCharacters(text: string, random: Random): string {
  const at = random.below(text.length + 1)
  const more = 1 + random.below(8)
  return random.pick([
    () => text.slice(0, at) + text.slice(at + more),
    () => text.slice(0, at) + random.pick(WORDS) + text.slice(at),
    () => text.slice(0, at) + String.fromCharCode(random.below(256)) + text.slice(at + 1),
    () => text.slice(0, at),
  ])()
}
