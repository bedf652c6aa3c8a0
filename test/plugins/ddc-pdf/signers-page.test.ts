import type { Card } from '@signed-registry/core'
import type { Signature } from '@signed-registry/core/signatures'
import { expect } from 'chai'
import { NOW } from '../../support/pki/authorities.js'
import { png } from '../../support/png.js'
import { cardOf, numberedPdf, openCards } from './cards.js'
import { drawPages, hasPdfReaders, textOf } from './readers.js'

const BARE = { showsOriginal: false, showsSignatures: false } as const
const ORGANIZATION: Partial<Signature> = {
  businessId: 'BIN123456789021',
  subjectStructure: [
    [{ oid: '2.5.4.3', name: 'CN', valueInB64: false, value: 'ҚЫДЫРБАЕВА ӘЛИЯ' }],
    [{ oid: '2.5.4.42', name: 'GIVENNAME', valueInB64: false, value: 'МҰРАТҚЫЗЫ' }],
    [{ oid: '2.5.4.10', name: 'O', valueInB64: false, value: 'ТОО "АЛТЫН ДАЛА"' }],
  ],
  extKeyUsages: ['1.3.6.1.5.5.7.3.4', '1.2.398.3.3.4.1.2', '1.2.398.3.3.4.1.2.1'],
}

describe('the page of signers of a document card', () => {
  let cards: Awaited<ReturnType<typeof openCards>>
  let original: Uint8Array
  before(async function () {
    if (!hasPdfReaders()) this.skip()
    cards = await openCards()
    original = await numberedPdf(1)
  })
  after(() => cards?.close())

  const pagesOf = async (count: number, changes: Partial<Card>, facts: Partial<Signature> = {}) =>
    textOf(await cards.builder.build(cardOf(original, count, changes, facts)))
      .split('\f')
      .slice(0, -1)

  it('tells names, organizations, roles and times also without pages of the signatures', async () => {
    const [, page = '', ...more] = await pagesOf(2, BARE, ORGANIZATION)
    expect(more).to.deep.equal([])
    expect(page)
      .to.contain('ҚЫДЫРБАЕВА ӘЛИЯ МҰРАТҚЫЗЫ')
      .and.contain('ИИН 123456789011')
      .and.contain('ТОО "АЛТЫН ДАЛА"')
      .and.contain('БИН 123456789021')
      .and.contain('Первый руководитель')
      .and.not.contain('Защита электронной почты')
    expect(page).to.contain('2026.06.01 17:00:00 UTC+5').and.contain('по метке времени')
    const [, own = ''] = await pagesOf(1, BARE)
    expect(own).to.contain('Физическое лицо').and.not.contain('БИН')
  })

  it('says that a time is that of the registration where the signature has no time stamp', async () => {
    const card = cardOf(original, 1, { ...BARE, languages: ['en'] }, { storedAt: NOW + 60_000 })
    const signatures = card.signatures.map(({ signature: { tsp: _, ...signature }, cms }) => ({ signature, cms }))
    const text = textOf(await cards.builder.build({ ...card, signatures }))
    expect(text).to.contain('2026.06.01 17:01:00 UTC+5').and.contain('no time stamp').and.not.contain('by time stamp')
  })

  it('begins below the information where that goes beyond its page, so that no page is nearly empty', async () => {
    const pages = await pagesOf(3, { ...BARE, languages: ['kk', 'ru', 'en'] })
    expect(pages).to.have.length(2)
    expect(pages[1]).to.contain('WARNING!').and.contain('Signers and times of signing')
    const both = await pagesOf(3, { ...BARE, languages: ['kk', 'ru'] })
    expect(both).to.have.length(2)
    expect(both[0]).to.contain('ВНИМАНИЕ!')
    expect(both[1]).to.contain('уақыт белгісі бойынша / по').and.contain('Қол қойғандар')
  })

  it('goes on with its header over as many pages as it needs, and keeps each signer on one', async () => {
    const pages = await pagesOf(60, BARE, ORGANIZATION)
    const signers = pages.filter((page) => page.includes('Кто подписал'))
    expect(signers.length).to.be.greaterThan(2)
    const rows = signers.map((page) => page.match(/^\s*\d+\s+ҚЫДЫРБАЕВА/gm)?.length ?? 0)
    expect(rows.reduce((sum, count) => sum + count, 0)).to.equal(60)
    expect(signers.map((page) => page.match(/БИН 123456789021/g)?.length)).to.deep.equal(rows)
  })

  it('is absent where nobody has signed', async () => {
    const sample = textOf(await cards.builder.sample(original, ['ru']))
    expect(sample).to.not.contain('Подписавшие')
  })

  it('does not draw beyond its margins, nor do pages of signatures, however long the values are', async () => {
    const long = { subject: `CN=${'ОЧЕНЬДЛИННОЕ'.repeat(400)}`, issuer: 'И '.repeat(3000) }
    const pdf = await cards.builder.build(cardOf(original, 1, { showsOriginal: false }, { ...ORGANIZATION, ...long }))
    expect(textOf(pdf).replace(/\s/g, '').match(/ОЧЕНЬ/g)?.length).to.be.greaterThan(300)
    for (const { width, height, pixels } of drawPages(pdf, 30)) {
      const below = pixels.subarray(Math.ceil(0.97 * height) * width)
      expect(below.every((grey) => grey > 250)).to.equal(true)
    }
  })

  it('bears the letterhead of the organization, in the languages of the card', async () => {
    const letterhead = { color: '#1e5ba0', name: { ru: 'ТОО «Алтын дала»', kk: '«Алтын дала» ЖШС' } }
    const maker = { service: 'registry.example.kz', letterhead, logo: png({ width: 200, height: 100 }) }
    const [first, second] = await pagesOf(1, { ...BARE, maker, languages: ['kk', 'ru'] })
    expect(first).to.contain('«Алтын дала» ЖШС / ТОО «Алтын дала»')
    expect(second).to.not.contain('ЖШС')
    const [english] = await pagesOf(1, { ...BARE, maker, languages: ['en'] })
    expect(english).to.not.contain('Алтын дала')
  })
})
