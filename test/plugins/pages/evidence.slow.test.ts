import { readFileSync } from 'node:fs'
import { evidenceAsic } from '@signed-registry/evidence-asic'
import { verifyEvidence } from '@signed-registry/verifier'
import { expect } from 'chai'
import type { Download, Page } from 'playwright-core'
import { openActs } from '../../support/acts.js'
import { violations } from '../../support/axe.js'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { postJson } from '../../support/http.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { packaged } from '../../support/packaged.js'
import { registered, startPagesHost } from '../../support/pages-host.js'
import { trustOf } from '../../support/pki/trust.js'

const KEPT = { settings: { forceArchive: true } }
const PRIVATE = { settings: { private: true } }
/** Longest original that may be sent for a bundle. */
const LIMIT = 64
const link = 'a[data-evidence]'
const said = (page: Page, look: string) => page.locator(`.outcome .said.${look}`)

let made = 0
const contract = () => Buffer.from(`A contract, number ${++made}\n`)
const file = (buffer: Buffer) => ({ name: 'contract.txt', mimeType: 'text/plain', buffer })

describe('evidence on pages', () => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost({ limits: { evidenceBytes: LIMIT } }, [evidenceAsic({})])
  })
  after(() => host.close())
  const look = async (path: string, cookie?: string) => {
    const headers = { 'accept-language': 'en', ...(cookie !== undefined && { cookie }) }
    return (await fetch(host.url + path, { headers })).text()
  }
  const hint = 'does not have the original'

  it('is offered of a complete and signed document to whoever may view it', async () => {
    const id = await registered(host)
    expect(await look(`/d/${id}`)).to.include(`href="/api/${id}/evidence"`)
    const hidden = await registered(host, PRIVATE)
    expect(await look(`/d/${hidden}`)).not.to.include('data-evidence')
    const cookie = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    expect(await look(`/d/${hidden}`, cookie)).to.include(`href="/api/${hidden}/evidence"`)
    const signature = host.authorities.named('person-2').signCms(contract(), { timeStamp: true, ocsp: true })
    const { json } = await postJson<{ documentId: string }>(`${host.url}/api`, {
      title: 'begun.txt',
      signature: signature.toString('base64'),
    })
    expect(await look(`/d/${json.documentId}`))
      .to.include('begun.txt')
      .and.not.include('data-evidence')
    const [unsigned] = (await packaged(host, [])).documentsIds
    expect(await look(`/d/${unsigned}`))
      .to.include('one.txt')
      .and.not.include('data-evidence')
      .and.not.include(hint)
  })

  it('says where the bundle has no original, and asks for it where it is not too large', async () => {
    const cookie = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    const kept = await registered(host, KEPT)
    expect(await look(`/d/${kept}`, cookie)).not.to.include(hint)
    expect(await look(`/d/${kept}`)).to.include(hint)
    const id = await registered(host)
    expect(await look(`/d/${id}`, cookie))
      .to.include(hint)
      .and.include('Drop the original below')
    const large = await registered(host, {}, Buffer.alloc(LIMIT + 1, `${++made}`))
    expect(await look(`/d/${large}`))
      .to.include(hint)
      .and.not.include('Drop the original below')
  })

  it('is offered of a package to whoever may view all of its documents, complete and one of them signed', async () => {
    const { packageId, documentsIds, client, cookie } = await packaged(host, [1])
    const address = `href="/api/package/${packageId}/evidence"`
    expect(await look(`/p/${packageId}`)).to.include(address)
    await client.changeDocumentSettings({ id: documentsIds[1] ?? '', request: { private: true } })
    expect(await look(`/p/${packageId}`))
      .to.include('Two papers')
      .and.not.include('data-evidence')
    expect(await look(`/p/${packageId}`, cookie)).to.include(address)
    expect(await look(`/p/${(await packaged(host, [])).packageId}`)).not.to.include('data-evidence')
    const begun = await packaged(host, [0], {}, [0])
    expect(await look(`/p/${begun.packageId}`, cookie))
      .to.include('Two papers')
      .and.not.include('data-evidence')
  })

  it('says where the bundle of a package lacks originals', async () => {
    const lacking = 'does not have originals'
    const kept = await packaged(host, [0, 1], { tempStorageAfterRegistration: 3_600_000 })
    expect(await look(`/p/${kept.packageId}`, kept.cookie)).not.to.include(lacking)
    expect(await look(`/p/${kept.packageId}`)).to.include(lacking)
    const { packageId, cookie } = await packaged(host, [0])
    expect(await look(`/p/${packageId}`, cookie)).to.include(lacking)
  })
})

