import { expect } from 'chai'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { registered, startPagesHost } from '../../support/pages-host.js'

describeInBrowser('a link from elsewhere', (browser) => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost()
  })
  after(() => host.close())

  it('opens a page that knows who is logged in, though the browser sends no cookie for it', async () => {
    const settings = { tempStorageAfterRegistration: 3_600_000 }
    const id = await registered(host, { settings })
    const cookies = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    const { page, problems } = await browser.open(host.url, { cookies })
    await page.route('http://mail.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${host.url}/d/${id}">the document</a>` }),
    )
    const fromMail = async () => {
      await page.goto('http://mail.example/')
      await page.click('a')
    }
    // Any page that knows its visitor tells the browser that somebody is logged in.
    await page.goto('/check')
    await page.locator('summary', { hasText: 'АСАНОВА' }).waitFor()
    await fromMail()
    await page.locator('summary', { hasText: 'АСАНОВА' }).waitFor()
    await page.locator('button[data-original]').waitFor({ state: 'attached' })
    expect(problems).to.deep.equal([])
    await page.locator('.account summary').click()
    await page.click('button[data-logout]')
    await page.waitForURL(`${host.url}/`)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await fromMail()
    await page.locator('.who a', { hasText: 'Log in' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(asked).not.to.include('/api/auth')
    expect(problems).to.deep.equal([])
  })
})
