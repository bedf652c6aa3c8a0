import { deflateSync } from 'node:zlib'
import { joinSignature, splitSignature } from '@signed-registry/ddc-pdf'
import { expect } from 'chai'
import { PDFDocument } from 'pdf-lib'
import { cardOf, fakeCms, faultOf as fault, numberedPdf, openCards } from './cards.js'
import { PAGE, PAGES, pdfOf, pdfWith, SHOWN, stream } from './pdfs.js'

describe('a PDF that is to be shown in a card', () => {
  let cards: Awaited<ReturnType<typeof openCards>>
  before(async () => {
    cards = await openCards({ pages: 20, unpackedBytes: 2 ** 20 })
  })
  after(() => cards.close())
  const sample = (pdf: Uint8Array) => fault(cards.builder.sample(pdf, ['ru']))

  it('is shown in a sample, whatever sizes its pages have', async () => {
    expect(await sample(await numberedPdf(3, [1191, 842]))).to.equal('none')
  })

  it('is refused when it is no PDF, encrypted, broken, or has too many pages', async () => {
    expect(await sample(Buffer.from('PK\u0003\u0004'))).to.equal('notPdf')
    expect(await sample(Buffer.alloc(0))).to.equal('notPdf')
    const encrypted = pdfOf('<</Type/Catalog/Pages 2 0 R>>', PAGES, PAGE, '<</Filter/Standard/V 1/R 2/P -4>>')
    const marked = Buffer.from(
      encrypted.toString('latin1').replace('/Root 1 0 R', '/Root 1 0 R/Encrypt 4 0 R'),
      'latin1',
    )
    expect(await sample(marked)).to.equal('encrypted')
    const complete = Buffer.from(await numberedPdf(3))
    expect(await sample(complete.subarray(0, complete.length / 2))).to.equal('broken')
    expect(await sample(await numberedPdf(21))).to.equal('tooManyPages')
  })

  it('may be a loop of objects, or lie about its pages, and costs one refusal', async () => {
    const loop = pdfOf('<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]/Count 1>>')
    expect(await sample(loop)).to.equal('broken')
    const many = pdfOf(
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Kids[${'3 0 R '.repeat(100_000)}]/Count 100000>>`,
      PAGE,
    )
    expect(await sample(many)).to.be.oneOf(['tooManyPages', 'broken'])
  })

  it('may have a million objects, plainly or packed, of which no more are read than there may be', async () => {
    const few = await openCards({ objects: 1000 })
    const filled = (objects: number) => pdfWith([...SHOWN, ...Array<string>(objects - SHOWN.length).fill('<<>>')])
    const numbers = Array.from({ length: 1000 }, (_, n) => `${n + 100} 0 `).join('')
    const packed = stream(
      `/Type/ObjStm/N 1000/First ${numbers.length}/Filter/FlateDecode`,
      deflateSync(Buffer.from(`${numbers}<<>>`)),
    )
    try {
      expect(await fault(few.builder.sample(filled(1000), ['ru']))).to.equal('none')
      for (const pdf of [filled(1001), filled(1_000_000), pdfOf(...SHOWN, packed)])
        expect(await fault(few.builder.sample(pdf, ['ru']))).to.equal('tooManyObjects')
      // Cards have objects of their own beside those of their original.
      const card = await few.builder.build(cardOf(filled(1000), 2))
      expect(await few.parser.parse(card)).to.have.length(3)
    } finally {
      await few.close()
    }
  })

  it('may be a bomb, which is refused before it takes the memory that it asks for', async () => {
    const packed = deflateSync(Buffer.alloc(4 * 2 ** 20))
    const page = (...contents: Buffer[]) =>
      pdfOf('<</Type/Catalog/Pages 2 0 R>>', PAGES, PAGE.replace('>>', '/Contents 4 0 R>>'), ...contents)
    const bombs = {
      'of objects': stream('/Type/ObjStm/N 1/First 10/Filter/FlateDecode', packed),
      'of a drawing': stream('/Filter/FlateDecode', packed),
      'packed twice': stream('/Filter[/FlateDecode/FlateDecode]', deflateSync(packed)),
      'of runs': stream('/Filter/RunLengthDecode', Buffer.from('8100'.repeat(40_000), 'hex')),
    }
    for (const [name, bomb] of Object.entries(bombs)) expect(await sample(page(bomb)), name).to.equal('tooLarge')
    expect(await sample(await numberedPdf(1))).to.equal('none')
  })
})

describe('a card that is to be read', () => {
  let cards: Awaited<ReturnType<typeof openCards>>
  before(async () => {
    cards = await openCards({ files: 50, fileBytes: 2 * 1024 * 1024 })
  })
  after(() => cards.close())
  const parse = (pdf: Uint8Array) => fault(cards.parser.parse(pdf))
  const holding = (names: string, ...more: (string | Buffer)[]) =>
    pdfOf(`<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles ${names}>>>>`, PAGES, PAGE, ...more)

  it('is refused without attachments, with too many, and with too large ones', async () => {
    expect(await parse(await numberedPdf(1))).to.equal('noAttachments')
    expect(
      await parse(await cards.builder.build(cardOf(await numberedPdf(1), 60, { showsSignatures: false }))),
    ).to.equal('tooManyAttachments')
    const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024))
    const file = stream('/Type/EmbeddedFile/Filter/FlateDecode', bomb)
    const one = holding('<</Names[(a)4 0 R]>>', '<</F(a)/UF(a)/EF<</F 5 0 R>>>>', file)
    expect(await parse(one)).to.equal('tooLarge')
  })

  it('is refused when its name tree is a loop or no tree', async () => {
    expect(await parse(holding('4 0 R', '<</Kids[4 0 R]>>'))).to.equal('broken')
    expect(await parse(holding('<</Names[(a)(b)]>>'))).to.equal('broken')
    expect(await parse(holding('<</Names[(a)4 0 R]>>', '<</F(a)>>'))).to.equal('broken')
  })

  it('is refused when one long name that it holds once is that of many files', async () => {
    const files = Array.from({ length: 50 }, (_, n) => `(${n})4 0 R`).join(' ')
    const named = (length: number) =>
      holding(
        `<</Names[${files}]>>`,
        '<</UF 6 0 R/EF<</F 5 0 R>>>>',
        stream('/Type/EmbeddedFile', Buffer.from('abc')),
        `<FEFF${'0000'.repeat(length)}>`,
      )
    expect(await parse(named(4000))).to.equal('none')
    expect(await parse(named(5000))).to.equal('broken')
  })

  it('may have its files in the order of others, names in /F or /UF, and a tree of several levels', async () => {
    const file = (text: string) => stream('/Type/EmbeddedFile', Buffer.from(text))
    const card = holding(
      '<</Kids[4 0 R 5 0 R]>>',
      '<</Names[(Attachement10)6 0 R]>>',
      '<</Names[(Attachement2)7 0 R]>>',
      '<</F()/UF(first)/EF<</F 8 0 R>>>>',
      '<</F(second)/EF<</UF 9 0 R>>>>',
      file('one'),
      file('two'),
    )
    const files = await cards.parser.parse(card)
    expect(files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).to.deep.equal([
      ['first', 'one'],
      ['second', 'two'],
    ])
  })

  it('never ends in anything but files or a refusal, whatever octets are changed', async () => {
    const card = Buffer.from(
      await (await PDFDocument.load(await cards.builder.build(cardOf(await numberedPdf(1), 1)))).save(),
    )
    for (let n = 0; n < 60; n++) {
      const changed = Buffer.from(card)
      for (let flips = 0; flips < 8; flips++) {
        const at = (n * 7919 + flips * 104729) % changed.length
        changed.writeUInt8(changed.readUInt8(at) ^ (1 << ((n + flips) % 8)), at)
      }
      expect(await parse(changed)).to.be.oneOf(['none', 'broken', 'noAttachments', 'notPdf', 'encrypted', 'tooLarge'])
    }
  })
})

describe('QR codes of a signature', () => {
  const signature = { documentId: 'lQsqLBaS4nQAIIMm', signId: 7, signType: 'xml' as const, signature: fakeCms(1, 9000) }

  it('give it back in any order, read twice or not, and are the same each time', () => {
    const codes = splitSignature(signature, 25, 'M')
    expect(codes).to.deep.equal(splitSignature(signature, 25, 'M'))
    const joined = joinSignature([...codes, codes[0] ?? ''].reverse())
    expect({ ...joined, signature: Buffer.from(joined.signature) }).to.deep.equal(signature)
  })

  it('are refused when one is missing, another’s, doubled with other data, or no code at all', () => {
    const codes = splitSignature(signature, 40, 'L')
    const others = splitSignature({ ...signature, signId: 8 }, 40, 'L')
    expect(() => joinSignature(codes.slice(1))).to.throw(TypeError, 'Code 1 of')
    expect(() => joinSignature([])).to.throw(TypeError)
    expect(() => joinSignature([...codes.slice(1), others[0] ?? ''])).to.throw(TypeError, 'different signatures')
    const doubled = JSON.stringify({ ...JSON.parse(codes[0] ?? ''), data: 'AAAA' })
    expect(() => joinSignature([...codes, doubled])).to.throw(TypeError, 'Two codes')
    expect(() => joinSignature(['{"signId":1}'])).to.throw(TypeError, 'no code')
  })
})
