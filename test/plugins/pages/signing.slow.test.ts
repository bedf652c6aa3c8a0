import { DevPhone } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { violations } from '../../support/axe.js'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { getAs, logInOverHttp } from '../../support/login-over-http.js'
import { registered, startPagesHost } from '../../support/pages-host.js'

const LOOKS = [
  { language: 'kk', width: 360, dark: true },
  { language: 'ru', width: 1440, dark: false },
  { language: 'en', width: 1440, dark: true },
]
const KEPT = { tempStorageAfterRegistration: 86_400_000 }

describeInBrowser('signing is reading', (browser) => {
  let host: TestHost
  let sender: string
  let receiver: string
  let head: string
  before(async () => {
    host = await startPagesHost()
    sender = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    receiver = await logInOverHttp(host.url, host.authorities.named('person-1-auth'))
    head = await logInOverHttp(host.url, host.authorities.named('head-1-auth'))
  })
  after(() => host.close())

  const post = async <T>(path: string, cookie: string, payload: object) =>
    (await host.app.inject({ method: 'POST', url: path, headers: { cookie }, payload })).json<T>()
  /** Sends a document to be signed; answers its identifier and those of its item. */
  async function sent(deadline?: number) {
    const id = await registered(host, { settings: { ...KEPT, private: true } })
    const request = { to: 'IIN900101300010', toSign: true, ...(deadline !== undefined && { deadline }) }
    const { outgoingId } = await post<{ outgoingId: string }>(`/api/${id}/send`, sender, request)
    return { id, outgoingId, incomingId: outgoingId, page: `/d/${id}/sign?incoming=${outgoingId}` }
  }
  const statusOf = async (incomingId: string) =>
    (await getAs<{ status: string }>(`${host.url}/api/incoming/${incomingId}`, receiver)).json.status

  it('the original is shown, and beside it who signs what; whoever is logged in is chosen', async () => {
    const id = await registered(host, { settings: KEPT })
    for (const look of LOOKS) {
      const { page, problems } = await browser.open(host.url, { ...look, cookies: head })
      await page.goto(`/d/${id}/sign`)
      await page.locator('.look pre', { hasText: /^Contract \d+/ }).waitFor()
      await page.locator('#person option').first().waitFor({ state: 'attached' })
      expect(await page.inputValue('#person')).to.equal('head-1')
      expect(await page.locator('.panel').textContent())
        .to.include('contract.txt')
        .and.include('200140000019')
      expect(await page.locator('.bar button').isVisible()).to.equal(true)
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      expect(overflow).to.be.at.most(0)
      expect(await violations(page)).to.deep.equal([])
      expect(problems).to.deep.equal([])
    }
  })

  it('whoever is logged in stays chosen after a registration', async () => {
    const { page } = await browser.open(host.url, { cookies: head })
    await page.goto('/new')
    const file = { name: 'again.txt', mimeType: 'text/plain', buffer: Buffer.from('signed by the head') }
    await page.setInputFiles('#files', file)
    await page.locator('#person option').first().waitFor({ state: 'attached' })
    await page.click('#submit')
    await page.locator('#progress .said.good').waitFor()
    expect(await page.inputValue('#person')).to.equal('head-1')
  })

  it('whose turn it is stands before the work, where it is not the turn of the visitor', async () => {
    const settings = {
      ...KEPT,
      sequentialSignersRequirements: true,
      signersRequirements: [{ iin: 'IIN900101300020' }, { iin: 'IIN900101300010' }],
    }
    const id = await registered(host, { settings })
    const textFor = async (cookie: string) =>
      (await host.app.inject({ url: `/d/${id}/sign?lang=en`, headers: { cookie } })).body
    expect(await textFor(head))
      .to.include('A signature is awaited now of:')
      .and.include('900101300010')
    expect(await textFor(receiver)).to.not.include('A signature is awaited now of:')
  })

  it('the button stays in sight on a phone, whatever the length of the original', async () => {
    const id = await registered(host, { settings: KEPT }, Buffer.from('A long contract.\n'.repeat(500)))
    const { page } = await browser.open(host.url, { cookies: head, width: 360 })
    await page.goto(`/d/${id}/sign`)
    await page.locator('.look pre').waitFor()
    const box = await page.locator('.bar button').boundingBox()
    expect((box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0)).to.be.at.most(800)
  })

  it('a signature that answers an item accepts it, and what can be done next is said', async () => {
    for (const look of LOOKS) {
      const { page: address, incomingId } = await sent()
      const { page, problems } = await browser.open(host.url, { ...look, cookies: receiver })
      await page.goto(address)
      await page.click('.bar button')
      await page.locator('#done').waitFor()
      expect(await page.locator('#accepted').isVisible()).to.equal(true)
      expect(await page.locator('#not-accepted').isVisible()).to.equal(false)
      expect(await page.evaluate('document.activeElement?.parentElement?.id')).to.equal('done')
      expect(await page.locator('#sign').isVisible()).to.equal(false)
      expect(await page.locator('#done a').evaluateAll((all) => all.map((one) => one.getAttribute('href')))).to.include(
        `/incoming/${incomingId}`,
      )
      expect(await violations(page)).to.deep.equal([])
      expect(await statusOf(incomingId)).to.equal('accepted')
      expect(problems).to.deep.equal([])
    }
  })

  it('what can no longer be accepted is said before the signature, which stands without that', async () => {
    const { page: address, incomingId, id } = await sent()
    await post(`/api/incoming/${incomingId}/comment`, receiver, { status: 'denied' })
    const { page } = await browser.open(host.url, { cookies: receiver })
    await page.goto(address)
    await page.getByText('This has been answered already.').waitFor()
    expect(await page.locator('.bar button').textContent()).to.equal('Sign')
    expect(await violations(page)).to.deep.equal([])
    await page.click('.bar button')
    await page.locator('#done').waitFor()
    expect(await page.locator('#accepted').isVisible()).to.equal(false)
    expect((await getAs<{ signaturesTotal: number }>(`${host.url}/api/${id}`, sender)).json.signaturesTotal).to.equal(2)
  })

  it('what is recalled while somebody reads is not signed in vain', async () => {
    const { page: address, outgoingId, incomingId } = await sent()
    const { page } = await browser.open(host.url, { cookies: receiver })
    await page.goto(address)
    await page.locator('.look pre').waitFor()
    await post(`/api/outgoing/${outgoingId}/recall`, sender, {})
    const signed: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/development/sign')) signed.push(request.url())
    })
    await page.click('.bar button')
    await page.getByText('The item has been recalled or answered').waitFor()
    expect(signed).to.deep.equal([])
    expect(await statusOf(incomingId)).to.equal('failed')
  })

  it('who is not logged in logs in first where the signature is an answer', async () => {
    const id = await registered(host)
    const { page } = await browser.open(host.url, {})
    await page.goto(`/d/${id}/sign?incoming=abc`)
    const next = await page.locator('main').getByRole('link', { name: 'Log in' }).getAttribute('href')
    expect(next).to.equal(`/login?next=${encodeURIComponent(`/d/${id}/sign?incoming=abc`)}`)
    expect(await page.locator('#sign').count()).to.equal(0)
  })

  it('where nobody can sign any more, nobody is asked to', async () => {
    const id = await registered(host, { settings: { signaturesLimit: 1 } })
    const { page } = await browser.open(host.url, { cookies: receiver })
    await page.goto(`/d/${id}/sign`)
    await page.getByText('all that were expected are there').waitFor()
    expect(await page.locator('#sign').count()).to.equal(0)
  })

  it('on a phone the link that opens the app comes first, and the code is small', async () => {
    const id = await registered(host, { settings: KEPT })
    const options = { cookies: receiver, width: 360, isPhone: true }
    const { page, problems } = await browser.open(host.url, options)
    const phone = new DevPhone(host.authorities.named('person-1'))
    await page.goto(`/d/${id}/sign`)
    const ways = await page.locator('input[name=way]').evaluateAll((all) => all.map((one) => one.getAttribute('value')))
    expect(ways.indexOf('phone')).to.be.lessThan(ways.indexOf('ncalayer'))
    await page.check('#way-phone')
    await page.click('.bar button')
    const link = page.locator('#progress a.strong')
    await link.waitFor()
    expect((await page.locator('.phone-code').boundingBox())?.width).to.be.lessThan(140)
    expect(await violations(page)).to.deep.equal([])
    await phone.sign((await link.getAttribute('href')) ?? '')
    await page.locator('#done').waitFor()
    expect(problems).to.deep.equal([])
  })
})