describeInBrowser('evidence on pages, in a browser', (browser) => {
  let host: TestHost
  let cookies: string
  before(async () => {
    host = await startPagesHost({ limits: { evidenceBytes: LIMIT } }, [evidenceAsic({})])
    cookies = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
  })
  after(() => host.close())

  const downloaded = async (page: Page, start: () => Promise<unknown>): Promise<Download> => {
    const [download] = await Promise.all([page.waitForEvent('download'), start()])
    return download
  }
  const verdict = async (download: Download) =>
    verifyEvidence(readFileSync(await download.path()), { trust: trustOf(host.authorities) })

  it('is one file with the stored original, which the browser streams to the disk', async () => {
    const id = await registered(host, KEPT)
    const { page, problems } = await browser.open(host.url, { cookies })
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/evidence'))
        asked.push(`${request.method()} ${request.isNavigationRequest() ? 'by link' : 'by script'}`)
    })
    await page.goto(`/d/${id}`)
    await openActs(page)
    const download = await downloaded(page, () => page.getByRole('link', { name: 'Evidence (ZIP)' }).click())
    expect(download.suggestedFilename()).to.equal(`${id}.zip`)
    const { outcome, evidence } = await verdict(download)
    expect(outcome).to.equal('proved')
    expect(evidence.documents[0]).to.include({ documentId: id, original: 'inside' })
    expect(asked).to.deep.equal(['HEAD by script', 'GET by link'])
    await said(page, 'busy').waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).to.equal(`/d/${id}`)
    expect(problems).to.deep.equal([])
  })

  it('is downloaded without scripts, too', async () => {
    const id = await registered(host)
    const { page } = await browser.open(host.url, { javaScript: false })
    await page.goto(`/d/${id}`)
    await openActs(page)
    await page.getByText('does not have the original').waitFor()
    expect(await page.getByText('Drop the original below').isVisible()).to.equal(false)
    const download = await downloaded(page, () => page.click(link))
    expect(download.suggestedFilename()).to.equal(`${id}.zip`)
    const { evidence } = await verdict(download)
    expect(evidence.problems).to.deep.equal([])
    expect(evidence.documents[0]).to.include({ documentId: id, original: 'notShown' })
  })

  it('takes an original along that is dropped on the page, and no other file', async () => {
    const original = contract()
    const id = await registered(host, {}, original)
    const { page, problems } = await browser.open(host.url, { width: 360, dark: true })
    await page.goto(`/d/${id}`)
    const button = page.getByRole('button', { name: 'Evidence with this original' })
    await page.setInputFiles('#original', file(Buffer.from('another')))
    await said(page, 'bad').getByText('This is not the document.').waitFor()
    expect(await button.count()).to.equal(0)
    await page.setInputFiles('#original', file(original))
    await button.waitFor()
    expect(await violations(page)).to.deep.equal([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0)
    const download = await downloaded(page, () => button.click())
    expect(download.suggestedFilename()).to.equal(`${id}.zip`)
    const { outcome, evidence } = await verdict(download)
    expect(outcome).to.equal('proved')
    expect(evidence.documents[0]).to.include({ documentId: id, original: 'inside' })
    expect(problems).to.deep.equal([])
  })

  it('takes no original that is too large, or that is in the bundle anyway', async () => {
    const large = Buffer.alloc(LIMIT + 1, `${++made}`)
    const kept = contract()
    const { page } = await browser.open(host.url, { cookies })
    for (const [original, id] of [
      [large, await registered(host, {}, large)],
      [kept, await registered(host, KEPT, kept)],
    ] as const) {
      await page.goto(`/d/${id}`)
      await page.setInputFiles('#original', file(original))
      await page.getByRole('button', { name: 'Save as a file' }).waitFor()
      expect(await page.getByRole('button', { name: 'Evidence with this original' }).count()).to.equal(0)
    }
  })

  it('leaves what a visitor could do out of the report on a comparison', async () => {
    const original = contract()
    const id = await registered(host, {}, original)
    const { page } = await browser.open(host.url)
    await page.goto(`/d/${id}`)
    await page.setInputFiles('#original', file(original))
    await page.getByText('The file is sent to the registry').waitFor()
    const report = await downloaded(page, () => page.getByRole('button', { name: 'Save as a file' }).click())
    expect(readFileSync(await report.path(), 'utf8'))
      .to.include('This is the document.')
      .and.not.include('is sent to the registry')
  })

  it('says in the language of the page why there is none', async () => {
    const other = await startPagesHost()
    try {
      const original = contract()
      const id = await registered(other, {}, original)
      for (const [language, words] of [
        ['kk', 'Тізілім '],
        ['ru', 'Реестр не формирует файлы доказательств.'],
        ['en', 'Registry makes no evidence bundles.'],
      ] as const) {
        const { page } = await browser.open(other.url, { language })
        await page.goto(`/d/${id}`)
        await openActs(page)
        await page.click(link)
        await said(page, 'bad').getByText(words).waitFor()
        await page.setInputFiles('#original', file(original))
        await page.locator('#verdict button[aria-describedby="evidence-sends"]').click()
        await page.locator('#verdict .said.bad').getByText(words).waitFor()
        expect(await violations(page), language).to.deep.equal([])
      }
    } finally {
      await other.close()
    }
  })

  it('takes a refusal for one, whatever its status', async () => {
    const id = await registered(host, KEPT)
    const { page } = await browser.open(host.url, { cookies })
    // As services answer that set ERRORS_STATUS=always-200.
    const refusal = { message: 'Access denied', code: 'accessDenied', requestID: 'r1' }
    for (const path of ['evidence', 'data'])
      await page.route(`**/api/${id}/${path}`, (route) => route.fulfill({ status: 200, json: refusal }))
    await page.goto(`/d/${id}`)
    for (const asked of [link, 'button[data-original]']) {
      await openActs(page)
      await page.click(asked)
      await said(page, 'bad').getByText('Access denied.').waitFor()
      await page.reload()
    }
    expect(new URL(page.url()).pathname).to.equal(`/d/${id}`)
  })

  it('asks to log in again where the session is over', async () => {
    const original = contract()
    const id = await registered(host, PRIVATE, original)
    const { page } = await browser.open(host.url, { cookies })
    await page.goto(`/d/${id}`)
    await page.setInputFiles('#original', file(original))
    const button = page.getByRole('button', { name: 'Evidence with this original' })
    await button.waitFor()
    await page.context().clearCookies()
    await openActs(page)
    await page.click(link)
    await page.locator('#actions-outcome').getByText('Your session is over').waitFor()
    await button.click()
    await page.locator('#verdict').getByText('Your session is over').waitFor()
    expect(new URL(page.url()).pathname).to.equal(`/d/${id}`)
  })

  it('is one file of all documents of a package', async () => {
    const { packageId, documentsIds } = await packaged(host, [0, 1], { tempStorageAfterRegistration: 3_600_000 })
    const { page, problems } = await browser.open(host.url, { cookies, language: 'kk', width: 360 })
    await page.goto(`/p/${packageId}`)
    expect(await violations(page)).to.deep.equal([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0)
    await openActs(page)
    expect(await violations(page)).to.deep.equal([])
    const download = await downloaded(page, () => page.click(link))
    expect(download.suggestedFilename()).to.equal(`${packageId}.zip`)
    const { outcome, evidence } = await verdict(download)
    expect(outcome).to.equal('proved')
    expect(evidence.documents.map(({ documentId, original }) => [documentId, original])).to.deep.equal(
      documentsIds.map((id) => [id, 'inside']),
    )
    expect(problems).to.deep.equal([])
  })
})
