import { contract, FONT, pageContent } from './contract.js'
import { invisibleField, type Sign, signedPdf, visibleField, withFields } from './sign-pdf.js'
import { certified, signedInItsField, signedOnce } from './signed-contracts.js'
import { lastStart, stream, updated } from './write-pdf.js'

/** A PDF that shows something else than what was signed, or says that it is signed and is not. */
export interface PdfAttack {
  readonly family: 'incremental saving' | 'shadow' | 'universal forgery' | 'wrapping' | 'certification' | 'structure'
  readonly name: string
  /** `code`, or `code reason`, of the problem that is found; `refused reason` where the file is not read. */
  readonly found: string
  make(sign: Sign): Buffer
}

const PAGE = withFields(11)[3] ?? ''
const CATALOG = withFields(11)[1] ?? ''
const changed = { 4: pageContent('The buyer pays 900') }

/** A signed contract with an update by somebody else behind it. */
const behind = (update: Parameters<typeof updated>[1]) => (sign: Sign) => updated(signedOnce(sign), update)

const added = (
  name: string,
  update: Parameters<typeof updated>[1],
  family: PdfAttack['family'] = 'shadow',
): PdfAttack => ({
  ...{ family, name, found: 'addedAfterSigning' },
  make: behind(update),
})

/** A contract with something in it that an update brings out. */
const prepared = (
  name: string,
  before: Parameters<typeof contract>[0],
  update: Parameters<typeof updated>[1],
): PdfAttack => ({
  ...{ family: 'shadow', name, found: 'addedAfterSigning' },
  make: (sign) => {
    const page = `${before?.objects?.[3] ?? PAGE.replace('/Annots[11 0 R]', '')}`.replace(/>>$/, '/Annots[11 0 R]>>')
    return updated(signedPdf(contract(before), { sign, number: 10, objects: { 1: CATALOG, 3: page } }), update)
  },
})

/** The octets of a file with something else in the place of a text of the same length. */
function patched(pdf: Buffer, from: string | RegExp, to: (found: string) => string): Buffer {
  const text = pdf.toString('latin1')
  const made = Buffer.from(text.replace(from, to), 'latin1')
  if (made.length !== pdf.length || made.equals(pdf)) throw new TypeError('the patch does not fit')
  return made
}

const RANGE = /\/ByteRange\[0 \d{10} \d{10} \d{10}\]/
const range = (to: string) => (sign: Sign) => patched(signedOnce(sign), RANGE, (found) => to.padEnd(found.length, ' '))
const forged = (name: string, found: string, make: (sign: Sign) => Buffer): PdfAttack => ({
  ...{ family: 'universal forgery', name, found: `signatureBroken ${found}`, make },
})
const numbersOf = (pdf: Buffer): number[] => (RANGE.exec(pdf.toString('latin1'))?.[0].match(/\d+/g) ?? []).map(Number)
const ranges = (make: (numbers: number[], size: number) => readonly number[]) => (sign: Sign) => {
  const pdf = signedOnce(sign)
  const made = make(numbersOf(pdf), pdf.length)
  return patched(pdf, RANGE, (found) => `/ByteRange[${made.join(' ')}]`.padEnd(found.length, ' '))
}

