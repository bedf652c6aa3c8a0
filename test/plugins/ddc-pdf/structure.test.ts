import type { Card } from '@signed-registry/core'
import { expect } from 'chai'
import { PDFArray, PDFDict, PDFDocument, PDFName, PDFNumber, PDFRawStream, PDFRef } from 'pdf-lib'
import { png } from '../../support/png.js'
import { cardOf, numberedPdf, openCards } from './cards.js'
import { contentsOf, drawnOn, nameOf, structureOf, textOfString, unpacked, withAllInside } from './tagged-pdf.js'

const ROLES = ['Document', 'Sect', 'H1', 'H2', 'P', 'L', 'LI', 'Lbl', 'LBody', 'TOC', 'TOCI', 'Table', 'TR', 'TH', 'TD']

/** Cards of every kind: what is said of one holds for all of them. */
const KINDS: Readonly<Record<string, Partial<Card>>> = {
  'in one language': {},
  'in Kazakh and Russian': { languages: ['kk', 'ru'] },
  'without pages of the original': { languages: ['ru', 'kk', 'en'], showsOriginal: false },
  'without pages, with a letterhead': {
    showsOriginal: false,
    maker: {
      service: 'registry.example.kz',
      logo: png({ width: 200, height: 100 }),
      logoCaption: { ru: 'Знак' },
      letterhead: { name: { ru: 'ТОО «Алтын дала»' }, color: '#1e5ba0' },
    },
  },
  'without pages of signatures': { showsSignatures: false, showsOriginal: false },
}

