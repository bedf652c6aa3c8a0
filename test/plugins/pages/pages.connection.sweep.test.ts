import { expect } from 'chai'
import type { Page, Route } from 'playwright-core'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { startPagesHost } from '../../support/pages-host.js'

const text = (name: string, content: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })
const said = (page: Page, look: string) => page.locator(`.outcome .said.${look}`)
const goOn = (page: Page) => page.click('button:text("Try again")')

describeInBrowser('when the connection breaks off', (browser) => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost()
  })
  after(() => host.close())

  /** Counts what people sign as development people, and what is registered. */
  async function open(options: { cookies?: string } = {}) {
    const { page } = await browser.open(host.url, options)
    const posted: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') posted.push(new URL(request.url()).pathname)
    })
    await page.goto('/new')
    return { page, times: (path: string) => posted.filter((one) => one === path).length }
  }
  const documentsOf = async (page: Page, content: string): Promise<number> => {
    await page.goto('/check')
    await page.setInputFiles('#file', text('a.txt', content))
    await said(page, 'good').getByRole('link').first().waitFor()
    return said(page, 'good').getByRole('link').count()
  }

  it('a registration says what has arrived, and one button resumes it: nothing is signed or registered twice', async () => {
    const { page, times } = await open()
    await page.setInputFiles('#files', text('contract.txt', 'cut three times'))
    const lost = new Set<string>()
    /** The registry handles the request, but the answer is lost. */
    const loseFirstAnswer = async (route: Route) => {
      const path = new URL(route.request().url()).pathname
      if (route.request().method() !== 'POST' || lost.has(path)) return route.continue()
      lost.add(path)
      await route.fetch()
      return route.abort('connectionreset')
    }
    await page.route('**/api', loseFirstAnswer)
    await page.route('**/api/*/data*', loseFirstAnswer)
    await page.selectOption('#person', 'person-2')
    await page.click('#submit')
    await said(page, 'bad').getByText('It is not known whether the registration has arrived').waitFor()
    await goOn(page)
    await said(page, 'bad').getByText('It is registered.').waitFor()
    await said(page, 'bad').getByText('“contract.txt” has not arrived').waitFor()
    await goOn(page)
    await said(page, 'good').waitFor()
    expect([times('/api/development/sign'), times('/api')]).to.deep.equal([1, 2])
    expect(await documentsOf(page, 'cut three times')).to.equal(1)
  })

  it('an upload ends when the computer goes offline, and is sent again when it is back', async () => {
    const { page } = await open()
    await page.setInputFiles('#files', text('contract.txt', 'sent twice'))
    let begun = () => {}
    const isSending = new Promise<void>((resolve) => {
      begun = resolve
    })
    // It hangs, as with an unplugged cable.
    await page.route('**/api/*/data*', () => begun(), { times: 1 })
    await page.selectOption('#person', 'person-2')
    await page.click('#submit')
    await isSending
    await page.context().setOffline(true)
    await said(page, 'bad').getByText('The connection was lost.').waitFor()
    await page.context().setOffline(false)
    await goOn(page)
    await said(page, 'good').waitFor()
    expect(await documentsOf(page, 'sent twice')).to.equal(1)
  })

  it('a closed tab loses nothing: the next one says what is missing, takes it, and signs the package without asking again', async () => {
    const { page, times } = await open()
    const one = text('one.txt', 'the first of two')
    const two = text('two.txt', 'the second of two')
    await page.setInputFiles('#files', [one, two])
    await page.fill('#title', 'Two papers')
    let uploads = 0
    await page.route('**/api/*/data*', (route) => (++uploads === 2 ? route.abort('connectionreset') : route.continue()))
    await page.selectOption('#person', 'person-2')
    await page.click('#submit')
    await said(page, 'bad').getByText('“one.txt” has arrived').waitFor()
    await said(page, 'bad').getByText('“two.txt” has not arrived').waitFor()
    expect(times('/api/development/sign')).to.equal(2)
    const next = await page.context().newPage()
    await page.close()
    const asked: string[] = []
    next.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await next.goto('/new')
    await next.locator('#unfinished').getByText('Two papers').waitFor()
    await next.locator('#unfinished').getByText('“two.txt” has not arrived').waitFor()
    await next.setInputFiles('#files', two)
    await said(next, 'good').getByRole('link').click()
    await next.getByText('signed all 2').waitFor()
    expect(asked).not.to.include('/api/development/sign').and.not.include('/api/package')
    await next.goto('/new')
    await next.locator('#submit:enabled').waitFor()
    expect(await next.locator('#unfinished').isVisible()).to.equal(false)
  })

  it('a session that expires in the middle is renewed in another tab, and the page continues with what was signed', async () => {
    const cookies = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    const { page, times } = await open({ cookies })
    await page.setInputFiles('#files', text('contract.txt', 'sent after a pause'))
    await page.click('summary:text("Send to")')
    await page.selectOption('#to-kind', 'BIN')
    await page.fill('#toNumber', '200140000019')
    await page.context().clearCookies()
    await page.selectOption('#person', 'person-2')
    await page.click('#submit')
    await said(page, 'bad').getByText('Your session is over').waitFor()
    const opened = page.waitForEvent('popup')
    await said(page, 'bad').getByRole('link', { name: 'Log in' }).click()
    const beside = await opened
    await beside.selectOption('#person', 'person-2')
    await beside.click('button.strong:text("Log in")')
    await beside.waitForURL('**/documents')
    await beside.close()
    await goOn(page)
    await said(page, 'good').waitFor()
    expect(times('/api/development/sign')).to.equal(1)
    await page.goto('/outgoing')
    await page.locator('td a', { hasText: 'contract.txt' }).waitFor()
  })
})
