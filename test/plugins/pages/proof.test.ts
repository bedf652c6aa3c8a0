import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { violations } from '../../support/axe.js'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { registered, startPagesHost } from '../../support/pages-host.js'

describeInBrowser('the page of a private document', (browser) => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost()
  })
  after(() => host.close())
  const original = Buffer.from('A private contract\n')
  const file = (buffer: Buffer) => ({ name: 'contract.txt', mimeType: 'text/plain', buffer })

  it('shows that it is registered and signed when its owner allows it, and nothing once that is revoked', async () => {
    const id = await registered(host, { title: 'Secret.txt', settings: { private: true } }, original)
    const cookies = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    const owner = await browser.open(host.url, { cookies })
    const reader = await browser.open(host.url, { width: 360, language: 'en' })
    const { page } = reader
    await page.goto(`/d/${id}`)
    await page.getByRole('heading', { name: 'This document is private' }).waitFor()

    await owner.page.goto(`/d/${id}/settings`)
    await owner.page.check('#publicProof')
    await owner.page.click('button.strong')
    await owner.page.locator('.said.good').waitFor()
    await owner.page.goto(`/d/${id}`)
    await owner.page.locator('.chip', { hasText: 'proof open to everyone' }).waitFor()

    const answer = await page.goto(`/d/${id}`)
    const headers = answer?.headers() ?? {}
    expect(headers).to.include({ 'x-robots-tag': 'noindex', 'cache-control': 'public, no-cache' })
    await page.locator('.chip', { hasText: '1 valid signature' }).waitFor()
    const html = (await answer?.text()) ?? ''
    expect(html).not.to.include('Secret').and.not.include('АСАНОВА').and.not.include('900101300020')
    await page.setInputFiles('#original', file(original))
    await page.getByText('This is the document.').waitFor()
    await page.setInputFiles('#original', file(Buffer.from('Another contract')))
    await page.getByText('This is not the document.').waitFor()
    expect(await violations(page)).to.deep.equal([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0)

    await owner.page.goto(`/d/${id}/settings`)
    await owner.page.uncheck('#publicProof')
    await owner.page.click('button.strong')
    await owner.page.locator('.said.good').waitFor()
    const closed = await fetch(`${host.url}/d/${id}`, { headers: { 'if-none-match': headers.etag ?? '' } })
    expect(closed.status).to.equal(401)
    expect(owner.problems).to.deep.equal([])
  })

  it('opens to a logged-in visitor through a link on another site, such as webmail, however often it is followed', async () => {
    const id = await registered(host, { title: 'Secret.txt', settings: { private: true } })
    const mail = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end(`<a href="${host.url}/d/${id}">the document</a>`)
    }).listen(0, '127.0.0.1')
    await once(mail, 'listening')
    const { port } = mail.address() as AddressInfo
    const cookies = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    const { page } = await browser.open(host.url, { cookies })
    for (const _follow of ['once', 'twice', 'a third time']) {
      await page.goto(`http://localhost:${port}/`)
      await page.click('a')
      await page.getByRole('heading', { name: 'Secret.txt' }).waitFor()
      await page.waitForLoadState()
    }
    mail.close()
  })
})
