import { mock } from 'node:test'
import type { IncomingItem } from '@signed-registry/client'
import { Clock } from '@signed-registry/core'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { violations } from '../../../support/axe.js'
import { describeInBrowser } from '../../../support/browser.js'
import type { TestHost } from '../../../support/host.js'
import { getAs, logInOverHttp } from '../../../support/login-over-http.js'
import { registered, startPagesHost } from '../../../support/pages-host.js'

const LOOKS = [
  { language: 'kk', width: 360, dark: true },
  { language: 'ru', width: 1440, dark: false },
  { language: 'en', width: 360, dark: false },
]

describeInBrowser('an item', (browser) => {
  let host: TestHost
  let sender: string
  let receiver: string
  before(async () => {
    host = await startPagesHost({ limits: { reminderMs: 1, remindersPerItem: 2 } })
    sender = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    receiver = await logInOverHttp(host.url, host.authorities.named('person-1-auth'))
  })
  after(() => host.close())

  const post = async <T>(path: string, cookie: string, payload: object) =>
    (await host.app.inject({ method: 'POST', url: path, headers: { cookie }, payload })).json<T>()
  /** Sends a private document whose original is kept. */
  async function sent(request: object = {}) {
    const settings = { private: true, tempStorageAfterRegistration: 86_400_000 }
    const id = await registered(host, { title: 'contract.txt', settings })
    const body = { to: 'IIN900101300010', comment: 'Please see part 4', ...request }
    const { outgoingId } = await post<{ outgoingId: string }>(`/api/${id}/send`, sender, body)
    const { json } = await getAs<{ items: IncomingItem[] }>(`${host.url}/api/incoming`, receiver)
    const item = json.items.find(({ documentId }) => documentId === id)
    return { id, outgoing: `/outgoing/${outgoingId}`, incoming: `/incoming/${item?.incomingId}` }
  }
  const press = async (page: Page, name: string) => {
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name, exact: true }).click()])
  }
  const state = (page: Page) => page.locator('.chips .chip').first().textContent()
  /** What has the focus, which a screen reader says after the page was read again. */
  const focused = async (page: Page, words: string) => {
    await page.locator(':focus', { hasText: words }).waitFor()
    expect(await page.locator(':focus').evaluate('(one) => one.id')).not.to.equal('content')
  }

  it('shows its receiver the words of the sender and the original, and says that accepting is no signature', async () => {
    const { incoming, outgoing } = await sent()
    const { page, problems } = await browser.open(host.url, { cookies: receiver })
    await page.goto(incoming)
    expect(await page.locator('.message blockquote').textContent()).to.equal('Please see part 4')
    await page.locator('.look pre', { hasText: /^Contract \d+/ }).waitFor()
    expect(await page.locator('#accepted-hint').textContent()).to.include('not a signature')
    await press(page, 'Accept')
    expect(await state(page)).to.equal('Accepted without a signature')
    await focused(page, 'Accepted without a signature')
    const other = await browser.open(host.url, { cookies: sender, javaScript: false })
    await other.page.goto(outgoing)
    expect(await state(other.page)).to.equal('Accepted without a signature')
    expect(problems).to.deep.equal([])
  })

  it('is refused with a reason, which the sender reads', async () => {
    const { incoming, outgoing } = await sent()
    const { page, problems } = await browser.open(host.url, { cookies: receiver })
    await page.goto(incoming)
    await page.locator('.act summary', { hasText: 'Refuse' }).click()
    await page.fill('#why', 'Part 4 is wrong')
    await press(page, 'Refuse')
    expect(await state(page)).to.equal('Refused')
    await focused(page, 'Refused')
    const other = await browser.open(host.url, { cookies: sender })
    await other.page.goto(outgoing)
    await other.page.getByText('Part 4 is wrong').waitFor()
    expect(problems).to.deep.equal([])
  })

  it('that asks for a signature leads to signing, and says what accepting without one means', async () => {
    const { id, incoming } = await sent({ toSign: true })
    const { page } = await browser.open(host.url, { cookies: receiver })
    await page.goto(incoming)
    const main = page.locator('main a.button.strong')
    expect(await main.textContent()).to.equal('Sign and accept')
    expect(await main.getAttribute('href')).to.equal(`/d/${id}/sign?incoming=${incoming.split('/')[2]}`)
    expect(await page.locator('main button.strong').count()).to.equal(0)
    await page.locator('.act summary', { hasText: 'Accept without a signature' }).click()
    expect(await page.locator('#accepted-hint').textContent()).to.include('will not have your signature')
    await press(page, 'Accept without a signature')
    expect(await state(page)).to.equal('Accepted without a signature')
  })

  it('can no longer be accepted after its deadline, but refused', async () => {
    const { incoming } = await sent({ deadline: Date.now() + 60_000 })
    const clock = host.registry.get(Clock)
    const now = mock.method(clock, 'now', () => Date.now() + 61_000)
    try {
      const { page } = await browser.open(host.url, { cookies: receiver })
      await page.goto(incoming)
      await page.getByText('The deadline has passed').waitFor()
      expect(await page.getByRole('button', { name: 'Accept' }).count()).to.equal(0)
      await page.locator('.act summary', { hasText: 'Refuse' }).click()
      await press(page, 'Refuse')
      expect(await state(page)).to.equal('Refused')
    } finally {
      now.mock.restore()
    }
  })

  it('tells its sender that it was opened, and is reminded of as often as the registry lets it', async () => {
    const { incoming, outgoing } = await sent()
    const { page, problems } = await browser.open(host.url, { cookies: sender })
    await page.goto(outgoing)
    expect(await state(page)).to.equal('Not opened yet')
    await host.app.inject({ url: incoming, headers: { cookie: receiver } })
    for (const left of [2, 1]) {
      await page.reload()
      expect(await page.locator('#remind-hint').textContent()).to.include(`Left: ${left}`)
      await press(page, 'Remind')
    }
    expect(await state(page)).to.equal('Opened, not answered yet')
    await page.getByText('All reminders have been sent.').waitFor()
    expect(problems).to.deep.equal([])
  })

  it('is recalled with a reason, which its receiver reads, and can be sent again', async () => {
    const { id, incoming, outgoing } = await sent()
    const { page, problems } = await browser.open(host.url, { cookies: sender })
    await page.goto(outgoing)
    await page.locator('.act summary', { hasText: 'Recall' }).click()
    await page.fill('#why', 'The wrong version')
    await press(page, 'Recall')
    expect(await state(page)).to.equal('Recalled by the sender')
    await focused(page, 'Recalled by the sender')
    expect(await page.getByRole('link', { name: 'Send again' }).getAttribute('href')).to.equal(`/d/${id}/send`)
    expect(problems).to.deep.equal([])
    const other = await browser.open(host.url, { cookies: receiver, javaScript: false })
    await other.page.goto(incoming)
    expect(await state(other.page)).to.equal('Recalled by the sender')
    await other.page.getByText('The wrong version').waitFor()
    expect(await other.page.locator('.act').count()).to.equal(0)
  })

  it('is sent with what is wanted and until when', async () => {
    const id = await registered(host)
    const inTenDays = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
    const { page, problems } = await browser.open(host.url, { cookies: sender })
    await page.goto(`/d/${id}/send`)
    expect(await page.isChecked('#wanted-sign')).to.equal(true)
    await page.fill('#toNumber', '900101300010')
    await page.fill('#deadline', `${inTenDays}T12:00`)
    await page.click('button.strong')
    await page.waitForURL('**/outgoing/*')
    const address = `${host.url}/api${new URL(page.url()).pathname}`
    expect((await getAs(address, sender)).json).to.deep.include({
      toSign: true,
      deadline: Date.parse(`${inTenDays}T12:00:00+05:00`),
    })
    expect(problems).to.deep.equal([])
  })

  it('is sent to somebody who was sent something before, chosen by name', async () => {
    const { incoming } = await sent()
    await host.app.inject({ url: incoming, headers: { cookie: receiver } })
    const id = await registered(host)
    const { page, problems } = await browser.open(host.url, { cookies: sender })
    await page.goto(`/d/${id}/send`)
    await page.selectOption('#to-kind', 'BIN')
    await page.focus('#toNumber')
    const offered = page.locator('datalist#recipients option', { hasText: 'ИВАНОВ ИВАН ИВАНОВИЧ' })
    await offered.waitFor({ state: 'attached' })
    await page.fill('#toNumber', (await offered.getAttribute('value')) ?? '')
    expect(await page.inputValue('#toNumber')).to.equal('900101300010')
    expect(await page.inputValue('#to-kind')).to.equal('IIN')
    expect(problems).to.deep.equal([])
  })

  it('is opened after logging in, by whoever follows the link of a mail', async () => {
    const { incoming } = await sent()
    const { page } = await browser.open(host.url)
    await page.goto(incoming)
    await page.locator('main').getByRole('link', { name: 'Log in' }).click()
    await page.selectOption('#person', 'person-1')
    await page.click('button.strong:text("Log in")')
    await page.waitForURL(`**${incoming}`)
    await page.getByRole('button', { name: 'Accept', exact: true }).waitFor()
  })

  it('is found by its title and by the other party, also without scripts', async () => {
    const { incoming } = await sent()
    const { page } = await browser.open(host.url, { cookies: receiver, javaScript: false })
    await page.goto('/incoming?status=new')
    for (const [words, isFound] of [
      ['CONTRACT', true],
      ['900101300020', true],
      ['invoice', false],
    ] as const) {
      await page.getByRole('searchbox').fill(words)
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.searchParams.get('q') === words)
      expect(new URL(page.url()).searchParams.get('status')).to.equal('new')
      expect((await page.locator(`a[href="${incoming}"]`).count()) > 0, words).to.equal(isFound)
    }
  })

  it('is discussed by both sides', async () => {
    const { incoming, outgoing } = await sent()
    for (const [cookies, address, words] of [
      [receiver, incoming, 'What about part 5?'],
      [sender, outgoing, 'Part 5 stays'],
    ] as const) {
      const { page } = await browser.open(host.url, { cookies })
      await page.goto(address)
      await page.fill('#comment', words)
      await press(page, 'Send the comment')
      expect(await page.locator('.said-list').textContent()).to.include(words)
      await focused(page, 'Sent.')
    }
  })

  it('has nothing that axe finds wrong, in three languages, narrow and wide, and keeps its width', async () => {
    const { incoming, outgoing } = await sent()
    for (const look of LOOKS) {
      for (const [cookies, address] of [
        [receiver, incoming],
        [sender, outgoing],
        [receiver, '/incoming'],
        [sender, '/outgoing'],
      ] as const) {
        const { page } = await browser.open(host.url, { ...look, cookies })
        await page.goto(address)
        await page.evaluate('for (const one of document.querySelectorAll("main details")) one.open = true')
        expect(await violations(page), `${address} ${JSON.stringify(look)}`).to.deep.equal([])
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0)
      }
    }
  })
})
