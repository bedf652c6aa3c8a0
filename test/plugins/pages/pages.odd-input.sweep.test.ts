import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { registered, startPagesHost } from '../../support/pages-host.js'

const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

describeInBrowser('pages with impossible input', (browser) => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost()
  })
  after(() => host.close())
  const said = (page: Page, look: string) => page.locator(`#progress .said.${look}`)

  it('register files under the closest valid title', async () => {
    const { page, problems } = await browser.open(host.url)
    await page.goto('/new')
    await page.setInputFiles('#files', [
      file('Act "of": what?.txt', 'one'),
      file('\u202Egnp.exe', 'two'),
      file('plain 👍.txt', 'three'),
    ])
    await page.click('#submit')
    await said(page, 'good').getByRole('link').click()
    await page.waitForURL('**/p/*')
    expect(await page.locator('ol.rows a').allTextContents()).to.deep.equal([
      "Act 'of' - what.txt",
      'gnp.exe',
      'plain 👍.txt',
    ])
    await page.goto('/new')
    await page.setInputFiles('#files', file('a/b: "c".txt', 'four'))
    expect(await page.inputValue('#title')).not.to.match(/[/:"]/)
    expect(problems).to.deep.equal([])
  })

  it('leave out, and name, files that are empty', async () => {
    const { page, problems } = await browser.open(host.url)
    await page.goto('/new')
    await page.setInputFiles('#files', [file('nothing.txt', ''), file('something.txt', 'six')])
    await said(page, 'bad').getByText('“nothing.txt” is empty').waitFor()
    expect(await page.locator('#chosen li bdi').allTextContents()).to.deep.equal(['something.txt'])
    expect(problems).to.deep.equal([])
  })

  it('do not claim to have sent a mail without recipients', async () => {
    const id = await registered(host)
    const cookies = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    const { page, problems } = await browser.open(host.url, { cookies })
    await page.goto(`/d/${id}/notify`)
    await page.click('form[data-form=notify] button')
    await page.locator('.fault', { hasText: 'Enter an address first' }).waitFor()
    await page.goto(`/d/${id}/settings`)
    await page.fill('#signaturesLimit', '-1')
    expect(await page.locator('#signaturesLimit:invalid').count()).to.equal(1)
    expect(problems).to.deep.equal([])
  })

  it('scroll messages into view, however small the window', async () => {
    const { page } = await browser.open(host.url, { width: 360 })
    await page.goto('/new')
    await page.setInputFiles('#files', file('small.txt', 'seven'))
    await page.check('#way-phone')
    await page.click('#submit')
    await page.locator('.phone-code').waitFor()
    const { y = -1 } = (await said(page, 'busy').locator('h2, h3').first().boundingBox()) ?? {}
    expect(y).to.be.within(0, 800)
    await page.goto('/check')
    await page.setInputFiles('#file', file('small.txt', 'seven'))
    const verdict = page.locator('#verdict .said.plain h2')
    await verdict.waitFor()
    const { y: at = -1 } = (await verdict.boundingBox()) ?? {}
    expect(at).to.be.within(0, 800)
  })
})
