import { DevPhone } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { NcaLayer } from '../../support/ncalayer.js'
import { startPagesHost } from '../../support/pages-host.js'

const FILES = ['contract.txt', 'annex.txt'].map((name) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(`${name} of two people and an organization`),
}))
const ORGANIZATION = '200140000019'

describeInBrowser('two people and an organization', (browser) => {
  let host: TestHost
  let program: NcaLayer
  before(async () => {
    host = await startPagesHost()
    program = await NcaLayer.start(as('person-2'))
    browser.ncaLayerPort = program.port
  })
  after(async () => {
    await program.close()
    await host.close()
  })

  /** The keys of somebody, as the program has them. */
  const as = (name: 'person-2' | 'employee-1') => ({
    signing: host.authorities.named(name),
    authentication: host.authorities.named(`${name}-auth`),
  })
  const said = (page: Page, look: string) => page.locator(`.outcome .said.${look}`)
  const logIn = async (page: Page) => {
    await page.check('#way-ncalayer')
    await page.click('button.strong:text("Log in")')
  }
  const sign = (page: Page) => page.click('button.strong:text-is("Sign")')

  it('sign a package by program and by phone, send it and accept it with a comment', async () => {
    // The first person registers both files; closing the window of the program registers nothing.
    const first = await browser.open(host.url)
    await first.page.goto('/login?next=/new')
    await logIn(first.page)
    await first.page.waitForURL('**/new')
    await first.page.setInputFiles('#files', FILES)
    await first.page.fill('#title', 'Papers of three')
    await first.page.check('#way-ncalayer')
    program.behaviour = 'cancels'
    await first.page.click('#submit')
    await said(first.page, 'bad').getByText('Signing was cancelled. Nothing was registered.').waitFor()
    program.behaviour = 'signs'
    await first.page.click('#submit')
    await said(first.page, 'good').getByRole('link').click()
    await first.page.getByText('You signed this:').waitFor()
    const address = new URL(first.page.url()).pathname

    // The second brings both originals, since nobody is logged in; refuses on the phone once, then signs there.
    const second = await browser.open(host.url)
    const phone = new DevPhone(host.authorities.named('person-1'))
    const code = async () => (await second.page.locator('.said a[href*="mobileSign"]').getAttribute('href')) ?? ''
    await second.page.goto(address)
    await second.page.click(`a[href="${address}/sign"]`)
    await second.page.check('#way-phone')
    await second.page.setInputFiles('#originals', FILES[0] ?? [])
    await second.page.locator('#chosen li', { hasText: 'annex.txt' }).getByText('its file is needed').waitFor()
    await second.page.locator('#chosen li', { hasText: 'contract.txt' }).getByText('chosen').waitFor()
    await sign(second.page)
    await said(second.page, 'bad').getByText('Choose the originals of all documents.').waitFor()
    await second.page.setInputFiles('#originals', FILES[1] ?? [])
    await sign(second.page)
    await second.page.locator('.phone-code').waitFor()
    await phone.sign(await code(), { cancel: true })
    await said(second.page, 'bad').getByText('Signing was cancelled').waitFor()
    await sign(second.page)
    await second.page.locator('.phone-code').waitFor()
    await phone.sign(await code())
    await second.page.locator('#done a.strong').click()
    await second.page.waitForURL(`**${address}`)
    expect(await second.page.locator('.rows li', { hasText: 'ИВАНОВ' }).textContent()).to.include('signed all 2')

    // An employee signs one of them for the organization; the page says what is missing.
    program.signers = as('employee-1')
    const third = await browser.open(host.url)
    await third.page.goto(`/login?next=${address}`)
    await logIn(third.page)
    await third.page.locator('p', { hasText: 'You have not signed yet' }).getByText('contract.txt').waitFor()
    await third.page.click('ol a:has-text("annex.txt")')
    await third.page.click('a:text-is("Sign")')
    await third.page.check('#way-ncalayer')
    await sign(third.page)
    await third.page.locator('#done').waitFor()
    await third.page.goto(address)
    const missing = third.page.locator('p', { hasText: 'You have not signed yet' })
    expect(await missing.textContent())
      .to.include('contract.txt')
      .and.not.include('annex.txt')
    expect(await third.page.locator('.rows li', { hasText: 'ТОО' }).textContent()).to.include(
      'not signed yet: contract.txt',
    )
    // Then the whole; the session ends meanwhile, and is renewed beside the page. The registry gives originals only to those it knows.
    await third.page.click(`a[href="${address}/sign"]`)
    await third.page.check('#way-ncalayer')
    await third.page.context().clearCookies()
    await sign(third.page)
    await said(third.page, 'bad').getByText('Your session is over').waitFor()
    const opened = third.page.waitForEvent('popup')
    await said(third.page, 'bad').getByRole('link', { name: 'Log in' }).click()
    const beside = await opened
    await logIn(beside)
    await beside.waitForURL('**/documents')
    await beside.close()
    await sign(third.page)
    await third.page.locator('#done a.strong').click()
    await third.page.waitForURL(`**${address}`)
    await third.page.getByText('You signed this:').waitFor()

    // The first sends the package to the organization, whose head accepts it.
    await first.page.click(`a[href="${address}/send"]`)
    await first.page.selectOption('#to-kind', 'BIN')
    await first.page.fill('#toNumber', ORGANIZATION)
    await first.page.fill('#comment', 'Signed by all of us')
    await first.page.click('button.strong:text-is("Send")')
    await first.page.waitForURL('**/outgoing/*')
    const cookies = await logInOverHttp(host.url, host.authorities.named('head-1-auth'))
    const head = await browser.open(host.url, { cookies })
    await head.page.goto('/incoming')
    await head.page.click('td a:has-text("Papers of three")')
    await head.page.getByText('Signed by all of us').waitFor()
    await head.page.fill('#comment', 'Received in full')
    await Promise.all([head.page.waitForEvent('load'), head.page.click('button:text-is("Send the comment")')])
    await head.page.click('button:text-is("Accept")')
    await head.page.getByText('Signed and accepted').first().waitFor()
    await first.page.reload()
    await first.page.getByText('Received in full').waitFor()
    const ofScripts = [first, second, head].flatMap(({ problems }) => problems)
    expect(ofScripts).to.deep.equal([])
  })
})
