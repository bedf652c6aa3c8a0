import { webhookHttp } from '@signed-registry/webhook-http'
import { expect } from 'chai'
import { MailKeys, RecipientStore } from '#core/mail/recipients.js'
import { violations } from '../../support/axe.js'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { postJson, request } from '../../support/http.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { startPagesHost } from '../../support/pages-host.js'

const ADDRESS = 'head@example.kz'

describeInBrowser('the settings and lists of a visitor', (browser) => {
  let host: TestHost
  let cookies: string
  before(async () => {
    host = await startPagesHost({ limits: { itemsPerPage: 2 } }, [webhookHttp({})])
    cookies = await logInOverHttp(host.url, host.authorities.named('head-1-auth'))
    await save('settings', {
      ...{ email: ADDRESS, emailNotificationsEnabled: true, emailNotificationsRoutingEnabled: false },
      ...{ dataArchiveEnabled: false, dataArchiveContactEmail: '' },
    })
    await save('organizationSettings', {
      webhooks: { urls: ['https://example.com/hook'], routingUrls: [] },
      documentsList: { iins: ['IIN900101300040'], authorities: [], tlsCertificatesIndices: [] },
    })
  })
  after(() => host.close())

  const save = async (what: string, settings: object) => {
    const headers = { cookie: cookies, 'content-type': 'application/json' }
    const body = JSON.stringify(settings)
    const { status, text } = await request(`${host.url}/api/${what}`, { method: 'POST', headers, body })
    expect(status, text).to.equal(200)
  }
  /** Registers a document for the organization and never completes it. */
  const begin = async (title: string) => {
    const original = Buffer.from(`Begun: ${title}`)
    const signature = host.authorities.named('head-1').signCms(original, { timeStamp: true, ocsp: true })
    const answer = await postJson(`${host.url}/api`, { title, signature: signature.toString('base64') })
    expect(answer.status, answer.text).to.equal(200)
  }

  it('say which address gets no mail, and why, and let mail go there again', async () => {
    const [keys, recipients] = [host.registry.get(MailKeys), host.registry.get(RecipientStore)]
    const recipient = await keys.recipient(ADDRESS)
    await recipients.bounced(recipient, '5.1.1 No such <b>user</b>')
    await recipients.refuse(recipient, 'signatures')
    const { page, problems } = await browser.open(host.url, { cookies, width: 360 })
    await page.goto('/settings')
    await page.getByText('5.1.1 No such <b>user</b>').waitFor()
    await page.getByText('E-mails about new signatures').waitFor()
    expect(await violations(page)).to.deep.equal([])
    await page.click('form[data-form=mail-again] button')
    await page.getByText('5.1.1 No such').waitFor({ state: 'detached' })
    await page.getByRole('status').getByText('Saved.').waitFor()
    expect(await recipients.bounceOf(recipient)).to.equal(undefined)
    expect(await recipients.refusedKinds(recipient)).to.deep.equal([])
    expect(problems).to.deep.equal([])
  })

  it('say how the settings of a person and of an organization changed, in words', async () => {
    const { page } = await browser.open(host.url, { cookies })
    const changes = page.locator('#changes .history')
    await page.goto('/settings')
    expect(await changes.textContent())
      .to.include('e-mails about signatures: no → yes')
      .and.include('you')
    await page.goto('/organization?tab=changes')
    expect(await changes.textContent())
      .to.include('webhooks: none → https://example.com/hook')
      .and.include('who can list documents: none → IIN 900101300040')
      .and.not.include('[object')
  })

  it('page through deliveries to a webhook, resend those since a given time, and change its secret', async () => {
    for (const title of ['a', 'b', 'c']) await begin(title)
    const { page, problems } = await browser.open(host.url, { cookies })
    await page.goto('/organization?tab=webhooks')
    await page.click('a[href^="/organization/webhooks/"]')
    await page.waitForURL('**/organization/webhooks/*')
    const rows = page.locator('ol.rows > li')
    expect(await rows.count()).to.equal(2)
    await page.click('a[rel=next]')
    await page.waitForURL('**?until=*')
    expect(await rows.count()).to.equal(1)
    await page.click('.tabs a:text-is("failed")')
    await page.waitForURL('**?state=failed')
    await page.getByText('Nothing here yet.').waitFor()
    await page.click('.tabs a:text-is("All")')
    await page.waitForURL((url) => url.search === '')
    expect(await violations(page)).to.deep.equal([])
    const secret = () => page.locator('button[data-copy]').first().getAttribute('data-copy')
    const old = await secret()
    const rotated = page.waitForResponse('**/rotateSecret')
    await page.click('button[value=rotate]')
    await rotated
    await page.locator(`button[data-copy="${old}"]`).waitFor({ state: 'detached' })
    expect(await secret()).to.match(/^whsec_/)
    await page.fill('#since', '2026-01-02T03:04')
    const resent = page.waitForRequest('**/resend')
    await page.click('button[value=since]')
    expect((await resent).postDataJSON()).to.deep.equal({ since: Date.UTC(2026, 0, 1, 22, 4) })
    expect(problems).to.deep.equal([])
  })

  it('list documents whose original never arrived', async () => {
    await begin('never came')
    const { page } = await browser.open(host.url, { cookies, javaScript: false })
    await page.goto('/documents?of=organization')
    await page.click('.tabs a:text-is("Original not received")')
    await page.getByRole('link', { name: 'never came' }).waitFor()
    await page.fill('#q', 'never')
    await page.click('.find button')
    expect(new URL(page.url()).search).to.include('incomplete=true').and.include('of=organization')
    await page.getByRole('link', { name: 'never came' }).waitFor()
  })
})
