import { createHash } from 'node:crypto'
import { deflateSync, inflateSync } from 'node:zlib'
import type { Card } from '@signed-registry/core'

import { expect } from 'chai'
import { PDFDocument, PDFName, PDFRawStream, PDFString } from 'pdf-lib'
import { DRAWING } from '#ddc-pdf/recipe-text.js'
import { cardOf, numberedPdf, openCards } from './cards.js'

const SAVED = { addDefaultPage: false, updateFieldAppearances: false }

describe('the pages of a document card', () => {
  let cards: Awaited<ReturnType<typeof openCards>>
  let original: Uint8Array
  let honest: Card
  let built: Uint8Array
  before(async () => {
    cards = await openCards()
    original = await numberedPdf(2)
    honest = cardOf(original, 2)
    built = await cards.builder.build(honest)
  })
  after(() => cards?.close())

  const compare = (card: Uint8Array, again: Card = honest) => cards.comparer.compare(card, again)
  /** The card after somebody opened it, did something, and saved it. */
  const edited = async (edit: (pdf: PDFDocument) => unknown): Promise<Uint8Array> => {
    const pdf = await PDFDocument.load(built, { updateMetadata: false })
    await edit(pdf)
    return pdf.save(SAVED)
  }

  it('are the same when the card is built again of the same state, in every language and with every choice', async () => {
    expect(await compare(built)).to.deep.equal({ compared: 'same' })
    const others: Partial<Card>[] = [
      { languages: ['kk'] },
      { languages: ['en', 'kk'] },
      { languages: ['kk', 'ru', 'en'] },
      { showsOriginal: false, fileName: 'шарт.docx' },
      { showsSignatures: false, showsId: false },
      { showsCodes: false, linksId: true, saysVerified: true },
    ]
    for (const changes of others) {
      const card = { ...honest, ...changes }
      const bytes = await cards.builder.build(card)
      expect(await compare(bytes, card), JSON.stringify(changes)).to.deep.equal({ compared: 'same' })
      const recipe = await cards.comparer.recipe(bytes)
      expect(recipe).to.deep.include({ languages: card.languages, builtAt: card.builtAt, showsId: card.showsId })
      expect(recipe?.hashes).to.deep.equal([...card.digests.keys()])
    }
  })

  it('differ when a page was redrawn, whatever way that was saved', async () => {
    const redraw = (pdf: PDFDocument) => pdf.getPage(1).drawText('1 tenge', { x: 100, y: 400 })
    expect(await compare(await edited(redraw))).to.deep.equal({ compared: 'differ', numbers: [2] })
    const pdf = await PDFDocument.load(built, { updateMetadata: false })
    redraw(pdf)
    const plain = await pdf.save({ ...SAVED, useObjectStreams: false })
    expect(await compare(plain)).to.deep.equal({ compared: 'differ', numbers: [2] })
  })

  it('differ when something was added: an annotation, a layer, a rotation, another box', async () => {
    const edits: ((pdf: PDFDocument) => void)[] = [
      (pdf) => {
        const note = pdf.context.obj({ Type: 'Annot', Subtype: 'FreeText', Rect: [50, 300, 300, 500] })
        pdf.getPage(2).node.addAnnot(pdf.context.register(note))
      },
      (pdf) => pdf.getPage(2).node.set(PDFName.of('Group'), pdf.context.obj({ S: 'Transparency' })),
      (pdf) => pdf.getPage(2).node.set(PDFName.of('Rotate'), pdf.context.obj(180)),
      (pdf) => pdf.getPage(2).setCropBox(0, 0, 200, 200),
    ]
    for (const edit of edits)
      expect(await compare(await edited(edit))).to.deep.equal({ compared: 'differ', numbers: [3] })
  })

  it('differ when there are more, fewer, or others in their place', async () => {
    const pages = cardPages(await PDFDocument.load(built))
    const more = await edited((pdf) => pdf.addPage().drawText('and a debt', { x: 50, y: 50 }))
    expect(await compare(more)).to.deep.equal({ compared: 'differ', numbers: [pages + 1] })
    const fewer = await edited((pdf) => pdf.removePage(pages - 1))
    expect(await compare(fewer)).to.deep.equal({ compared: 'differ', numbers: [pages] })
    const swapped = await edited((pdf) => {
      const page = pdf.getPage(1)
      pdf.removePage(1)
      pdf.insertPage(2, page)
    })
    expect(await compare(swapped)).to.deep.equal({ compared: 'differ', numbers: [2, 3] })
  })

  it('differ, by no number, when something else in the file does: scripts, files, what was appended', async () => {
    const beside = { compared: 'differ', numbers: [] }
    const script = await edited((pdf) => pdf.addJavaScript('open', 'app.alert(1)'))
    expect(await compare(script)).to.deep.equal(beside)
    const titled = await edited((pdf) => pdf.setTitle('Another'))
    expect(await compare(titled)).to.deep.equal(beside)
    const layers = await edited((pdf) => pdf.catalog.set(PDFName.of('OCProperties'), pdf.context.obj({})))
    expect(await compare(layers)).to.deep.equal(beside)
    expect(await compare(Buffer.concat([built, Buffer.from('\n')]))).to.deep.equal(beside)
    expect(await compare(Buffer.concat([Buffer.from('%PDF-1.4\n'), built]))).to.deep.equal(beside)
  })

  it('differ when readers that follow the table of the file see others than those who read it in order', async () => {
    const pdf = await PDFDocument.load(built, { updateMetadata: false })
    const [contents] = pdf.getPage(1).node.get(PDFName.of('Contents'))?.toString().match(/\d+ 0/) ?? []
    const forged = `${contents} obj\n<< /Length 5 >>\nstream\n0 0 m\nendstream\nendobj\n`
    const text = Buffer.from(built).toString('latin1')
    const at = text.indexOf('\n\n') + 2
    const before = Buffer.from(`${text.slice(0, at)}${forged}${text.slice(at)}`, 'latin1')
    expect(await compare(before)).to.deep.equal({ compared: 'differ', numbers: [] })
    // The last update wins for both: what it shows is seen.
    const appended = `${text}\n${forged}\ntrailer\n<< >>\nstartxref\n0\n%%EOF\n`
    expect(await compare(Buffer.from(appended, 'latin1'))).to.deep.include({ compared: 'differ', numbers: [2] })
  })

  it('are the same however they are compressed, since another release of Node compresses otherwise', async () => {
    const compressed = (level: number, change: (bytes: Buffer) => Buffer = (bytes) => bytes) =>
      edited((pdf) => {
        for (const [ref, object] of pdf.context.enumerateIndirectObjects()) {
          if (!(object instanceof PDFRawStream)) continue
          if (object.dict.get(PDFName.of('Filter')) !== PDFName.of('FlateDecode')) continue
          const bytes = deflateSync(change(inflateSync(object.contents)), { level })
          pdf.context.assign(ref, PDFRawStream.of(object.dict, bytes))
        }
      })
    const again = await compressed(9)
    expect(Buffer.from(again).equals(built)).to.equal(false)
    expect(await compare(again)).to.deep.equal({ compared: 'same' })
    const longer = await compressed(9, (bytes) => Buffer.concat([bytes, Buffer.from(' ')]))
    expect(await compare(longer)).to.include({ compared: 'differ' })
  })

  it('are not those of a card with other signatures, another original or another moment', async () => {
    for (const changes of [
      { builtAt: honest.builtAt + 60_000 },
      { signatures: honest.signatures.slice(0, 1) },
      { original: await numberedPdf(3) },
      { fileName: 'other.pdf' },
    ])
      expect(await compare(built, { ...honest, ...changes })).to.include({ compared: 'differ' })
  })

  it('are not compared if settings or the version of the drawing differ, or the recipe is missing', async () => {
    const reason = (why: string) => ({ compared: 'notCompared', reason: why })
    const others: Partial<Card>[] = [
      { title: 'Another' },
      { link: 'https://moved.example.kz/d/lQsqLBaS4nQAIIMm' },
      { maker: { service: 'registry.example.kz', howToVerify: { ru: 'Спросите нас' } } },
    ]
    for (const changes of others)
      expect(await compare(built, { ...honest, ...changes })).to.deep.equal(reason('otherSettings'))
    const silent = await edited((pdf) => pdf.catalog.delete(PDFName.of('PieceInfo')))
    expect(await cards.comparer.recipe(silent)).to.equal(undefined)
    expect(await compare(silent)).to.deep.equal(reason('otherDrawing'))
    const odd = await edited((pdf) =>
      pdf.catalog.set(PDFName.of('PieceInfo'), pdf.context.obj({ SignedRegistry: { Private: PDFString.of('{}') } })),
    )
    expect(await cards.comparer.recipe(odd)).to.equal(undefined)
  })

  it(`are drawn in way ${DRAWING}: raise DRAWING in recipe-text.ts when this fails, and write the new hash here`, async () => {
    const all = cardOf(Buffer.from('text'), 2, { languages: ['ru', 'kk', 'en'], showsOriginal: false })
    const pdf = await PDFDocument.load(await cards.builder.build(all), { updateMetadata: false })
    const hash = createHash('sha256')
    for (const [ref, object] of pdf.context.enumerateIndirectObjects()) {
      if (!(object instanceof PDFRawStream)) hash.update(`${ref}${object}`)
      else hash.update(ref.tag).update(inflated(object))
    }
    expect([DRAWING, hash.digest('hex')]).to.deep.equal([
      4,
      '95fc9029dac8a7f7d1e504d366bf1e167a919a0eaee8deee0a249cc9892dae53',
    ])
  })
})

const cardPages = (pdf: PDFDocument): number => pdf.getPageCount()

function inflated({ dict, contents }: PDFRawStream): Uint8Array {
  return dict.get(PDFName.of('Filter')) === PDFName.of('FlateDecode') ? inflateSync(contents) : contents
}
