import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { englishNames, stringConsts } from '@signed-registry/core'

import { joinSignature } from '@signed-registry/ddc-pdf'
import { expect } from 'chai'
import { degrees, PDFDocument, PDFName, StandardFonts } from 'pdf-lib'
import { cardOf, fakeCms, numberedPdf, openCards } from './cards.js'
import { codesOn, drawPages, hasPdfReaders, type Picture, readCode, readWith, textOf } from './readers.js'

const MM = { width: 210, height: 297 }
/** Where the code of the link stands, and that of the identifier. */
const LINK = { x: 5 / MM.width, y: (297 - 18 - 18) / MM.height, width: 20 / MM.width, height: 20 / MM.height }
const ID = { x: (200 - 13) / MM.width, y: 3 / MM.height, width: 14 / MM.width, height: 15 / MM.height }

describe('a document card', () => {
  let cards: Awaited<ReturnType<typeof openCards>>
  before(async function () {
    if (!hasPdfReaders()) {
      console.log('    poppler-utils and qpdf are not installed: cards are not looked at')
      this.skip()
    }
    cards = await openCards()
  })
  after(() => cards?.close())

  it('is a sound PDF for other readers, with original and signatures attached in their order', async () => {
    const original = await numberedPdf(2)
    const pdf = await cards.builder.build(cardOf(original, 12))
    expect(readWith(pdf, 'qpdf', ['--check', 'FILE'], (out) => out)).to.contain('No syntax or stream encoding errors')
    const listed = readWith(pdf, 'pdfdetach', ['-list', 'FILE'], (out) => out)
    const names = [...listed.matchAll(/^\d+: (.*)$/gm)].map(([, name]) => name)
    expect(names).to.deep.equal(['Шарт № 5.pdf', ...Array.from({ length: 12 }, (_, n) => `${n + 1}.cms`)])
  })

  it('extracts its files byte for byte', async () => {
    const original = await numberedPdf(1)
    const files = await cards.parser.parse(await cards.builder.build(cardOf(original, 2)))
    expect(files.map(({ name }) => name)).to.deep.equal(['Шарт № 5.pdf', '1.cms', '2.cms'])
    expect(files.map(({ bytes }) => Buffer.from(bytes).equals(original))).to.deep.equal([true, false, false])
    expect(Buffer.from(files[2]?.bytes ?? []).equals(fakeCms(2))).to.equal(true)
  })

  it('is the same for the same input at the same moment', async () => {
    const card = cardOf(await numberedPdf(1), 1)
    const [one, other] = [await cards.builder.build(card), await cards.builder.build(card)]
    expect(Buffer.from(one).equals(other)).to.equal(true)
  })

  it('shows title, description, hashes, signer and contents, as text that can be searched', async () => {
    const card = cardOf(await numberedPdf(3), 2)
    const text = textOf(await cards.builder.build(card))
    expect(text)
      .to.contain('Шарт № 5.pdf')
      .and.contain('Жеткізу шарты')
      .and.contain('ҚЫДЫРБАЕВА ӘЛИЯ, ИИН 123456789011')
    expect(text).to.contain(Buffer.from(card.digests.get('2.16.840.1.101.3.4.2.1') ?? []).toString('hex'))
    expect(text).to.match(/Визуализация электронного документа\s+3\n/)
    expect(text).to.match(/Визуализация подписей под электронным документом\s+6\n/)
    expect(text).to.match(/стр\. 7 из 7/)
    expect(text).to.contain('page-3')
  })

  it('is the same, and has its text, whatever cards its process made before', async () => {
    const card = cardOf(await numberedPdf(1), 1, { languages: ['en'] })
    const [fresh, used] = [await openCards({ processes: 1 }), await openCards({ processes: 1 })]
    try {
      for (const language of ['kk', 'ru'] as const) await used.builder.build({ ...card, languages: [language] })
      const [one, other] = [await fresh.builder.build(card), await used.builder.build(card)]
      expect(Buffer.from(one).equals(other)).to.equal(true)
      expect(textOf(other)).to.contain('WARNING! The pages of this card are not protected from changes')
    } finally {
      await Promise.all([fresh.close(), used.close()])
    }
  })

  it('is written in kk, en, and kk/ru with both texts', async () => {
    const original = await numberedPdf(1)
    const kk = textOf(await cards.builder.build(cardOf(original, 1, { languages: ['kk'] })))
    expect(kk).to.contain('ЖСН 123456789011').and.contain('Беруші').and.not.contain('ИИН')
    const both = textOf(await cards.builder.build(cardOf(original, 1, { languages: ['kk', 'ru'] })))
    expect(both).to.contain('ЖСН / ИИН').and.contain('НАЗАР АУДАРЫҢЫЗ!').and.contain('ВНИМАНИЕ!')
    const en = textOf(await cards.builder.build(cardOf(original, 1, { languages: ['en'] })))
    expect(en).to.contain('Signed by').and.contain('IIN 123456789011').and.contain('Non-repudiation (nonRepudiation)')
    expect(en).to.not.contain('Неотрекаемость').and.not.contain('good (good)')
    const three = textOf(await cards.builder.build(cardOf(original, 1, { languages: ['kk', 'ru', 'en'] })))
    expect(three)
      .to.contain('ЖСН / ИИН / IIN')
      .and.contain('НАЗАР АУДАРЫҢЫЗ!')
      .and.contain('ВНИМАНИЕ!')
      .and.contain('WARNING!')
    expect(three).to.contain('Визуализация электронной цифровой подписи / Electronic digital signature')
    expect(three).to.match(/карточкасы\. Шарт № 5\.pdf/)
    // A long heading goes beside the code of the identifier as a whole.
    expect(both).to.contain('визуализациясы / Визуализация электронной цифровой подписи')
  })

  it('has an English name for whatever the registry names in Russian and Kazakh', () => {
    const { keyUsages, extKeyUsageOIDs, policyOIDs, signatureAlgorithmOIDs } = stringConsts
    const named = [keyUsages, extKeyUsageOIDs, policyOIDs, signatureAlgorithmOIDs].flatMap(Object.keys)
    expect(named.filter((id) => englishNames[id] === undefined)).to.deep.equal([])
  })

  it('leaves out what is not asked for', async () => {
    const original = await numberedPdf(2)
    const bare = { showsOriginal: false, showsSignatures: false, showsId: false }
    const pdf = await cards.builder.build(cardOf(original, 2, bare))
    const text = textOf(pdf)
    expect(text).to.not.contain('page-1').and.not.contain('ID lQsqLBaS4nQAIIMm')
    expect(drawPages(pdf, 20)).to.have.length(2)
    expect(await cards.parser.parse(pdf)).to.have.length(3)
  })

  it('has the identifier in no text, code or object without it, and leads to the service', async () => {
    const original = await numberedPdf(1)
    const link = 'https://registry.example.kz'
    const id = 'lQsqLBaS4nQAIIMm'
    for (const linksId of [false, true]) {
      const pdf = await cards.builder.build(cardOf(original, 1, { showsId: false, linksId, link }))
      expect(textOf(pdf)).to.not.contain(id).and.contain(`или по адресу: ${link}`)
      expect(textIn(pdf)).to.not.contain(id)
      const pages = drawPages(pdf, 150)
      for (const page of pages) {
        expect(readCode(page, LINK)).to.equal(link)
        expect(() => readCode(page, ID)).to.throw()
      }
      const codes = signatureCodes(pages)
      expect(codes.join()).to.not.contain(id)
      const joined = joinSignature(codes)
      expect(joined).to.have.all.keys('signId', 'signType', 'signature')
      expect(Buffer.from(joined.signature).equals(fakeCms(1))).to.equal(true)
    }
  })

  it('names signatures in codes by their place where it has no identifier', async () => {
    const card = cardOf(await numberedPdf(1), 1, { showsId: false }, { signId: 4711 })
    expect(joinSignature(signatureCodes(drawPages(await cards.builder.build(card), 150)))).to.include({ signId: 1 })
  })

  it('contains each complete signature in QR codes that can be read from whole pages at 150 dpi', async () => {
    for (const [n, size] of [3000, 7000].entries()) {
      const cms = fakeCms(n, size)
      const plain = cardOf(await numberedPdf(1), 1, { languages: ['kk', 'ru'] })
      const card = { ...plain, signatures: plain.signatures.map((one) => ({ ...one, cms })) }
      const pages = drawPages(await cards.builder.build(card), 150)
      // Those that do not fit below the facts of the signature have a page of their own.
      expect(pages).to.have.length(4 + n)
      const joined = joinSignature(signatureCodes(pages).reverse())
      expect(joined).to.include({ documentId: 'lQsqLBaS4nQAIIMm', signId: 1, signType: 'cms' })
      expect(Buffer.from(joined.signature).equals(cms)).to.equal(true)
      const [first] = pages
      expect(first && codesOn(first, 150)).to.have.members([card.link, card.documentId])
    }
  })

  it('leads to the page of the document by the code on the left, and by the one beside the identifier when asked', async () => {
    const card = cardOf(await numberedPdf(1), 1)
    const [page] = drawPages(await cards.builder.build(card), 200)
    const [linked] = drawPages(await cards.builder.build({ ...card, linksId: true }), 200)
    if (page === undefined || linked === undefined) throw new Error('There is no page')
    expect(readCode(page, LINK)).to.equal(card.link)
    expect(readCode(page, ID)).to.equal(card.documentId)
    expect(readCode(linked, ID)).to.equal(card.link)
  })

  it('shows turned and cropped pages as readers do, and stamps that are annotations', async () => {
    const pdf = await PDFDocument.create()
    const font = await pdf.embedFont(StandardFonts.Helvetica)
    const turned = pdf.addPage([300, 600])
    turned.setRotation(degrees(90))
    turned.drawText('turned', { x: 100, y: 300, size: 20, font, rotate: degrees(90) })
    const cropped = pdf.addPage([600, 600])
    cropped.setCropBox(100, 100, 200, 400)
    cropped.drawText('shown', { x: 120, y: 200, size: 20, font })
    cropped.drawText('hidden', { x: 420, y: 550, size: 20, font })
    const form = pdf.getForm()
    const field = form.createTextField('field')
    field.setText('filled-in')
    field.addToPage(cropped, { x: 110, y: 300, width: 150, height: 30 })
    const card = await cards.builder.build(cardOf(await pdf.save(), 1, { showsSignatures: false }))
    const pages = drawPages(card, 30)
    expect(pages.map(({ width, height }) => width > height)).to.deep.equal([false, false, true, false])
    const text = textOf(card)
    expect(text).to.contain('turned').and.contain('shown').and.contain('filled-in')
  })

  it('lets scripts and actions of the original die with it', async () => {
    const pdf = await PDFDocument.create()
    pdf.addPage().drawText('page')
    pdf.addJavaScript('main', 'app.alert(1)')
    pdf.catalog.set(PDFName.of('OpenAction'), pdf.context.obj({ S: 'JavaScript', JS: 'app.alert(2)' }))
    const card = await PDFDocument.load(await cards.builder.build(cardOf(await pdf.save(), 1)))
    const keys = card.catalog.keys().map(String)
    expect(keys).to.not.include('/OpenAction').and.not.include('/AA').and.not.include('/AcroForm')
    expect(String(card.catalog.get(PDFName.of('Names')))).to.not.contain('JavaScript')
  })

  it('bears long names, names of two directions, emoji and markup as text', async () => {
    const title = `<script>${'Ұ'.repeat(100)} \u202Efdp.exe\u0007 ✍🏻 ${'очень-длинное-слово'.repeat(6)}</script>`
    const card = cardOf(await numberedPdf(1), 1, {
      title,
      description: 'x '.repeat(1000),
      fileName: title.slice(0, 100),
    })
    const pdf = await cards.builder.build(card)
    expect(readWith(pdf, 'qpdf', ['--check', 'FILE'], (out) => out)).to.contain('No syntax')
    expect(textOf(pdf)).to.contain('<script>').and.not.contain('\u202E')
  })
})

/** The texts of the codes of a signature among all that stand on pages. */
const signatureCodes = (pages: readonly Picture[]): string[] =>
  pages.flatMap((page) => codesOn(page, 150)).filter((text) => text.startsWith('{'))

/** All that stands in the objects of a PDF, unpacked; texts in UTF-16 as well. */
const textIn = (pdf: Uint8Array): string =>
  readWith(pdf, 'qpdf', ['--qdf', '--object-streams=disable', 'FILE', 'FOLDER/all.pdf'], (_, folder) => {
    const all = readFileSync(join(folder, 'all.pdf')).toString('latin1')
    const texts = [...all.matchAll(/<([0-9a-f]+)>/gi)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
    return `${all}${texts.join('\n')}`.replaceAll('\0', '')
  })
