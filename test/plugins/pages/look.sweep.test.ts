import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { violations } from '../../support/axe.js'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { registered, startPagesHost } from '../../support/pages-host.js'
import { png } from '../../support/png.js'

const KEPT = { settings: { tempStorageAfterRegistration: 3_600_000 } }
const HTML = Buffer.from('<!doctype html><script>document.title = "run"; alert(1)</script><p>Договор</p>\n')

describeInBrowser('what is signed', (browser) => {
  let host: TestHost
  let cookies: string
  before(async () => {
    host = await startPagesHost()
    cookies = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
  })
  after(() => host.close())
  const show = 'button[data-look]'

  it('is shown before it is signed: fetched once, so that what was viewed is what is signed', async () => {
    const id = await registered(host, { ...KEPT, title: 'договор.html' }, HTML)
    const { page, problems } = await browser.open(host.url, { cookies, width: 360 })
    let fetched = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/data')) fetched += 1
    })
    await page.goto(`/d/${id}/sign`)
    await page.click(show)
    // HTML is text here: nothing of it runs.
    expect(await page.locator('.look pre').textContent()).to.equal(HTML.toString())
    expect(await page.title()).to.include('договор.html')
    expect(await violations(page)).to.deep.equal([])
    await page.check('#way-development')
    await page.selectOption('#person', 'employee-1')
    await page.click('button.strong:text-is("Sign")')
    await page.locator('#done a.strong').click()
    await page.waitForURL(`**/d/${id}`)
    expect(await page.locator('.signature').count()).to.equal(2)
    expect(fetched).to.equal(1)
    // The page of the document shows it too, and gives it as a file that no browser opens as a page of ours.
    await page.click(show)
    await page.locator('.look pre').waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('.look button')])
    expect(download.suggestedFilename()).to.include('договор')
    expect(problems).to.deep.equal([])
  })

  it('is offered to who may read it: by logging in, and to everybody where settings say so', async () => {
    const { page, problems } = await browser.open(host.url)
    const known = await registered(host, KEPT, Buffer.from('for who is known'))
    await page.goto(`/d/${known}`)
    expect(await page.locator('[data-look], [data-original], [data-card]').count()).to.equal(0)
    expect(await page.getByRole('link', { name: 'Log in to view the original' }).getAttribute('href')).to.include(known)
    const settings = { ...KEPT.settings, publicWhileLessThanSignatures: 2 }
    const open = await registered(host, { settings }, Buffer.from('for everybody'))
    await page.goto(`/d/${open}`)
    await page.click(show)
    expect(await page.locator('.look pre').textContent()).to.equal('for everybody')
    await page.goto(`/d/${open}/sign`)
    expect(await page.locator('#originals').count()).to.equal(0)
    await page.selectOption('#person', 'employee-1')
    await page.click('button.strong:text-is("Sign")')
    await page.locator('#done a.strong').click()
    await page.waitForURL(`**/d/${open}`)
    // Enough have signed.
    await page.goto(`/d/${open}/sign`)
    expect(await page.locator('#originals').count()).to.equal(1)
    expect(problems).to.deep.equal([])
  })

  it('is shown by the type that its first bytes have: a picture, and a file that cannot be shown', async () => {
    const { page, problems } = await browser.open(host.url, { cookies })
    const picture = await registered(host, { ...KEPT, title: 'a.txt' }, Buffer.from(png({ width: 3, height: 2 })))
    await page.goto(`/d/${picture}`)
    await page.click(show)
    await page.locator('.look img').waitFor()
    expect(await page.evaluate('document.querySelector(".look img").decode()')).to.equal(undefined)
    expect(await page.evaluate('document.querySelector(".look img").naturalWidth')).to.equal(3)
    const program = await registered(host, { ...KEPT, title: 'a.pdf' }, Buffer.from('PK\x03\x04\x00 nothing to read'))
    await page.goto(`/d/${program}`)
    await page.click(show)
    await page.locator('.look').getByText('cannot be shown here').waitFor()
    const long = await registered(host, KEPT, Buffer.from('я'.repeat(200_000)))
    await page.goto(`/d/${long}/sign`)
    await page.click(show)
    await page.locator('.look').getByText('Only its beginning is shown').waitFor()
    expect(problems).to.deep.equal([])
  })

  it('is shown from the file that the person chooses, when the registry keeps none', async () => {
    const original = Buffer.from('brought by who signs\n')
    const id = await registered(host, {}, original)
    const { page, problems } = await browser.open(host.url, { language: 'kk' })
    await page.goto(`/d/${id}/sign`)
    await page.setInputFiles('#originals', { name: 'a.txt', mimeType: 'text/plain', buffer: original })
    await page.click(show)
    expect(await page.locator('.look pre').textContent()).to.equal(original.toString())
    expect(problems).to.deep.equal([])
  })
})

describeInBrowser('the report of a check', (browser) => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost()
  })
  after(() => host.close())

  it('says what was checked, when and by which rules; it is printed, or kept as a file that runs nothing', async () => {
    const original = Buffer.from('reported\n')
    const { page, problems } = await browser.open(host.url)
    const printed = new Promise((resolve) => void page.exposeFunction('print', resolve))
    await page.goto('/check')
    const cms = host.authorities.named('person-2').signCms(original, { timeStamp: true, ocsp: true })
    await page.setInputFiles('#file', [
      { name: '<b>a.p7s', mimeType: '', buffer: cms },
      { name: 'a.txt', mimeType: '', buffer: original },
    ])
    await page.getByText('The signature is valid.').first().waitFor()
    await page.getByRole('button', { name: 'Print' }).click()
    await printed
    const report = page.locator('.report')
    for (const bytes of [cms, original])
      expect(await report.textContent()).to.include(createHash('sha256').update(bytes).digest('hex'))
    expect(await report.textContent())
      .to.include(host.url)
      .and.include('<b>a.p7s')
      .and.include('RFC 5280')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as a file' }).click(),
    ])
    const file = readFileSync(await download.path(), 'utf8')
    expect(file)
      .to.match(/^<!doctype html>/)
      .and.include('&lt;b&gt;a.p7s')
      .and.include('The signature is valid.')
    expect(file)
      .to.include('charset="utf-8"')
      .and.not.match(/<script|<button|<b>/)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.report').isVisible()).to.equal(true)
    expect(await page.locator('.drop').first().isVisible()).to.equal(false)
    await page.emulateMedia({ media: 'screen' })
    expect(await violations(page)).to.deep.equal([])
    // The browser logs to the console that the signature is not registered.
    expect(problems.filter((one) => !one.startsWith('Failed to load resource'))).to.deep.equal([])
  })
})
