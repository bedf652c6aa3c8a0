import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { Subscriptions } from '#core/organizations/subscriptions.js'
import { violations } from '../../support/axe.js'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { getAs, logInOverHttp } from '../../support/login-over-http.js'
import { registered, startPagesHost } from '../../support/pages-host.js'

const BIN = 'BIN200140000019'
const LOOKS = [
  { language: 'kk', width: 360, dark: true },
  { language: 'ru', width: 1440, dark: false },
  { language: 'en', width: 360, dark: false },
]
const file = (name: string, text = name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

describeInBrowser('nothing is asked in vain', (browser) => {
  let host: TestHost
  let clerk: string
  let head: string
  let person: string
  before(async () => {
    host = await startPagesHost()
    clerk = await logInOverHttp(host.url, host.authorities.named('employee-1-auth'))
    head = await logInOverHttp(host.url, host.authorities.named('head-1-auth'))
    person = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
  })
  after(() => host.close())

  /** The addresses that the page posts to from now on. */
  const posts = (page: Page): string[] => {
    const all: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') all.push(new URL(request.url()).pathname)
    })
    return all
  }
  const fault = (page: Page, of: string) => page.locator(`#${of}-fault`)

  it('an employee is told before the work which right is missing, and who gives it', async () => {
    const id = await registered(host)
    for (const look of LOOKS) {
      const { page, problems } = await browser.open(host.url, { ...look, cookies: clerk })
      for (const path of [`/d/${id}/send`, '/incoming', '/outgoing']) {
        await page.goto(path)
        expect(await page.locator('main').textContent(), path).to.include('IIN900101300040')
        expect(await page.locator('main form').count(), path).to.equal(0)
        expect(await violations(page), path).to.deep.equal([])
      }
      await page.goto('/new')
      expect(await page.locator('#files').count()).to.equal(1)
      expect(await page.locator('#toNumber').count()).to.equal(0)
      expect(await violations(page)).to.deep.equal([])
      expect(problems.filter((one) => !one.includes('403'))).to.deep.equal([])
    }
    const { page } = await browser.open(host.url, { cookies: clerk, javaScript: false })
    await page.goto(`/d/${id}/send`)
    await page.getByText('“Send, accept and comment”').waitFor()
    await page.getByText('by the first head').waitFor()
  })

  it('an employee who may only see what was received and sent is offered no answer, recall or comment', async () => {
    const only = { authorities: [], tlsCertificatesIndices: [], iins: ['IIN900101300040'] }
    const post = async (url: string, cookie: string, payload: object) =>
      expect((await host.app.inject({ method: 'POST', url, headers: { cookie }, payload })).statusCode).to.equal(200)
    const save = (request: object) => post('/api/organizationSettings', head, request)
    await save({ routedDocumentsPackagesView: only })
    const id = await registered(host)
    await post(`/api/${id}/send`, person, { to: BIN })
    await post(`/api/${id}/send`, head, { to: 'IIN900101300010' })
    for (const list of ['incoming', 'outgoing']) {
      const { json } = await getAs<{ items: Record<string, string>[] }>(`${host.url}/api/${list}`, clerk)
      const item = json.items.find(({ documentId }) => documentId === id)
      const address = `/${list}/${item?.[`${list}Id`]}`
      const { page } = await browser.open(host.url, { cookies: clerk, language: 'en' })
      await page.goto(address)
      await page.getByText('“Send, accept and comment”').waitFor()
      expect(await page.locator('main form').count(), address).to.equal(0)
      expect(await violations(page), address).to.deep.equal([])
      const other = await browser.open(host.url, { cookies: head, language: 'en' })
      await other.page.goto(address)
      expect(await other.page.locator('main form').count(), address).to.be.above(1)
    }
    await save({ routedDocumentsPackagesView: { ...only, iins: [] } })
  })

  it('who may send sees the form, and where the subscription ends is told that', async () => {
    const id = await registered(host)
    const { page } = await browser.open(host.url, { cookies: head })
    await page.goto(`/d/${id}/send`)
    expect(await page.locator('#toNumber').count()).to.equal(1)
    const subscriptions = host.registry.get(Subscriptions)
    const disable = ['documentsRouting', 'documentsPackages'] as const
    await subscriptions.change(BIN, { disable }, 'administrator')
    await page.goto(`/d/${id}/send`)
    await page.getByText('“sending documents to others”').waitFor()
    expect(await page.locator('#toNumber').count()).to.equal(0)
    await page.goto('/new')
    await page.getByText('One file only').waitFor()
    await subscriptions.change(BIN, { disable: ['documentsRegistration'] }, 'administrator')
    await page.goto('/new')
    expect(await page.locator('#files').count()).to.equal(0)
    await page.getByText('“registration of documents”').waitFor()
    await subscriptions.change(BIN, { enable: [...disable, 'documentsRegistration'] }, 'administrator')
  })

  it('an error stands at its field, takes the focus, says which value, and goes when that is changed', async () => {
    const id = await registered(host)
    const { page } = await browser.open(host.url, { cookies: person, width: 360 })
    await page.goto(`/d/${id}/send`)
    await page.fill('#toNumber', '900101300020')
    await page.click('button.strong')
    await fault(page, 'toNumber').getByText('You cannot send to yourself.').waitFor()
    const field = page.locator('#toNumber')
    expect(await field.getAttribute('aria-invalid')).to.equal('true')
    expect(await field.getAttribute('aria-describedby'))
      .to.include('toNumber-hint')
      .and.include('toNumber-fault')
    expect(await page.evaluate('document.activeElement?.id')).to.equal('toNumber')
    expect(await fault(page, 'toNumber').locator('button[data-copy]').count()).to.equal(1)
    await fault(page, 'toNumber').getByText('Number of the request').waitFor()
    expect(await violations(page)).to.deep.equal([])
    await field.fill('9')
    expect(await fault(page, 'toNumber').count()).to.equal(0)
    expect(await field.getAttribute('aria-invalid')).to.equal(null)
    await page.goto(`/d/${id}/notify`)
    await page.fill('#emails', 'a@example.kz, nobody, b@example.kz')
    await page.click('button.strong')
    expect(await fault(page, 'emails').locator('strong').textContent()).to.equal('nobody')
  })

  it('nobody signs what would be refused afterwards', async () => {
    const { page } = await browser.open(host.url, { cookies: person })
    await page.goto('/new')
    const asked = posts(page)
    await page.setInputFiles('#files', file('in vain.txt'))
    await page.locator('summary', { hasText: 'Send to' }).click()
    await page.fill('#toNumber', '900101300020')
    await page.locator('summary', { hasText: 'Send to' }).click()
    await page.click('#submit')
    await fault(page, 'toNumber').waitFor({ state: 'visible' })
    expect(asked).to.deep.equal(['/api/checkRegistration'])
    await page.fill('#toNumber', '900101300010')
    await page.fill('#emails', 'nobody')
    await page.click('#submit')
    await fault(page, 'emails').waitFor()
    expect(asked).to.deep.equal(['/api/checkRegistration', '/api/checkRegistration'])
    await page.fill('#emails', '')
    await page.click('#submit')
    await page.locator('.said.good').waitFor()
    expect(asked).to.include('/api/development/sign')
  })

  it('a new version says which document it replaces, and that is replaced once', async () => {
    const id = await registered(host, { title: 'first.txt' })
    for (const look of LOOKS) {
      const { page } = await browser.open(host.url, { ...look, cookies: person })
      await page.goto(`/new?replaces=${id}`)
      expect(await page.locator('main').textContent()).to.include('first.txt')
      expect(await page.inputValue('#title')).to.equal('first.txt')
      expect(await violations(page)).to.deep.equal([])
    }
    const { page } = await browser.open(host.url, { cookies: person })
    await page.goto(`/new?replaces=${id}`)
    await page.setInputFiles('#files', file('second.txt'))
    await page.fill('#title', 'second.txt')
    await page.click('#submit')
    const newer = await page.locator('.said.good').getByRole('link').getAttribute('href')
    await page.goto(`/d/${id}`)
    expect(await page.locator(`a[href="${newer}"]`).count()).to.be.greaterThan(0)
    await page.goto(`/new?replaces=${id}`)
    expect(await page.locator('#files').count()).to.equal(0)
    await page.locator(`a[href="/new?replaces=${newer?.slice('/d/'.length)}"]`).waitFor()
  })

  it('a title that is no file name becomes the nearest one that is, at once', async () => {
    for (const [language, words] of [
      ['en', 'It will be registered as “Contract No 18-2026”'],
      ['ru', 'Будет зарегистрировано как «Contract No 18-2026»'],
      ['kk', '«Contract No 18-2026» деп тіркеледі'],
    ]) {
      const { page, problems } = await browser.open(host.url, { language: language ?? '', width: 360 })
      await page.goto('/new')
      await page.setInputFiles('#files', file('a.txt', `${language}`))
      await page.locator('#title').pressSequentially('Contract No 18/2026')
      await page.fill('#title', 'Contract No 18/2026')
      await page.getByText(words ?? '').waitFor()
      expect(await violations(page)).to.deep.equal([])
      await page.click('#submit')
      await page.locator('.said.good').getByRole('link').click()
      await page.waitForURL('**/d/*')
      expect(await page.locator('h1').textContent()).to.equal('Contract No 18-2026')
      expect(problems).to.deep.equal([])
    }
  })
})
