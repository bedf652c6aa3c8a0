import { createClient } from '@signed-registry/client'
import { expect } from 'chai'
import { violations } from '../../support/axe.js'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { postJson } from '../../support/http.js'
import { signNonce } from '../../support/login.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { registered, startPagesHost } from '../../support/pages-host.js'
import { amount } from '../../support/sweep.js'
import { attachedTo } from '../ddc-pdf/attached.js'

/** Texts that break careless pages; titles must be valid file names. */
const TITLES = [
  'x'.repeat(255),
  `${'очень-длинное-имя-'.repeat(14)}`.slice(0, 255),
  'עברית ושלום عربي مرحبا 123.pdf',
  'é́́́́́́́́́ q̷̢̛͓̘̾ Z͑ͫ̓ͪ̂ͫ̽.pdf',
  '👩‍👩‍👧‍👦 🇰🇿 😀.pdf',
  "=HYPERLINK('evil')&cmd'!A0",
  "' onmouseover=alert(1) x='",
]
const DESCRIPTION = '<img src=x onerror=alert(1)><script>alert(2)</script>"><svg onload=alert(3)>{{7*7}}\u2028</script>'

describeInBrowser('pages with hostile and large content', (browser) => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost()
  })
  after(() => host.close())

  it('run nothing and keep their width, whatever people write', async () => {
    const cookies = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    const { page, problems } = await browser.open(host.url, { width: 360, cookies })
    for (const title of TITLES.slice(0, amount(1, TITLES.length))) {
      const id = await registered(host, { title, description: DESCRIPTION })
      for (const path of [`/d/${id}`, `/d/${id}/sign`, '/documents']) {
        await page.goto(path)
        expect(
          await page
            .locator('h1, td')
            .filter({ hasText: title.slice(0, 40) })
            .count(),
          path,
        ).to.be.greaterThan(0)
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect(overflow, `${path} of ${title}`).to.be.at.most(0)
      }
    }
    expect(problems).to.deep.equal([])
  })

  it('page through the many signatures of a document', async () => {
    const original = Buffer.from('signed by many')
    const id = await registered(host, {}, original)
    const all = amount(51, 1000)
    for (let at = 1; at < all; at += 1) {
      const signature = host.authorities.person().signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
      const { status } = await postJson(`${host.url}/api/${id}`, { signature })
      expect(status).to.equal(200)
    }
    const { page } = await browser.open(host.url, { javaScript: false })
    await page.goto(`/d/${id}`)
    let seen = await page.locator('.signature').count()
    for (;;) {
      const next = page.locator('a[rel=next]')
      if ((await next.count()) === 0) break
      await Promise.all([page.waitForEvent('load'), next.click()])
      seen += await page.locator('.signature').count()
    }
    expect(seen).to.equal(all)
  })

  it('show a package of many documents, and who has not signed which', async () => {
    const count = amount(2, 50)
    const client = createClient({ baseUrl: host.url })
    const answer = await client.authenticate({ request: {} })
    const nonce = 'nonce' in answer ? answer.nonce : ''
    const signature = signNonce(host.authorities.named('person-2-auth'), nonce)
    await client.authenticate({ request: { nonce, signature } })
    const documents = Array.from({ length: count }, (_, at) => ({ title: `${at}.pdf`, description: '' }))
    const { packageId, documentsIds } = await client.registerPackage({
      request: { title: 'Many', description: '', documents },
    })
    for (const id of documentsIds) await client.fixDigests({ id, upload: new Uint8Array(Buffer.from(id)) })
    const signer = host.authorities.named('person-2')
    for (const id of documentsIds.slice(1)) {
      await postJson(`${host.url}/api/${id}`, { signature: signer.signCms(Buffer.from(id)).toString('base64') })
    }
    const { page } = await browser.open(host.url, { width: 360, language: 'kk' })
    await page.goto(`/p/${packageId}`)
    expect(await page.locator('ol.rows > li').count()).to.equal(count)
    await page.getByText('әлі қол қойылмаған: 0.pdf').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0)
  })

  it('have nothing that axe finds wrong, in any language, narrow and wide, light and dark', async () => {
    const cookies = await logInOverHttp(host.url, host.authorities.named('head-1-auth'))
    const head = host.authorities.named('head-1')
    const original = Buffer.from('of the organization')
    const id = await registered(host, {}, original)
    await postJson(`${host.url}/api/${id}`, { signature: head.signCms(original).toString('base64') })
    const paths = ['/', `/d/${id}`, '/new', '/check', '/documents', '/organization', '/settings', `/d/${id}/sign`]
    const more = [
      '/login',
      '/packages',
      '/incoming',
      '/outgoing',
      `/d/${id}/send`,
      `/d/${id}/notify`,
      `/d/${id}/settings`,
    ]
    const looks = [
      { language: 'kk', width: 360, dark: true },
      { language: 'ru', width: 1600, dark: false },
      { language: 'en', width: 360, dark: false },
      { language: 'kk', width: 1600, dark: false },
      { language: 'ru', width: 360, dark: true },
      { language: 'en', width: 1600, dark: true },
    ]
    for (const look of looks.slice(0, amount(1, looks.length))) {
      const { page } = await browser.open(host.url, { ...look, cookies })
      for (const path of [...paths, ...more].slice(0, amount(1, 20))) {
        await page.goto(path)
        expect(await page.locator('html').getAttribute('lang')).to.equal(look.language)
        expect(await violations(page), `${path} ${JSON.stringify(look)}`).to.deep.equal([])
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), path).to.be.at.most(0)
      }
    }
  })

  it('tell a genuine card from one that was changed', async () => {
    const original = Buffer.from('on a card')
    const id = await registered(host, {}, original)
    const client = createClient({ baseUrl: host.url })
    const { ddc } = await client.buildDdc({
      id,
      query: { withoutDocumentVisualization: true },
      upload: new Uint8Array(original),
    })
    const card = Buffer.from(ddc, 'base64')
    const { page } = await browser.open(host.url)
    await page.goto('/check')
    const drop = (buffer: Buffer) =>
      page.setInputFiles('#file', { name: 'card.pdf', mimeType: 'application/pdf', buffer })
    await drop(card)
    await page.locator('.said.good').getByText('This card is genuine.').waitFor()
    // The same signature beside another original.
    const { signatures } = await client.getDocument({ id })
    const exported = await client.exportSignature({ id, signId: signatures[0]?.signId ?? 0 })
    const files = [
      { name: 'on a card', bytes: Buffer.from('on a cart') },
      { name: '1.cms', bytes: Buffer.from(exported.signature, 'base64') },
    ]
    await drop(Buffer.from(await attachedTo(files)))
    await page.locator('.said.bad').getByText('does not agree').waitFor()
  })

  it('reload a private page that was opened by a link from elsewhere, and say when a session has expired', async () => {
    const id = await registered(host, { title: 'mine.txt', settings: { private: true } })
    const cookies = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    const { page } = await browser.open(host.url, { cookies })
    // A page of another site: browsers send no SameSite=Strict cookie when its link is followed.
    await page.route('http://mail.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${host.url}/d/${id}">the document</a>` }),
    )
    await page.goto('http://mail.example/')
    await page.click('a')
    await page.locator('h1', { hasText: 'mine.txt' }).waitFor()
    await page.goto('/settings')
    await page.context().clearCookies()
    await page.click('button.strong')
    await page.locator('.said.bad').getByText('Your session is over').waitFor()
  })
})
