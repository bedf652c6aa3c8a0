import fc from 'fast-check'

const PREFIXES = ['', 'p', 'q', 'longer'] as const
const URIS = ['', 'urn:a', 'urn:b', 'http://example.org/?a=1'] as const
const SPECIAL = [
  '&amp;',
  '&lt;',
  '&gt;',
  '&quot;',
  "'",
  '&#xD;',
  '&#x9;',
  '&#10;',
  '\r\n',
  '\t',
  ' ',
  'қаз',
  '\u{1F600}',
  'x',
  ']]',
]

const text = fc.array(fc.constantFrom(...SPECIAL), { maxLength: 5 }).map((parts) => parts.join(''))
const attributeName = fc.constantFrom('a', 'b', 'Id2', 'ә', 'xml:lang', 'xml:space', 'xml:base', 'p:a', 'q:a')
const prefix = fc.constantFrom(...PREFIXES)
const declaration = fc.tuple(prefix, fc.constantFrom(...URIS)).filter(([name, uri]) => name === '' || uri !== '')

interface Attributes {
  readonly attributes: readonly (readonly [string, string])[]
  readonly declarations: readonly (readonly [string, string])[]
}

const attributes: fc.Arbitrary<Attributes> = fc.record({
  attributes: fc.uniqueArray(fc.tuple(attributeName, text), {
    maxLength: 4,
    selector: ([name]) => name.replace(/^[pq]:/, ':'),
  }),
  declarations: fc.uniqueArray(declaration, { maxLength: 3, selector: ([name]) => name }),
})

const written = ({ attributes: list, declarations }: Attributes): string =>
  declarations.map(([name, uri]) => ` xmlns${name === '' ? '' : `:${name}`}="${uri}"`).join('') +
  list.map(([name, value]) => ` ${name}="${name === 'xml:base' ? 'a/../b' : value}"`).join('')

const { content } = fc.letrec<{ content: string; node: string }>((tie) => ({
  content: fc.array(tie('node'), { maxLength: 4 }).map((nodes) => nodes.join('')),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.constantFrom('<!-- c -->', '<?target data ?>', '<?t?>', '<![CDATA[<&>]]>'),
    fc.tuple(prefix, attributes, tie('content')).map(([name, list, inside]) => {
      const tag = name === '' ? 'e' : `${name}:e`
      return `<${tag}${written(list)}>${inside}</${tag}>`
    }),
  ),
}))

/** Namespaces are declared on the root, so that every prefix is bound. */
const ROOT = '<r xmlns:p="urn:p" xmlns:q="urn:q" xmlns:longer="urn:l" xml:lang="kk" xml:base="http://h/x/">'

/** Well-formed documents that make canonicalization work: namespaces, references, comments, instructions, white space. */
export const randomDocument: fc.Arbitrary<string> = content.map(
  (inside) => `<!-- before --><?p?>${ROOT}${inside}</r><!-- after -->`,
)
