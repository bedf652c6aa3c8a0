import { readFileSync } from 'node:fs'
import type { OutgoingItem } from '@signed-registry/client'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { violations } from '../../../support/axe.js'
import { describeInBrowser } from '../../../support/browser.js'
import type { TestHost } from '../../../support/host.js'
import { getAs, logInOverHttp } from '../../../support/login-over-http.js'
import { registered, startPagesHost } from '../../../support/pages-host.js'

const TO = ['IIN900101300010', 'BIN200140000019', 'IIN900101300040']
const LOOKS = [
  { language: 'kk', width: 360 },
  { language: 'ru', width: 1440 },
  { language: 'en', width: 360 },
]

describeInBrowser('sending to many', (browser) => {
  let host: TestHost
  let cookies: string
  before(async () => {
    host = await startPagesHost()
    cookies = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
  })
  after(() => host.close())

  const choose = (page: Page, csv: string | Buffer) =>
    page.setInputFiles('#list', { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  const open = async (options: object = {}) => {
    const ids = [await registered(host), await registered(host)]
    const { page, problems } = await browser.open(host.url, { cookies, ...options })
    await page.goto(`/send-many?id=${ids[0]}&id=${ids[1]}`)
    return { page, problems, ids }
  }
  const sentFrom = async (ids: readonly string[]) =>
    (await getAs<{ items: OutgoingItem[] }>(`${host.url}/api/outgoing`, cookies)).json.items.filter(
      ({ documentId = '' }) => ids.includes(documentId),
    )

  it('sends each document to each recipient, with words and a deadline, and tells what became of each', async () => {
    const { page, problems, ids } = await open()
    const year = new Date().getFullYear() + 1
    await choose(page, `\uFEFFWho;Words;Until\r\n900101300010;"Please; sign";01.02.${year}\r\nБИН 200140000019\r\n`)
    await page.getByText('All rows are right: 2.').waitFor()
    expect(await sentFrom(ids)).to.deep.equal([])
    await page.click('form button.strong')
    await page.getByText('All is sent: 4.').waitFor()
    const items = await sentFrom(ids)
    expect(items.map(({ receiver }) => receiver).sort()).to.deep.equal([TO[1], TO[1], TO[0], TO[0]])
    const [first] = items.filter(({ receiver }) => receiver === TO[0])
    expect(first).to.include({ toSign: true, deadline: Date.parse(`${year}-02-01T23:59:00+05:00`) })
    expect(await page.locator('#recipients a[href^="/outgoing/"]').count()).to.equal(4)
    const saved = page.waitForEvent('download')
    await page.click('#result')
    const csv = readFileSync(await (await saved).path(), 'utf8')
    expect(csv.split('\r\n').length).to.equal(6)
    expect(csv).to.include('"IIN900101300010";"contract.txt";"Please; sign";"sent"')
    expect(problems).to.deep.equal([])
  })

  it('says what is wrong at each row, and sends nothing before all is right', async () => {
    const { page, ids } = await open()
    await choose(page, '900101300010,,\n90010130001,,\n900101300010,again,\n200140000019,,31.02.2030\n')
    await page.getByText('Rows with faults: 3.').waitFor()
    const rows = page.locator('#recipients tr')
    expect(await rows.nth(1).textContent()).to.include('not an IIN or BIN')
    expect(await rows.nth(2).textContent()).to.include('twice')
    expect(await rows.nth(3).textContent()).to.include('not a day')
    await page.click('form button.strong')
    await page.getByText('Some rows have faults.').waitFor()
    expect(await sentFrom(ids)).to.deep.equal([])
  })

  it('goes on where it was after the page was left, and sends nothing twice', async () => {
    const { page, ids } = await open()
    let requests = 0
    await page.route('**/api/*/send', async (route) => {
      requests += 1
      // The answer to the third is lost after it had its effect.
      if (requests === 3) {
        await route.fetch()
        return route.abort()
      }
      return route.continue()
    })
    await choose(page, TO.map((to) => to.slice(3)).join('\n'))
    await page.click('form button.strong')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.reload()
    await page.locator('#recipients .chip.good').nth(1).waitFor()
    await page.click('form button.strong')
    await page.getByText('All is sent: 6.').waitFor()
    expect((await sentFrom(ids)).length).to.equal(6)
  })

  it('tells what was sent before and what is refused, and goes on with the others', async () => {
    const { page, ids } = await open()
    const headers = { cookie: cookies }
    await host.app.inject({ method: 'POST', url: `/api/${ids[0]}/send`, headers, payload: { to: TO[0] } })
    await choose(page, '900101300010\n900101300020\n200140000019\n')
    await page.click('form button.strong')
    await page.locator('#recipients .chip.warn').waitFor()
    await page.locator('#recipients tr').nth(2).locator('.chip.good').nth(1).waitFor()
    expect(await page.locator('#recipients .chip.warn').count()).to.equal(1)
    // Nobody sends to themselves.
    expect(await page.locator('#recipients tr').nth(1).locator('.chip.bad').count()).to.equal(2)
    await page.getByText('Refused: 2').waitFor()
  })

  for (const { language, width } of LOOKS)
    it(`has no faults of accessibility at ${width} pixels in ${language}`, async () => {
      const { page, problems } = await open({ language, width })
      expect(await violations(page)).to.deep.equal([])
      await choose(page, '900101300010;words\n12;x\n')
      await page.locator('#recipients .chip.bad').waitFor()
      expect(await violations(page)).to.deep.equal([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(width)
      expect(problems).to.deep.equal([])
    })

  it('takes lists as Excel saves them in windows-1251', async () => {
    const { page } = await open()
    // "Акт" in windows-1251.
    await choose(page, Buffer.concat([Buffer.from('900101300010;'), Buffer.from([0xc0, 0xea, 0xf2])]))
    await page.locator('#recipients td', { hasText: 'Акт' }).waitFor()
  })

  it('says where documents and packages are chosen, and asks to log in', async () => {
    const { page } = await browser.open(host.url, { cookies })
    await page.goto('/send-many')
    await page.getByText('What is registered already is chosen in a list').waitFor()
    const stranger = await browser.open(host.url)
    await stranger.page.goto(`/send-many?id=${await registered(host)}`)
    expect(await stranger.page.locator('#send-many').count()).to.equal(0)
  })
})
