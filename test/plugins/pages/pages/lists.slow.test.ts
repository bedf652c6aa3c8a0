import type { DocumentResource } from '@signed-registry/client'
import { expect } from 'chai'
import { violations } from '../../../support/axe.js'
import { describeInBrowser } from '../../../support/browser.js'
import type { TestHost } from '../../../support/host.js'
import { getAs, logInOverHttp } from '../../../support/login-over-http.js'
import { registered, startPagesHost } from '../../../support/pages-host.js'

const LOOKS = [
  { language: 'kk', width: 360 },
  { language: 'ru', width: 1440 },
  { language: 'en', width: 360 },
]

describeInBrowser('lists of documents', (browser) => {
  let host: TestHost
  let cookies: string
  let ids: string[]
  before(async () => {
    host = await startPagesHost()
    cookies = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    const settings = { tempStorageAfterRegistration: 86_400_000 }
    ids = [
      await registered(host, { title: 'one.txt', settings }),
      await registered(host, { title: 'two.txt', settings }),
    ]
    await registered(host, { title: 'kept.txt', settings: { forceArchive: true } })
  })
  after(() => host.close())

  const chosen = async (options: object = {}) => {
    const { page, problems } = await browser.open(host.url, { cookies, ...options })
    await page.goto('/documents')
    for (const id of ids) await page.check(`input[name=id][value="${id}"]`)
    return { page, problems }
  }

  it('let several documents be signed with one choice of a key', async () => {
    const { page, problems } = await chosen()
    await page.click('button[formaction="/sign-many"]')
    await page.waitForURL('**/sign-many?*')
    await page.getByRole('radio').first().check()
    await page.locator('#person option').first().waitFor({ state: 'attached' })
    await page.click('form#sign button.strong')
    await page.locator('#done').getByRole('link', { name: 'Documents' }).click()
    await page.waitForURL('**/documents')
    for (const id of ids) {
      const { json } = await getAs<DocumentResource>(`${host.url}/api/${id}`, cookies)
      expect(json.signaturesTotal).to.equal(2)
    }
    expect(problems).to.deep.equal([])
  })

  it('let several documents be sent to many, or their evidence be had, also without scripts', async () => {
    const { page } = await chosen({ javaScript: false })
    await page.click('button[formaction="/send-many"]')
    await page.waitForURL('**/send-many?*')
    await page.getByRole('link', { name: 'one.txt' }).waitFor()
    await page.goBack()
    for (const id of ids) await page.check(`input[name=id][value="${id}"]`)
    await page.click('button[formaction="/export"]')
    await page.waitForURL('**/export?*')
    for (const id of ids) expect(await page.locator(`a[href="/api/${id}/evidence"]`).count()).to.equal(1)
  })

  it('show those that are archived alone', async () => {
    const { page } = await browser.open(host.url, { cookies })
    await page.goto('/documents')
    await page.getByRole('link', { name: 'Kept in the archive' }).click()
    await page.waitForURL('**archived=true')
    expect(await page.locator('tbody a').allTextContents()).to.deep.equal(['kept.txt'])
    await page.fill('#q', 'kept')
    await page.click('form.find button')
    await page.waitForURL('**q=kept*')
    expect(page.url()).to.include('archived=true')
  })

  for (const { language, width } of LOOKS)
    it(`have no faults of accessibility at ${width} pixels in ${language}`, async () => {
      const { page, problems } = await browser.open(host.url, { cookies, language, width })
      const query = ids.map((id) => `id=${id}`).join('&')
      for (const url of ['/documents', '/packages', `/sign-many?${query}`, `/export?${query}`]) {
        await page.goto(url)
        expect(await violations(page), url).to.deep.equal([])
        expect(await page.evaluate('document.documentElement.scrollWidth'), url).to.be.at.most(width)
      }
      expect(problems).to.deep.equal([])
    })
})
