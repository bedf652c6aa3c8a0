import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { violations } from '../../../support/axe.js'
import { describeInBrowser } from '../../../support/browser.js'
import { clientCertificate } from '../../../support/client-certificate.js'
import type { TestHost } from '../../../support/host.js'
import { getAs, logInOverHttp, postAs } from '../../../support/login-over-http.js'
import { startPagesHost } from '../../../support/pages-host.js'
import { png } from '../../../support/png.js'

const CLERK = 'IIN900101300040'
const HR = '1.2.398.3.3.4.1.2.4'
const TABS = ['people', 'systems', 'webhooks', 'contacts', 'looks', 'changes']

interface Settings {
  readonly documentsList: { iins: string[]; authorities: string[]; tlsCertificatesIndices: number[] }
  readonly branding?: { logo?: string; color?: string; name?: Record<string, string> }
}

describeInBrowser('the page of an organization', (browser) => {
  let host: TestHost
  let cookies: string
  before(async () => {
    host = await startPagesHost()
    cookies = await logInOverHttp(host.url, host.authorities.named('head-1-auth'))
  })
  after(() => host.close())

  const save = async (settings: object) => {
    const { status, text } = await postAs(`${host.url}/api/organizationSettings`, cookies, settings)
    expect(status, text).to.equal(200)
  }
  const settings = async () => (await getAs<Settings>(`${host.url}/api/organizationSettings`, cookies)).json
  /** Presses the button that saves, and waits until the page is there again. */
  const press = async (page: Page) => {
    const saved = page.waitForResponse(
      (answer) => answer.url().endsWith('/api/organizationSettings') && answer.request().method() === 'POST',
    )
    const loaded = page.waitForEvent('load')
    await page.click('form button.strong')
    await saved
    await loaded
  }
  const box = (page: Page, right: string, key: string) => page.locator(`input[name=${right}][value="${key}"]`)

  it('has a tab for each part, with an address of its own, that can be read without scripts', async () => {
    await save({
      tlsCertificatesList: [{ description: 'Accounting', body: clientCertificate().pem }],
      documentsList: { iins: [CLERK] },
    })
    const { page } = await browser.open(host.url, { cookies, javaScript: false })
    for (const tab of TABS) {
      await page.goto(`/organization?tab=${tab}`)
      expect(await page.locator('.tabs a[aria-current=page]').getAttribute('href')).to.equal(`/organization?tab=${tab}`)
    }
    await page.goto('/organization')
    await page.getByRole('rowheader', { name: 'IIN 900101300040' }).waitFor()
  })

  for (const width of [360, 1440])
    for (const language of ['en', 'ru', 'kk'])
      it(`has no faults of accessibility at ${width} pixels in ${language}`, async () => {
        const { page, problems } = await browser.open(host.url, { cookies, width, language })
        for (const tab of TABS) {
          await page.goto(`/organization?tab=${tab}`)
          expect(await violations(page), tab).to.deep.equal([])
          expect(await page.evaluate('document.documentElement.scrollWidth'), tab).to.be.at.most(width)
        }
        expect(problems).to.deep.equal([])
      })

  it('gives rights to people, roles and systems, and keeps those that others have', async () => {
    await save({ documentsList: { iins: [CLERK], tlsCertificatesIndices: [0] }, documentsAccess: { iins: [CLERK] } })
    const { page, problems } = await browser.open(host.url, { cookies, width: 360 })
    await page.goto('/organization?tab=people')
    await page.getByRole('rowheader', { name: 'Accounting' }).waitFor()
    await page.fill('#new-person', '900101 300 010')
    await box(page, 'documentsList', 'new').check()
    await box(page, 'documentsList', HR).check()
    await box(page, 'documentsList', '#0').uncheck()
    await box(page, 'documentsAccess', CLERK).uncheck()
    await press(page)
    expect((await settings()).documentsList).to.deep.equal({
      iins: [CLERK, 'IIN900101300010'],
      authorities: [HR],
      tlsCertificatesIndices: [],
    })
    expect(await box(page, 'documentsList', 'IIN900101300010').isChecked()).to.equal(true)
    expect(await page.locator(`tr[data-row=${CLERK}] input:checked`).count()).to.equal(1)
    expect(problems).to.deep.equal([])
  })

  it('says that it has saved, where the button is, once and in the same tab', async () => {
    const { page, problems } = await browser.open(host.url, { cookies, width: 360 })
    for (const [tab, form] of [
      ['people', 'rights'],
      ['systems', 'systems'],
      ['webhooks', 'webhooks'],
      ['contacts', 'contacts'],
      ['looks', 'branding'],
    ] as const) {
      await page.goto(`/organization?tab=${tab}`)
      await page.click(`[data-form=organization-${form}] button.strong`)
      const said = page.getByRole('status').filter({ hasText: 'Saved.' })
      await said.waitFor()
      expect(await page.locator('.tabs a[aria-current=page]').getAttribute('href')).to.equal(`/organization?tab=${tab}`)
      expect(await said.getAttribute('id')).to.equal(`organization-${form}-progress`)
      await page.waitForFunction('document.activeElement?.closest("form") !== null')
      expect(await violations(page), tab).to.deep.equal([])
      const { y = -1, height = 0 } = (await said.boundingBox()) ?? {}
      expect(y, tab).to.be.within(0, 800 - height)
      await page.reload()
      expect(await page.getByText('Saved.').count(), tab).to.equal(0)
    }
    expect(problems).to.deep.equal([])
  })

  it('asks for the IIN and a right of a new person', async () => {
    const { page } = await browser.open(host.url, { cookies })
    await page.goto('/organization?tab=people')
    await page.fill('#new-person', '900101300011')
    await page.click('form button.strong')
    await page.getByText('Tick what the new person may do.').waitFor()
    await page.fill('#new-person', '9001')
    await box(page, 'documentsList', 'new').check()
    await page.click('form button.strong')
    await page.locator('.said.bad').waitFor()
    expect((await settings()).documentsList.iins).not.to.include('IIN900101300011')
  })

  it('does not undo what somebody else has changed meanwhile', async () => {
    const { page } = await browser.open(host.url, { cookies })
    await page.goto('/organization?tab=people')
    await save({ documentsList: { iins: ['IIN900101300099'] } })
    await box(page, 'documentsList', CLERK).uncheck()
    await page.click('form button.strong')
    await page.getByText('The settings were changed meanwhile.').waitFor()
    expect((await settings()).documentsList.iins).to.deep.equal(['IIN900101300099'])
  })

  it('shows people page by page, and keeps the rights of those on other pages', async () => {
    const iins = Array.from({ length: 120 }, (_, at) => `IIN8${String(at).padStart(11, '0')}`)
    await save({ documentsList: { iins } })
    const { page } = await browser.open(host.url, { cookies })
    await page.goto('/organization?tab=people')
    await page.click('a[rel=next]')
    await page.waitForURL('**from=50')
    await box(page, 'documentsList', iins[50] ?? '').uncheck()
    await press(page)
    expect((await settings()).documentsList.iins).to.deep.equal(iins.filter((_, at) => at !== 50))
  })

  it('takes a logo, a colour and a name, shows them, and keeps the logo until it is taken away', async () => {
    const { page, problems } = await browser.open(host.url, { cookies })
    await page.goto('/organization?tab=looks')
    const buffer = png({ width: 200, height: 100 })
    await page.setInputFiles('#brand-logo', { name: 'logo.png', mimeType: 'image/png', buffer })
    await page.fill('#name-en', 'Daisy')
    await page.click('form button.strong')
    await page.getByText('Give the name in all three languages').waitFor()
    await page.fill('#name-ru', 'Ромашка')
    await page.fill('#name-kk', 'Түймедақ')
    await page.check('#withColor')
    await page.fill('#brand-color', '#7a1f3d')
    await press(page)
    await page.locator('.brand-band img').waitFor()
    expect(await violations(page)).to.deep.equal([])
    await page.uncheck('#withColor')
    await press(page)
    const logo = buffer.toString('base64')
    expect((await settings()).branding).to.deep.equal({ logo, name: { en: 'Daisy', ru: 'Ромашка', kk: 'Түймедақ' } })
    await page.check('#withoutLogo')
    await press(page)
    expect((await settings()).branding).not.to.have.property('logo')
    expect(problems).to.deep.equal([])
  })
})
