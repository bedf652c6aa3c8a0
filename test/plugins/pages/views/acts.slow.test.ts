import { expect } from 'chai'
import { openActs } from '../../../support/acts.js'
import { violations } from '../../../support/axe.js'
import { describeInBrowser } from '../../../support/browser.js'
import type { TestHost } from '../../../support/host.js'
import { logInOverHttp } from '../../../support/login-over-http.js'
import { packaged } from '../../../support/packaged.js'
import { registered, startPagesHost } from '../../../support/pages-host.js'

const KEPT = { tempStorageAfterRegistration: 86_400_000 }
const LOOKS = [
  { language: 'kk', width: 360, dark: true },
  { language: 'ru', width: 1440, dark: false },
  { language: 'en', width: 360, dark: false },
]

describeInBrowser('what can be done with a document or package', (browser) => {
  let host: TestHost
  let signer: string
  let clerk: string
  let head: string
  before(async () => {
    host = await startPagesHost()
    signer = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    clerk = await logInOverHttp(host.url, host.authorities.named('employee-1-auth'))
    head = await logInOverHttp(host.url, host.authorities.named('head-1-auth'))
  })
  after(() => host.close())

  const open = async (path: string, cookies?: string, javaScript = true) => {
    const { page } = await browser.open(host.url, { width: 360, javaScript, ...(cookies && { cookies }) })
    await page.goto(path)
    return page
  }

  it('is one thing first, which is what comes next, and all else when asked for, also without scripts', async () => {
    const id = await registered(host, { settings: KEPT })
    for (const javaScript of [true, false]) {
      const page = await open(`/d/${id}`, signer, javaScript)
      expect(await page.locator('main .strong').allTextContents()).to.deep.equal(['Send'])
      expect(await page.locator(`a[href="/d/${id}/settings"]`).isVisible()).to.equal(false)
      await openActs(page)
      expect(await page.locator(`a[href="/d/${id}/settings"]`).isVisible()).to.equal(true)
      expect(await page.locator('button[data-card]').isVisible()).to.equal(javaScript)
    }
  })

  it('is first signing, for whoever has not signed, where nobody is awaited', async () => {
    const id = await registered(host)
    for (const cookies of [undefined, head]) {
      const page = await open(`/d/${id}`, cookies)
      expect(await page.locator('main .strong').allTextContents()).to.deep.equal(['Sign'])
    }
  })

  it('has nothing strong beside what is asked of the visitor', async () => {
    const signersRequirements = [{ bin: 'BIN200140000019' }]
    const page = await open(`/d/${await registered(host, { settings: { signersRequirements } })}`, head)
    expect(await page.locator('main .strong').count()).to.equal(1)
    expect(await page.locator('.stands .strong').count()).to.equal(1)
  })

  it('has no sending for an employee who may not, who is told which right is missing and who gives it', async () => {
    const { packageId } = await packaged(host, [0, 1])
    for (const path of [`/d/${await registered(host)}`, `/p/${packageId}`]) {
      const page = await open(path, clerk)
      expect(await page.locator(`a[href="${path}/send"]`).count(), path).to.equal(0)
      await openActs(page)
      await page.getByText('“Send, accept and comment”').waitFor()
      await page.getByText('by the first head').waitFor()
      await page.getByText('IIN900101300040').waitFor()
      const allowed = await open(path, head)
      expect(await allowed.locator(`a[href="${path}/send"]`).count(), path).to.equal(1)
    }
  })

  it('has no faults of accessibility in three languages, narrow and wide', async () => {
    const id = await registered(host, { settings: KEPT })
    for (const look of LOOKS)
      for (const cookies of [signer, clerk]) {
        const { page } = await browser.open(host.url, { ...look, cookies })
        await page.goto(`/d/${id}`)
        await openActs(page)
        expect(await violations(page)).to.deep.equal([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(look.width)
      }
  })
})
