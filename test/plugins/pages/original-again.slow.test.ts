import { expect } from 'chai'
import { describeInBrowser } from '../../support/browser.js'
import { FEW_VIEWS, nameOf, type View } from '../../support/people/view.js'
import { Visitor } from '../../support/people/visitor.js'
import { DAY } from '../../support/pki/authorities.js'
import { type RenewingPages, renewingPages } from '../../support/renewal/renewing-pages.js'
import type { RenewedDocument } from '../../support/renewal/renewing-registry.js'

const YEAR = 365 * DAY

/** What the page says; `-` stands for its dates. */
const WORDS = {
  en: {
    verify: 'Verify all signatures again',
    good: 'The signature was verified again: it is good.',
    stamps: 'Proved since - by the time stamps.',
    record: 'Proved since - by the time stamps and by an evidence record with 1 time stamp.',
    holds: 'Holds until -; the registry renews it before.',
    ended:
      'For 1 signature nothing but this registry’s word tells when it was made: the proof ended before it was renewed.',
  },
  ru: {
    verify: 'Проверить все подписи заново',
    good: 'Подпись проверена заново: она верна.',
    stamps: 'Доказано с -: метками времени.',
    record: 'Доказано с -: метками времени и записью доказательств, в которой 1 метка времени.',
    holds: 'Действует до -; реестр обновит доказательство раньше.',
    ended:
      'О времени 1 подписи говорит только слово этого реестра: срок доказательства истёк раньше, чем его обновили.',
  },
  kk: {
    verify: 'Барлық қолтаңбаны қайта тексеру',
    good: 'Қолтаңба қайта тексерілді: ол дұрыс.',
    stamps: 'Мына уақыттан бері уақыт белгілерімен дәлелденген: -.',
    record: 'Мына уақыттан бері уақыт белгілерімен және 1 уақыт белгісі бар дәлелдеме жазбасымен дәлелденген: -.',
    holds: 'Мына күнге дейін жарамды: -; тізілім дәлелдемені бұған дейін жаңартады.',
    ended:
      '1 қолтаңбаның қашан қойылғанын осы тізілімнің сөзінен басқа ештеңе растамайды: дәлелдеменің мерзімі жаңартылғанға дейін аяқталған.',
  },
}

describeInBrowser('what a document says when it is verified again', (browser) => {
  let test: RenewingPages
  before(async () => {
    test = await renewingPages()
  })
  after(() => test.close())

  const documented = async (): Promise<RenewedDocument> => {
    const [document] = await test.documents(1)
    if (document === undefined) throw new Error('no document')
    return document
  }

  /** Gives the original on the page of a document, and has its signatures verified; what is said then. */
  async function verified(view: View, step: string, { documentId, original }: RenewedDocument): Promise<string[]> {
    const visitor = await Visitor.open(browser, test.url, { journey: 'verified-again', view })
    const { page, main } = visitor
    await visitor.go(`/d/${documentId}`)
    await page.locator('#original').setInputFiles({ name: 'IOU.txt', mimeType: 'text/plain', buffer: original })
    await main.getByRole('button', { name: WORDS[view.language].verify, exact: true }).click()
    const said = main.locator('#verdict .outcome .said:not(.busy)')
    await said.waitFor()
    await visitor.sees(step)
    const look = (await said.getAttribute('class')) ?? ''
    return [look, ...(await said.locator('p').allInnerTexts()).map(withoutDates)]
  }

  const withoutDates = (text: string): string =>
    text.replaceAll(/\d{2}\.\d{2}\.\d{4}(, \d\d:\d\d)?|[A-Z][a-z]{2} \d+, \d{4}(, \d+:\d\d\s[AP]M)?/g, '-')

  it('is since when, by what and until when its signatures are proved', async () => {
    const stamped = await documented()
    for (const view of FEW_VIEWS) {
      const { good, stamps, holds } = WORDS[view.language]
      expect(await verified(view, 'stamps', stamped), nameOf(view)).to.deep.equal(['said good', good, stamps, holds])
    }
    test.clock.time += 3 * YEAR - 30 * DAY
    test.tsa.rollOver(3)
    await test.renew()
    for (const view of FEW_VIEWS) {
      const { good, record, holds } = WORDS[view.language]
      expect(await verified(view, 'record', stamped), nameOf(view)).to.deep.equal(['said good', good, record, holds])
    }
  })

  it('is no success where nothing but the word of the registry dates a signature', async () => {
    const ended = await documented()
    test.clock.time += 4 * YEAR
    test.tsa.rollOver(3)
    await test.renew()
    for (const view of FEW_VIEWS) {
      const [next = '', ...others] = (await verified(view, 'ended', ended)).reverse()
      expect(others, nameOf(view)).to.deep.equal([WORDS[view.language].ended, 'said warn'])
      expect(next).to.include('docs/long-term.md')
    }
  })
})