export const attacks: readonly PdfAttack[] = [
  added('the content of a page is replaced', { objects: changed }, 'incremental saving'),
  added(
    'a page gets other content',
    { objects: { 3: PAGE.replace('4 0 R', '40 0 R'), 40: pageContent('900') } },
    'incremental saving',
  ),
  added(
    'a page is added',
    {
      objects: { 2: '<</Type/Pages/Kids[3 0 R 41 0 R]/Count 2/MediaBox[0 0 595 842]>>', 41: PAGE },
    },
    'incremental saving',
  ),
  added(
    'the catalog leads to other pages',
    {
      objects: {
        1: CATALOG.replace('2 0 R', '42 0 R'),
        42: '<</Type/Pages/Kids[43 0 R]/Count 1/MediaBox[0 0 595 842]>>',
        43: PAGE.replace('2 0 R', '42 0 R').replace('4 0 R', '40 0 R'),
        40: pageContent('900'),
      },
    },
    'incremental saving',
  ),
  added(
    'the trailer names another root',
    {
      objects: {
        44: CATALOG.replace('2 0 R', '42 0 R'),
        42: '<</Type/Pages/Kids[43 0 R]/Count 1/MediaBox[0 0 595 842]>>',
        43: PAGE,
        40: pageContent('900'),
      },
      root: 44,
    },
    'incremental saving',
  ),
  added(
    'it runs something when it is opened',
    { objects: { 1: CATALOG.replace(/>>$/, '/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>') } },
    'incremental saving',
  ),
  {
    ...{
      family: 'incremental saving',
      name: 'objects without a cross reference',
      found: 'addedAfterSigning behindEndOfFile',
    },
    make: (sign) =>
      Buffer.concat([signedOnce(sign), Buffer.from(`4 0 obj\n${changed[4].toString('latin1')}\nendobj\n`, 'latin1')]),
  },
  {
    ...{
      family: 'incremental saving',
      name: 'objects and a trailer without a cross reference',
      found: 'refused xrefBroken',
    },
    make: (sign) => {
      const pdf = signedOnce(sign)
      return Buffer.concat([
        pdf,
        Buffer.from(
          `4 0 obj\n<</Length 0>>\nstream\n\nendstream\nendobj\ntrailer\n<</Root 1 0 R/Prev ${lastStart(pdf)}>>\nstartxref\n${pdf.length}\n%%EOF\n`,
        ),
      ])
    },
  },
  {
    ...{
      family: 'incremental saving',
      name: 'an update with a copy of the signature',
      found: 'signatureBroken gapNotContents',
    },
    make: (sign) => {
      const pdf = signedOnce(sign)
      const text = pdf.toString('latin1')
      const copy = text.slice(text.indexOf('<</Type/Sig'), text.indexOf('endobj', text.indexOf('<</Type/Sig')))
      return updated(pdf, { objects: { ...changed, 10: copy } })
    },
  },
  // Shadow attacks: hide, replace, hide and replace.
  prepared(
    'hide: an overlay is taken away',
    {
      page: '',
      objects: {
        3: '<</Type/Page/Parent 2 0 R/Contents[4 0 R 46 0 R]/Resources<</Font<</F 5 0 R>>>>>>',
        46: stream('', Buffer.from('1 g 0 600 595 200 re f')),
      },
    },
    { freed: [46] },
  ),
  added('hide: a page refers to no overlay any more', {
    objects: { 3: PAGE.replace('/Contents 4 0 R', '/Contents[]') },
  }),
  prepared('replace: a font with other glyphs', {}, { objects: { 5: FONT.replace('Helvetica', 'Symbol') } }),
  prepared(
    'replace: what a font refers to',
    { objects: { 5: '<</Type/Font/Subtype/Type1/BaseFont/X/Encoding 47 0 R>>', 47: '<</Type/Encoding>>' } },
    {
      objects: { 47: '<</Type/Encoding/Differences[48/nine]>>' },
    },
  ),
  prepared(
    'replace: what was referred to and was not there',
    { objects: { 3: '<</Type/Page/Parent 2 0 R/Contents[4 0 R 48 0 R]/Resources<</Font<</F 5 0 R>>>>>>' } },
    { objects: { 48: pageContent('900') } },
  ),
  {
    ...{ family: 'shadow', name: 'replace: the value of a form field', found: 'addedAfterSigning' },
    make: (sign) => {
      const text = '<</Type/Annot/Subtype/Widget/FT/Tx/T(Sum)/V(100)/Rect[72 600 172 620]/P 3 0 R/F 4>>'
      const { 1: catalog = '', 3: page = '' } = withFields(49, 11)
      const pdf = signedPdf(contract(), { sign, number: 10, objects: { 1: catalog, 3: page, 49: text } })
      return updated(pdf, { objects: { 49: text.replace('100', '900') } })
    },
  },
  prepared(
    'replace: an object of a stream of objects',
    { form: 'stream', packed: [5] },
    { form: 'stream', objects: { 5: FONT.replace('Helvetica', 'Symbol') }, packed: [5] },
  ),
  {
    ...{
      family: 'shadow',
      name: 'hide and replace: an update leads to objects that were hidden in what was signed',
      found: 'addedAfterSigning',
    },
    make: (sign) => {
      const hidden = updated(contract(), { objects: changed })
      const shown = updated(hidden, { objects: { 4: pageContent('The buyer pays 100') } })
      const pdf = signedPdf(shown, { sign, number: 10, objects: withFields(11) })
      return updated(pdf, { offsets: { 4: hidden.indexOf('4 0 obj', contract().length) } })
    },
  },
  {
    ...{ family: 'shadow', name: 'hide and replace: a second root that was hidden', found: 'addedAfterSigning' },
    make: (sign) => {
      const objects = {
        50: CATALOG.replace('2 0 R', '51 0 R'),
        51: '<</Type/Pages/Kids[52 0 R]/Count 1/MediaBox[0 0 595 842]>>',
        52: PAGE.replace('2 0 R', '51 0 R').replace('4 0 R', '53 0 R'),
        53: pageContent('900'),
      }
      return updated(signedPdf(contract({ objects }), { sign, number: 10, objects: withFields(11) }), { root: 50 })
    },
  },
  added('an annotation covers the text', {
    objects: {
      3: PAGE.replace('11 0 R]', '11 0 R 54 0 R]'),
      54: '<</Type/Annot/Subtype/FreeText/Rect[0 600 595 842]/Contents(900)/P 3 0 R>>',
    },
  }),
  added('a field that nobody signed shows something', {
    objects: {
      ...withFields(11, 55),
      55: '<</Type/Annot/Subtype/Widget/FT/Sig/T(X)/Rect[72 690 272 720]/P 3 0 R/F 4/AP<</N 56 0 R>>>>',
      56: pageContent('900'),
    },
  }),
  added('a field that acts', {
    objects: {
      ...withFields(11, 55),
      55: '<</Type/Annot/Subtype/Widget/FT/Sig/T(X)/Rect[0 0 0 0]/P 3 0 R/A<</S/JavaScript/JS(1)>>>>',
    },
  }),
  added('the field of the signature is taken away', { objects: { 3: PAGE.replace('/Annots[11 0 R]', '') } }),
  added('a file is attached', {
    objects: { 1: CATALOG.replace(/>>$/, '/Names<</EmbeddedFiles<</Names[(a)<</F(a)>>]>>>>>>') },
  }),
  added('fields are drawn anew', {
    objects: { 1: CATALOG.replace('/SigFlags 3', '/SigFlags 3/NeedAppearances true') },
  }),
  {
    ...{ family: 'shadow', name: 'a second signer changes what the first signed', found: 'changedAfterSigning' },
    make: (sign) => signedPdf(signedOnce(sign), { sign, number: 20, objects: { ...withFields(11, 21), ...changed } }),
  },
  {
    ...{ family: 'shadow', name: 'the mark of a second signer covers the page', found: 'changedAfterSigning' },
    make: (sign) =>
      signedPdf(signedOnce(sign), {
        sign,
        number: 20,
        objects: withFields(11, 21),
        field: visibleField('B', 20, '0 0 595 842'),
      }),
  },
  {
    ...{ family: 'shadow', name: 'the mark of a second signer covers that of the first', found: 'changedAfterSigning' },
    make: (sign) => {
      const once = signedOnce(sign, { field: visibleField('A', 10) })
      return signedPdf(once, {
        sign,
        number: 20,
        objects: withFields(11, 21),
        field: visibleField('B', 20, '80 80 200 110'),
      })
    },
  },
  {
    ...{ family: 'shadow', name: 'a prepared field that is as large as the page', found: 'changedAfterSigning' },
    make: (sign) => signedInItsField(sign, '0 0 595 842'),
  },
  // Universal signature forgery.
  ...[
    '',
    '/ByteRange null',
    '/ByteRange[]',
    '/ByteRange[0 0 0]',
    '/ByteRange(0 1 2 3)',
    '/ByteRange 7 0 R',
    '/ByteRange[0 1 2 3 4 5]',
  ].map((to) => forged(`ByteRange is ${to === '' ? 'missing' : to}`, 'byteRange', range(to))),
  forged('ByteRange is negative', 'byteRange', range('/ByteRange[0 -1 -1 -1]')),
  forged('ByteRange is real', 'byteRange', range('/ByteRange[0 1.5 2.5 3.5]')),
  forged('ByteRange is zero', 'rangesWrong', range('/ByteRange[0 0 0 0]')),
  forged(
    'ByteRange reaches behind the file',
    'rangesWrong',
    ranges(([a = 0, b = 0, c = 0], size) => [a, b, c, size]),
  ),
  forged('ByteRange is doubled', 'byteRange', (sign) => signedOnce(sign, { more: '/ByteRange[0 1 2 3]' })),
  forged('Contents are missing', 'contentsMissing', (sign) =>
    patched(signedOnce(sign), '/Contents<', () => '/Kontents<'),
  ),
  forged('Contents are empty', 'contentsBroken', (sign) =>
    signedOnce(sign, { contents: (hex) => '0'.repeat(hex.length) }),
  ),
  forged('Contents are no CMS', 'contentsBroken', (sign) =>
    signedOnce(sign, { contents: (hex) => 'f'.repeat(hex.length) }),
  ),
  forged('Contents are text', 'contentsMissing', (sign) => signedOnce(sign, { more: '/Contents(none)' })),
  forged('something stands behind the CMS', 'behindSignature', (sign) =>
    signedOnce(sign, { contents: (hex) => `${hex.slice(0, -2)}01` }),
  ),
  forged('the kind of signature is missing', 'subFilter', (sign) =>
    patched(signedOnce(sign), '/SubFilter/', () => '/SobFilter/'),
  ),
  forged('the value of a field is no dictionary', 'noDictionary', (sign) =>
    updated(signedOnce(sign), {
      objects: { 11: '<</Type/Annot/Subtype/Widget/FT/Sig/T(A)/V(signed)/Rect[0 0 0 0]/P 3 0 R>>' },
    }),
  ),
  forged('two fields of one name', 'fieldDoubled', (sign) =>
    signedPdf(signedOnce(sign, { name: 'A' }), { sign, number: 20, name: 'A', objects: withFields(11, 21) }),
  ),
  forged('two fields with one signature', 'valueDoubled', (sign) =>
    updated(signedOnce(sign), { objects: { ...withFields(11, 21), 21: invisibleField('B', 10) } }),
  ),
  forged('a signature in no field', 'noField', (sign) => signedPdf(contract(), { sign, number: 10, field: null })),
  {
    ...{ family: 'universal forgery', name: 'a kind that nobody should use any more', found: 'unsupported subFilter' },
    make: (sign) => signedOnce(sign, { subFilter: 'adbe.pkcs7.sha1' }),
  },
  // Signature wrapping.
  ...[
    [
      'the first range does not begin with the file',
      'notFromBeginning',
      ([, b = 0, c = 0, d = 0]: number[]) => [1, b - 1, c, d],
    ],
    ['the ranges are reversed', 'notFromBeginning', ([, b = 0, c = 0, d = 0]: number[]) => [c, d, 0, b]],
    ['the ranges overlap', 'rangesWrong', ([a = 0, b = 0, c = 0, d = 0]: number[]) => [a, c, b, d]],
    [
      'the ranges leave out more than Contents',
      'gapNotContents',
      ([a = 0, b = 0, c = 0, d = 0]: number[]) => [a, b - 20, c, d],
    ],
    [
      'the gap begins inside of Contents',
      'gapNotContents',
      ([a = 0, b = 0, c = 0, d = 0]: number[]) => [a, b + 1, c, d],
    ],
    [
      'the second range begins later',
      'gapNotContents',
      ([a = 0, b = 0, c = 0, d = 0]: number[]) => [a, b, c + 10, d - 10],
    ],
    [
      'the second range ends early',
      'notToEndOfRevision',
      ([a = 0, b = 0, c = 0, d = 0]: number[]) => [a, b, c, d - 10],
    ],
  ].map(([name, found, make]) => ({
    ...{ family: 'wrapping' as const, name: String(name), found: `signatureBroken ${found}` },
    make: ranges(make as (numbers: number[]) => number[]),
  })),
  {
    ...{ family: 'wrapping', name: 'content stands between the ranges', found: 'refused objectBroken' },
    make: (sign) => {
      const pdf = signedOnce(sign)
      const [a = 0, b = 0, c = 0, d = 0] = numbersOf(pdf)
      const moved = Buffer.concat([pdf.subarray(0, c), Buffer.from('/Hidden(content)'), pdf.subarray(c)])
      return patched(moved, RANGE, (found) => `/ByteRange[${[a, b, c + 16, d].join(' ')}]`.padEnd(found.length, ' '))
    },
  },
  {
    ...{
      family: 'wrapping',
      name: 'two signatures cover the gaps of each other',
      found: 'signatureBroken notToEndOfRevision',
    },
    make: (sign) => {
      const twice = signedPdf(signedOnce(sign), { sign, number: 20, objects: withFields(11, 21) })
      const [a = 0, b = 0, c = 0] = numbersOf(twice)
      return patched(twice, RANGE, (found) =>
        `/ByteRange[${[a, b, c, twice.length - c - 40].join(' ')}]`.padEnd(found.length, ' '),
      )
    },
  },
  {
    ...{
      family: 'wrapping',
      name: 'a second dictionary of the same signature, with other ranges',
      found: 'signatureBroken gapNotContents',
    },
    make: (sign) => {
      const pdf = signedOnce(sign)
      const text = pdf.toString('latin1')
      const copy = text.slice(text.indexOf('<</Type/Sig'), text.indexOf('\nendobj', text.indexOf('<</Type/Sig')))
      return updated(pdf, { objects: { 20: copy, 21: invisibleField('B', 20), ...withFields(11, 21) } })
    },
  },
  // Certified documents.
  ...(
    [
      [
        1,
        'a field is added',
        { ...withFields(11, 55), 55: '<</Type/Annot/Subtype/Widget/FT/Sig/T(X)/Rect[0 0 0 0]/P 3 0 R>>' },
      ],
      [
        2,
        'an annotation is added',
        {
          3: PAGE.replace('11 0 R]', '11 0 R 54 0 R]'),
          54: '<</Type/Annot/Subtype/FreeText/Rect[0 600 595 842]/P 3 0 R>>',
        },
      ],
      [3, 'a page is changed', changed],
    ] as const
  ).map(
    ([level, name, objects]): PdfAttack => ({
      ...{ family: 'certification', name: `with P ${level} ${name}`, found: 'changeForbidden' },
      make: (sign) => {
        const catalog = (objects as Record<number, string>)[1]
        const own = catalog === undefined ? {} : { 1: catalog.replace(/>>$/, '/Perms<</DocMDP 10 0 R>>>>') }
        return updated(certified(sign, level), { objects: { ...objects, ...own } })
      },
    }),
  ),
  {
    ...{ family: 'certification', name: 'with P 2 another P is written over', found: 'changeForbidden' },
    make: (sign) => {
      const reference = (level: number) =>
        `<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</Type/TransformParams/P ${level}/V/1.2>>>>`
      const { 1: catalog = '', ...rest } = withFields(11)
      const objects = { ...rest, 1: catalog.replace(/>>$/, '/Perms<</DocMDP 10 0 R>>>>'), 50: reference(2) }
      return updated(signedOnce(sign, { objects, more: '/Reference[50 0 R]' }), {
        objects: {
          50: reference(3),
          3: PAGE.replace('11 0 R]', '11 0 R 54 0 R]'),
          54: '<</Type/Annot/Subtype/FreeText/Rect[0 600 595 842]/P 3 0 R>>',
        },
      })
    },
  },
  {
    ...{ family: 'certification', name: 'the mark of a second signature is added', found: 'changedAfterSigning' },
    make: (sign) => {
      const { 1: catalog = '', 3: page = '' } = withFields(11, 21)
      return signedPdf(certified(sign, 2), {
        sign,
        number: 20,
        field: visibleField('B', 20),
        objects: { 1: catalog.replace(/>>$/, '/Perms<</DocMDP 10 0 R>>>>'), 3: page },
      })
    },
  },
  // Structure.
  {
    ...{ family: 'structure', name: 'encrypted', found: 'unsupported encrypted' },
    make: (sign) => signedOnce(sign, { trailer: '/Encrypt<</Filter/Standard>>' }),
  },
  {
    ...{ family: 'structure', name: 'a form in XML', found: 'unsupported xfa' },
    make: (sign) =>
      signedOnce(sign, { objects: { ...withFields(11), 1: CATALOG.replace('/SigFlags 3', '/SigFlags 3/XFA(x)') } }),
  },
  {
    ...{ family: 'structure', name: 'something before the header', found: 'refused notSigned' },
    make: (sign) => Buffer.concat([Buffer.from('x'), signedOnce(sign)]),
  },
  {
    ...{ family: 'structure', name: 'a cross reference that leads to itself', found: 'refused xrefLoop' },
    make: (sign) => {
      const pdf = signedOnce(sign)
      const at = `${pdf.length}`.padStart(10, '0')
      return Buffer.concat([
        pdf,
        Buffer.from(
          `xref\n0 0\ntrailer\n<</Size 12/Root 1 0 R/Prev ${Number(at)}>>\nstartxref\n${Number(at)}\n%%EOF\n`,
        ),
      ])
    },
  },
  {
    ...{ family: 'structure', name: 'a stream of objects that inflates without end', found: 'refused inflatesTooMuch' },
    make: (sign) => {
      const bomb = stream('/Type/ObjStm/N 1/First 4', Buffer.alloc(64 * 1024 * 1024, ' '))
      const pdf = signedOnce(sign, { objects: { ...withFields(11), 57: bomb } }, 'stream')
      return updated(pdf, {
        form: 'stream',
        objects: { 1: CATALOG.replace('[11 0 R]', '[11 0 R 58 0 R]') },
        inside: { 58: [57, 0] },
      })
    },
  },
]
