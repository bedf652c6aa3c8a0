import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { pages } from '@signed-registry/pages'
import { expect } from 'chai'
import { violations } from '../../../support/axe.js'
import { describeInBrowser } from '../../../support/browser.js'
import { openSqlite } from '../../../support/databases.js'
import { startTestHost, type TestHost } from '../../../support/host.js'
import { presentAuthorities } from '../../../support/pki/authorities.js'

const TOPICS = ['help', 'contact', 'privacy']

async function startHost(texts?: string): Promise<TestHost> {
  const authorities = presentAuthorities()
  const plugins = [devAuthorities({ authorities }), pages({ ...(texts !== undefined && { texts }) })]
  return startTestHost(openSqlite, { authorities, plugins })
}
const page = (host: TestHost, path: string) => fetch(`${host.url}${path}`).then((answer) => answer.text())

describe('what an operator says', () => {
  let host: TestHost
  let folder: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'texts-'))
    const contact =
      'Registry <b>LLP</b>\nAstana\n\nWrite to help@example.kz, see https://example.kz/a?b=1. Call +7 (717) 255-12-34.'
    writeFileSync(join(folder, 'contact.ru.txt'), contact)
    writeFileSync(join(folder, 'privacy.kk.txt'), 'Деректер Астанада сақталады.')
    host = await startHost(folder)
  })
  after(() => host.close())

  it('stands on its page: nothing in it is markup, and addresses are links', async () => {
    const html = await page(host, '/contact?lang=ru')
    expect(html).to.include('Registry &lt;b&gt;LLP&lt;/b&gt;<br>Astana</p>')
    expect(html).to.include('href="mailto:help@example.kz">help@example.kz</a>, see')
    expect(html).to.include('href="https://example.kz/a?b=1">https://example.kz/a?b=1</a>.')
    expect(html).to.include('href="tel:+77172551234"')
  })

  it('is shown in another language where there is none in that of the visitor, and says in which', async () => {
    expect(await page(host, '/contact?lang=en')).to.include('<div lang="ru"><p>Registry')
    const privacy = await page(host, '/privacy?lang=en')
    expect(privacy).to.include('<div lang="kk"><p>Деректер').and.include('What the software does')
  })

  it('is missing on a host that has no texts, which says so', async () => {
    const plain = await startHost()
    expect(await page(plain, '/contact?lang=en')).to.include('has not said yet how to reach them')
    expect(await page(plain, '/privacy?lang=en'))
      .to.include('kept for a year')
      .and.not.include('What the operator says')
    await plain.close()
  })

  it('is refused when it is too long', async () => {
    const long = mkdtempSync(join(tmpdir(), 'texts-'))
    writeFileSync(join(long, 'help.en.txt'), 'x'.repeat(64 * 1024 + 1))
    const refused = await startHost(long).then(
      () => '',
      (error: unknown) => String(error),
    )
    expect(refused).to.match(/help\.en\.txt has more than 65536 bytes/)
  })
})

describeInBrowser('the pages about a service', (browser) => {
  let host: TestHost
  before(async () => {
    host = await startHost()
  })
  after(() => host.close())

  it('lead from the foot of every page, can be read by everybody, and ask nobody to log in', async () => {
    for (const [language, width] of [
      ['kk', 360],
      ['ru', 1440],
      ['en', 360],
    ] as const) {
      const { page: window, problems } = await browser.open(host.url, {
        language,
        width,
        javaScript: language !== 'ru',
      })
      for (const topic of TOPICS) {
        await window.goto(`/?lang=${language}`)
        await window.locator(`footer a[href="/${topic}"]`).click()
        await window.waitForURL(`**/${topic}`)
        expect(await window.locator('h1').count()).to.equal(1)
        if (language !== 'ru') expect(await violations(window), `${topic} ${language}`).to.deep.equal([])
        const overflow = await window.evaluate('document.documentElement.scrollWidth > innerWidth')
        expect(overflow, `${topic} ${language}`).to.equal(false)
      }
      expect(problems).to.deep.equal([])
    }
  })
})
