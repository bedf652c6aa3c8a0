import type { IncomingItem } from '@signed-registry/client'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { openActs } from '../../../support/acts.js'
import { violations } from '../../../support/axe.js'
import { describeInBrowser } from '../../../support/browser.js'
import type { TestHost } from '../../../support/host.js'
import { getAs, logInOverHttp } from '../../../support/login-over-http.js'
import { registered, startPagesHost } from '../../../support/pages-host.js'

const HEAD = '1.2.398.3.3.4.1.2.1'
const LOOKS = [
  { language: 'kk', width: 360, dark: true },
  { language: 'ru', width: 1440, dark: false },
  { language: 'en', width: 360, dark: false },
]

describeInBrowser('where a deal stands', (browser) => {
  let host: TestHost
  let sender: string
  let head: string
  let last: string
  before(async () => {
    host = await startPagesHost()
    const { authorities } = host
    sender = await logInOverHttp(host.url, authorities.named('person-2-auth'))
    head = await logInOverHttp(host.url, authorities.named('head-1-auth'))
    last = await logInOverHttp(host.url, authorities.named('person-1-auth'))
  })
  after(() => host.close())

  let made = 0
  /** A contract: a person signs it first, then the head of an organization, then another person. */
  const contract = () =>
    registered(
      host,
      {
        settings: {
          tempStorageAfterRegistration: 86_400_000,
          sequentialSignersRequirements: true,
          signersRequirements: [
            { iin: 'IIN900101300020' },
            { bin: 'BIN200140000019', authorities: [HEAD] },
            { iin: 'IIN900101300010' },
          ],
        },
      },
      Buffer.from(`A contract of three, number ${++made}`),
    )
  async function send(id: string) {
    const payload = { to: 'BIN200140000019', comment: 'Please sign', toSign: true }
    await host.app.inject({ method: 'POST', url: `/api/${id}/send`, headers: { cookie: sender }, payload })
    const { json } = await getAs<{ items: IncomingItem[] }>(`${host.url}/api/incoming`, head)
    return json.items.find(({ documentId }) => documentId === id)?.incomingId ?? ''
  }
  const open = async (id: string, cookies?: string) => {
    const opened = await browser.open(host.url, cookies === undefined ? {} : { cookies })
    await opened.page.goto(`/d/${id}`)
    return opened
  }
  const stands = (page: Page) => page.locator('.stands')
  const steps = (page: Page) => page.locator('.timeline strong').allTextContents()

  it('leads whoever is in turn to sign and accept in one act, and tells everybody who is next', async () => {
    const id = await contract()
    const incomingId = await send(id)
    const waiting = await open(id, sender)
    await stands(waiting.page).getByText('You signed this:').waitFor()
    expect(await stands(waiting.page).locator('.next').textContent()).to.include('Waiting for')
    expect(await waiting.page.locator(`main a[href^="/d/${id}/sign"]`).count()).to.equal(0)

    const { page, problems } = await open(id, head)
    await stands(page).getByText('Your signature is awaited.').waitFor()
    await stands(page).locator('a.strong').click()
    await page.waitForURL(`**/d/${id}/sign?incoming=${incomingId}`)
    await page.selectOption('#person', 'head-1')
    await page.click('button.strong:text-is("Sign and accept")')
    await page.click('#done a:text-is("Back to the item")')
    await page.waitForURL(`**/incoming/${incomingId}`)
    expect(await page.locator('.chips .chip').first().textContent()).to.equal('Signed and accepted')
    expect(problems).to.deep.equal([])

    await waiting.page.reload()
    expect(await stands(waiting.page).locator('.people').first().textContent()).to.include('АХМЕТОВ АХМЕТ')
    expect(await stands(waiting.page).locator('.next').textContent()).to.include('IIN 900101300010')
    expect(await steps(waiting.page)).to.deep.equal([
      'Registered',
      'Signed',
      'Original received',
      'Sent',
      'Opened',
      'Signed',
      'Accepted',
    ])
    const next = await open(id, last)
    await stands(next.page).getByText('Your signature is awaited.').waitFor()
  })

  it('says that a newer version exists, on the page of the document and of what was sent', async () => {
    const id = await contract()
    const incomingId = await send(id)
    const newer = await registered(host, { replaces: id })
    const { page, problems } = await open(id, sender)
    await page.getByRole('link', { name: 'Open the newer version' }).click()
    await page.waitForURL(`**/d/${newer}`)
    expect(await page.getByRole('link', { name: 'the earlier document' }).getAttribute('href')).to.equal(`/d/${id}`)
    await openActs(page)
    expect(await page.getByRole('link', { name: 'Register a new version' }).getAttribute('href')).to.equal(
      `/new?replaces=${newer}`,
    )
    expect(problems).to.deep.equal([])
    const received = await browser.open(host.url, { cookies: head, javaScript: false })
    await received.page.goto(`/incoming/${incomingId}`)
    await received.page.getByRole('link', { name: 'Open the newer version' }).waitFor()
  })

  it('says that what was accepted was not signed', async () => {
    const id = await contract()
    const incomingId = await send(id)
    const url = `/api/incoming/${incomingId}/comment`
    await host.app.inject({ method: 'POST', url, headers: { cookie: head }, payload: { status: 'accepted' } })
    const { page } = await open(id, sender)
    expect(await steps(page)).to.include('Accepted without a signature')
  })

  it('tells strangers what happened, and neither to whom nor in which words', async () => {
    const id = await contract()
    await send(id)
    const { page } = await open(id)
    expect(await steps(page)).to.deep.equal(['Registered', 'Signed', 'Original received', 'Sent'])
    const text = await page.locator('.timeline').textContent()
    expect(text).to.include('АСАНОВА').and.not.include('200140000019').and.not.include('Please sign')
  })

  it('has nothing that axe finds wrong, in three languages, narrow and wide, and keeps its width', async () => {
    const id = await contract()
    await send(id)
    for (const look of LOOKS) {
      for (const cookies of [sender, head]) {
        const { page } = await browser.open(host.url, { ...look, cookies })
        await page.goto(`/d/${id}`)
        expect(await violations(page), JSON.stringify(look)).to.deep.equal([])
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0)
      }
    }
  })
})