describe('a document card as an accessible and lasting PDF', () => {
  let cards: Awaited<ReturnType<typeof openCards>>
  const built = new Map<string, PDFDocument>()
  before(async () => {
    cards = await openCards()
    const original = await numberedPdf(3)
    for (const [kind, changes] of Object.entries(KINDS)) {
      const bytes = await cards.builder.build(cardOf(original, 12, { title: 'Шарт ✍🏻 5', ...changes }))
      built.set(kind, await PDFDocument.load(bytes, { updateMetadata: false }))
    }
  })
  after(() => cards?.close())

  const eachCard = (look: (pdf: PDFDocument, kind: string) => void) => {
    expect(built.size).to.equal(Object.keys(KINDS).length)
    for (const [kind, pdf] of built) look(pdf, kind)
  }

  it('draws nothing that is neither content of its structure nor an artifact', () => {
    eachCard((pdf, kind) => {
      for (let page = 0; page < pdf.getPageCount(); page++) {
        const drawn = drawnOn(pdf, page)
        expect(drawn.length, kind).to.be.greaterThan(5)
        expect(
          drawn.filter(({ mcid, isArtifact }) => mcid === undefined && !isArtifact),
          `${kind}, page ${page + 1}`,
        ).to.deep.equal([])
      }
    })
  })

  it('gives all marked content of a page to one element, which the page and the element agree on', () => {
    eachCard((pdf, kind) => {
      const owners = new Map<string, PDFRef>()
      for (const { contents, ref } of withAllInside(structureOf(pdf))) {
        for (const { page, mcid } of contents) {
          expect(owners.has(`${page} ${mcid}`), kind).to.equal(false)
          owners.set(`${page} ${mcid}`, ref)
        }
      }
      const tree = pdf.catalog.lookup(nameOf('StructTreeRoot'), PDFDict).lookup(nameOf('ParentTree'), PDFDict)
      const numbers = tree.lookup(nameOf('Nums'), PDFArray)
      for (let page = 0; page < pdf.getPageCount(); page++) {
        const { node } = pdf.getPage(page)
        expect(node.lookup(nameOf('StructParents'), PDFNumber).asNumber()).to.equal(page)
        expect(node.get(nameOf('Tabs'))).to.equal(nameOf('S'))
        const listed = numbers.lookup(2 * page + 1, PDFArray).asArray()
        const drawn = new Set(drawnOn(pdf, page).flatMap(({ mcid }) => mcid ?? []))
        expect([...drawn].every((mcid) => mcid < listed.length)).to.equal(true)
        expect(listed.map(String)).to.deep.equal(listed.map((_, mcid) => String(owners.get(`${page} ${mcid}`))))
      }
    })
  })

  it('has known elements, figures that say what they show, and tables with headers and whole rows', () => {
    eachCard((pdf, kind) => {
      const all = withAllInside(structureOf(pdf))
      expect(all.filter(({ role }) => ![...ROLES, 'Figure'].includes(role))).to.deep.equal([])
      expect(all.filter(({ kids, contents }) => kids.length + contents.length === 0)).to.deep.equal([])
      const figures = all.filter(({ role }) => role === 'Figure')
      expect(figures.filter(({ alt }) => !alt)).to.deep.equal([])
      expect(figures.length, kind).to.be.greaterThan(1)
      const tables = all.filter(({ role }) => role === 'Table')
      expect(tables).to.have.length(1)
      for (const { kids } of tables) {
        expect(kids.map((row) => row.kids.map(({ role }) => role).join(' '))).to.deep.equal([
          'TH TH TH TH',
          ...Array.from({ length: 12 }, () => 'TD TD TD TD'),
        ])
        expect(kids[0]?.kids.map(({ scope }) => scope)).to.deep.equal(Array.from({ length: 4 }, () => '/Column'))
      }
      const levels = all.flatMap(({ role }) => /^H(\d)$/.exec(role)?.[1] ?? []).map(Number)
      expect(levels[0]).to.equal(1)
      expect(levels.filter((level, n) => level > (levels[n - 1] ?? 0) + 1)).to.deep.equal([])
    })
  })

  it('has its title, languages and bookmarks for readers', () => {
    eachCard((pdf, kind) => {
      const { catalog } = pdf
      const { languages = ['ru'] } = KINDS[kind] ?? {}
      expect(textOfString(catalog.lookup(nameOf('Lang')))).to.equal(languages[0])
      expect(String(catalog.lookup(nameOf('MarkInfo'), PDFDict).get(nameOf('Marked')))).to.equal('true')
      const preferences = catalog.lookup(nameOf('ViewerPreferences'), PDFDict)
      expect(String(preferences.get(nameOf('DisplayDocTitle')))).to.equal('true')
      const contents = pdf.getPageIndices().map((page) => contentsOf(pdf, page))
      for (const other of languages.slice(1)) expect(contents.join()).to.contain(`/Span <</Lang (${other})>> BDC`)
      expect(contents.join()).to.not.contain(`<</Lang (${languages[0]})>>`)
      const first = bookmarksIn(catalog.lookup(nameOf('Outlines'), PDFDict))
      expect(first.length).to.equal(kind === 'without pages of signatures' ? 2 : kind.includes('without') ? 3 : 4)
      const last = first.at(-1)?.inside ?? []
      if (kind !== 'without pages of signatures') {
        expect(last).to.have.length(12)
        expect(last[11]?.title).to.match(/12.*, ҚЫДЫРБАЕВА ӘЛИЯ$/)
      }
    })
  })

  it('has all fonts inside with their texts, and draws no character that they do not have', () => {
    eachCard((pdf) => {
      const fonts = dictionariesOf(pdf, 'Font')
      const ours = fonts.filter((font) => String(font.get(nameOf('BaseFont'))).includes('Liberation'))
      const outer = ours.filter((font) => font.get(nameOf('Subtype')) === nameOf('Type0'))
      expect(outer).to.have.length(2)
      for (const font of outer) {
        expect(String(font.get(nameOf('BaseFont')))).to.match(/^\/[A-Z]{6}\+/)
        expect(unpacked(font.lookup(nameOf('ToUnicode'))).length).to.be.greaterThan(100)
        const inner = font.lookup(nameOf('DescendantFonts'), PDFArray).lookup(0, PDFDict)
        expect(inner.get(nameOf('CIDToGIDMap'))).to.equal(nameOf('Identity'))
        expect(inner.lookup(nameOf('FontDescriptor'), PDFDict).has(nameOf('FontFile2'))).to.equal(true)
      }
      for (const page of pdf.getPageIndices()) {
        const shown = contentsOf(pdf, page).matchAll(/<([0-9A-F]+)> Tj/g)
        for (const [, glyphs = ''] of shown) expect(glyphs.match(/.{4}/g)).to.not.include('0000')
      }
    })
  })

  it('says how its files belong to it, what its colours mean, and the same in both kinds of metadata', () => {
    eachCard((pdf) => {
      const { catalog } = pdf
      const files = catalog.lookup(nameOf('AF'), PDFArray)
      expect(files.size()).to.equal(13)
      for (let n = 0; n < files.size(); n++) {
        const file = files.lookup(n, PDFDict)
        for (const key of ['F', 'UF', 'Desc', 'AFRelationship']) expect(file.has(nameOf(key)), key).to.equal(true)
        const { dict } = file.lookup(nameOf('EF'), PDFDict).lookup(nameOf('F')) as PDFRawStream
        expect(dict.lookup(nameOf('Subtype'))).to.be.instanceOf(PDFName)
        expect(dict.lookup(nameOf('Params'), PDFDict).has(nameOf('ModDate'))).to.equal(true)
      }
      const intent = catalog.lookup(nameOf('OutputIntents'), PDFArray).lookup(0, PDFDict)
      const profile = unpacked(intent.lookup(nameOf('DestOutputProfile')))
      expect(profile.readUInt32BE(0)).to.equal(profile.length)
      expect(profile.toString('latin1', 12, 24)).to.equal('mntrRGB XYZ ')
      expect(profile.toString('latin1', 36, 40)).to.equal('acsp')
      const text = unpacked(catalog.lookup(nameOf('Metadata'))).toString()
      const [, created] = /<xmp:CreateDate>(.*?)<\/xmp:CreateDate>/.exec(text) ?? []
      expect(Date.parse(created ?? '')).to.equal(pdf.getCreationDate()?.getTime())
      expect(text).to.contain(`<rdf:li xml:lang="x-default">${pdf.getTitle()}</rdf:li>`)
      expect(text)
        .to.contain(`<xmp:CreatorTool>${pdf.getCreator()}<`)
        .and.contain(`<pdf:Producer>${pdf.getProducer()}<`)
      expect(pdf.context.trailerInfo.ID).to.be.instanceOf(PDFArray)
    })
  })

  it('identifies as PDF/A-3b and PDF/UA-1 only without pages of an original, which may keep neither', () => {
    eachCard((pdf, kind) => {
      const text = unpacked(pdf.catalog.lookup(nameOf('Metadata'))).toString()
      const claims = [/<pdfaid:part>3<.*<pdfaid:conformance>B</s.test(text), /<pdfuaid:part>1</.test(text)]
      const isOurs = kind.startsWith('without pages')
      expect(claims, kind).to.deep.equal([isOurs, isOurs])
      if (!isOurs) return
      // What PDF/A forbids, or wants for: scripts, actions, encryption, other streams, transparency without a colour space.
      for (const key of ['OpenAction', 'AA', 'AcroForm', 'OCProperties'])
        expect(pdf.catalog.has(nameOf(key))).to.equal(false)
      expect(pdf.context.trailerInfo.Encrypt).to.equal(undefined)
      for (const [, object] of pdf.context.enumerateIndirectObjects()) {
        if (!(object instanceof PDFRawStream)) continue
        expect(['undefined', '/FlateDecode']).to.include(String(object.dict.get(nameOf('Filter'))))
      }
      expect(dictionariesOf(pdf, 'ExtGState')).to.deep.equal([])
    })
  })
})

const dictionariesOf = (pdf: PDFDocument, type: string): PDFDict[] =>
  pdf.context
    .enumerateIndirectObjects()
    .flatMap(([, object]) => (object instanceof PDFDict && object.get(nameOf('Type')) === nameOf(type) ? [object] : []))

interface Read {
  readonly title: string | undefined
  readonly inside: readonly Read[]
}

/** The bookmarks below one, or the root; each leads to a page. */
function bookmarksIn(holder: PDFDict): Read[] {
  const found: Read[] = []
  for (let at = holder.lookup(nameOf('First')); at instanceof PDFDict; at = at.lookup(nameOf('Next'))) {
    expect(at.lookup(nameOf('Dest'), PDFArray).get(0)).to.be.instanceOf(PDFRef)
    found.push({ title: textOfString(at.lookup(nameOf('Title'))), inside: bookmarksIn(at) })
  }
  return found
}
