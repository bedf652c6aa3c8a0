import { expect } from 'chai'
import fc from 'fast-check'
import type { Canonicalization } from '#verifier/algorithms/canonicalization.js'
import { canonicalize } from '#verifier/xml/canonicalize.js'
import { parseXml } from '#verifier/xml/parse-xml.js'
import { readXmlSignature } from '#verifier/xml/read-xml-signature.js'
import { verifyXmlDocument, verifyXmlSignatures } from '#verifier/xml/verify-xml-document.js'
import { testAuthorities } from '../../support/pki/authorities.js'
import { randomDocument } from '../../support/xml/random-document.js'
import { refusal } from '../../support/xml/refusal.js'

const KINDS = ['inclusive-1.0', 'inclusive-1.1', 'exclusive'] as const
const methods: readonly Canonicalization[] = KINDS.flatMap((kind) =>
  [true, false].map((withComments) => ({ uri: '', kind, withComments, inclusivePrefixes: new Set<string>() })),
)

const FRAGMENTS = [
  ...[
    '<',
    '>',
    '/>',
    '</',
    '<a',
    '<a>',
    '</a>',
    ' b="c"',
    ' xmlns:p="urn:p"',
    'p:',
    '&',
    '&amp;',
    '&#x41;',
    ';',
    '"',
    "'",
  ],
  ...[
    '<!--',
    '-->',
    '<?',
    '?>',
    '<![CDATA[',
    ']]>',
    '<!DOCTYPE a>',
    '<?xml version="1.0"?>',
    '=',
    ' ',
    '\r',
    'x',
    'қ',
    '\uD800',
  ],
  '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#">',
  '</ds:Signature>',
]

describe('XML: properties', () => {
  it('a canonical form is its own canonical form', () => {
    fc.assert(
      fc.property(randomDocument, fc.constantFrom(...methods), (xml, method) => {
        const once = canonicalize(parseXml(xml), method)
        const twice = canonicalize(parseXml(once.toString('utf8')), method)
        expect(twice.toString('utf8')).to.equal(once.toString('utf8'))
      }),
      { numRuns: 300 },
    )
  })

  it('whatever text is parsed, only coded errors come out', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (xml) => {
        refusal(() => parseXml(xml))
        refusal(() => readXmlSignature(xml))
        refusal(() => verifyXmlSignatures(xml))
      }),
      { numRuns: 3000 },
    )
  })

  describe('of a signed document', () => {
    const person = testAuthorities().person({ algorithm: 'p256' })
    const { document, signature, data } = person.signXml('<!-- c --><r xmlns="urn:r" a="1"><x>text</x><?p q?></r>')

    it('a text changed anywhere means the same or is refused with a coded error', () => {
      fc.assert(
        fc.property(mutation(document), (mutant) => {
          let accepted: ReturnType<typeof verifyXmlDocument> | undefined
          const verdict = refusal(() => {
            accepted = verifyXmlDocument(mutant)
          })
          if (verdict !== 'accepted') return
          if (accepted?.covers === 'document') expect(Buffer.compare(accepted.signedBytes, data)).to.equal(0)
        }),
        { numRuns: 3000 },
      )
    })

    it('so does a signature element', () => {
      const { digests, fingerprint } = readXmlSignature(signature)
      fc.assert(
        fc.property(mutation(signature), (mutant) => {
          let read: ReturnType<typeof readXmlSignature> | undefined
          const verdict = refusal(() => {
            read = readXmlSignature(mutant)
          })
          if (verdict !== 'accepted') return
          expect(read?.digests).to.deep.equal(digests)
          // Another certificate of the same key is for the path to refuse.
          if (Buffer.from(read?.signer.der ?? []).equals(person.certificate))
            expect(read?.fingerprint).to.deep.equal(fingerprint)
        }),
        { numRuns: 3000 },
      )
    })
  })
})

/** One place of a text dropped, doubled, replaced by a fragment, or moved. */
function mutation(text: string): fc.Arbitrary<string> {
  const place = fc.nat({ max: text.length - 1 })
  return fc
    .tuple(
      place,
      place,
      fc.nat({ max: 60 }),
      fc.constantFrom('drop', 'double', 'insert', 'replace', 'move'),
      fc.constantFrom(...FRAGMENTS),
    )
    .map(([at, other, length, kind, fragment]) => {
      const [before, piece, after] = [text.slice(0, at), text.slice(at, at + length), text.slice(at + length)]
      switch (kind) {
        case 'drop':
          return before + after
        case 'double':
          return before + piece + piece + after
        case 'insert':
          return before + fragment + piece + after
        case 'replace':
          return before + fragment + after
        default: {
          const rest = before + after
          return rest.slice(0, other) + piece + rest.slice(other)
        }
      }
    })
}
