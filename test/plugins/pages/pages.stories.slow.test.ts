import { createClient } from '@signed-registry/client'
import { DevPhone } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { openActs } from '../../support/acts.js'
import { violations } from '../../support/axe.js'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { NcaLayer } from '../../support/ncalayer.js'
import { registered, startPagesHost } from '../../support/pages-host.js'

/** A file unique to each test. */
let made = 0
const contract = () => ({ ...CONTRACT, buffer: Buffer.from(`A contract of two people, number ${++made}\n`) })

const CONTRACT = { name: 'contract.txt', mimeType: 'text/plain', buffer: Buffer.from('A contract of two people\n') }
const OTHER = { name: 'other.txt', mimeType: 'text/plain', buffer: Buffer.from('A contract of two peoplE\n') }

describeInBrowser('in a browser', (browser) => {
  let host: TestHost
  let program: NcaLayer
  before(async () => {
    host = await startPagesHost()
    const { authorities } = host
    program = await NcaLayer.start({
      signing: authorities.named('person-2'),
      authentication: authorities.named('person-2-auth'),
    })
    browser.ncaLayerPort = program.port
  })
  after(async () => {
    await program.close()
    await host.close()
  })
  const said = (page: Page, look: string) => page.locator(`.outcome .said.${look}`)

  it('a newcomer signs as a development person, finds the document by its file, tells it from another, and sends it', async () => {
    const file = contract()
    const { page, problems } = await browser.open(host.url)
    await page.goto('/')
    await page.click('a[href="/new"]')
    await page.setInputFiles('#files', file)
    await page.selectOption('#person', 'person-2')
    await page.click('#submit')
    await said(page, 'good').getByRole('link').click()
    await page.waitForSelector('.signature')
    expect(await page.locator('.signature h3').textContent()).to.equal('АСАНОВА АЙГУЛЬ АСАНОВНА')
    await page.setInputFiles('#original', file)
    await said(page, 'good').getByText('This is the document.').waitFor()
    await page.setInputFiles('#original', OTHER)
    await said(page, 'bad').getByText('This is not the document.').waitFor()
    await page.goto('/check')
    await page.setInputFiles('#file', file)
    const found = said(page, 'good').getByRole('link', { name: 'contract.txt' })
    const address = await found.getAttribute('href')
    await page.setInputFiles('#file', OTHER)
    await said(page, 'plain').getByText('No such document is registered').waitFor()
    await page.goto(address ?? '')
    await openActs(page)
    await page.click('a:text-is("Send")')
    await page.locator('main').getByRole('link', { name: 'Log in' }).click()
    await page.selectOption('#person', 'person-2')
    await page.click('button.strong:text("Log in")')
    await page.waitForURL(`**${address}/send`)
    await page.fill('#toNumber', '900101300010')
    await page.click('button.strong:text-is("Send")')
    await page.waitForURL('**/outgoing/*')
    expect(problems).to.deep.equal([])
  })

  it('somebody logs in and signs by NCALayer; a cancelled signature registers nothing', async () => {
    const file = contract()
    const { page, problems } = await browser.open(host.url)
    await page.goto('/new')
    await page.setInputFiles('#files', file)
    await page.check('#way-ncalayer')
    program.behaviour = 'cancels'
    await page.click('#submit')
    await said(page, 'bad').getByText('Signing was cancelled').waitFor()
    program.behaviour = 'fails'
    await page.click('#submit')
    await said(page, 'bad').getByText('The key store cannot be opened').waitFor()
    program.behaviour = 'signs'
    await page.click('#submit')
    await said(page, 'good').waitFor()
    const signed = program.asked.at(-1)?.args
    expect(signed?.data).to.equal(file.buffer.toString('base64'))
    await page.goto('/login?next=//evil.example/')
    await page.check('#way-ncalayer')
    await page.click('button.strong:text("Log in")')
    await page.waitForURL((url) => url.pathname === '/documents')
    expect(new URL(page.url()).origin).to.equal(host.url)
    await page.locator('summary', { hasText: 'АСАНОВА' }).waitFor()
    expect(problems).to.deep.equal([])
  })

  it('somebody logs in and signs by phone, with the state live on the screen; refusing registers nothing', async () => {
    const file = contract()
    const { page, problems } = await browser.open(host.url)
    const phone = new DevPhone(host.authorities.named('person-2'))
    const link = () => page.locator('.said a[href*="mobileSign"]').getAttribute('href')
    await page.goto('/login?next=/new')
    await page.check('#way-phone')
    await page.click('button.strong:text("Log in")')
    await page.locator('.phone-code').waitFor()
    const login = await phone.open((await link()) ?? '')
    expect(login.description).to.include(await page.locator('.phone-digits').textContent())
    await phone.answer(login, await phone.documents(login))
    await page.waitForURL('**/new')
    await page.locator('summary', { hasText: 'АСАНОВА' }).waitFor()
    await page.setInputFiles('#files', file)
    await page.check('#way-phone')
    await page.click('#submit')
    await page.locator('.phone-code').waitFor()
    await phone.sign((await link()) ?? '', { cancel: true })
    await said(page, 'bad').getByText('Signing was cancelled').waitFor()
    await page.click('#submit')
    await page.locator('.phone-code').waitFor()
    const announcement = await phone.open((await link()) ?? '')
    await page.getByText('The code was scanned').waitFor()
    const given = await phone.documents(announcement)
    await page.getByText('The app has the document').waitFor()
    expect(JSON.parse(given).documentsToSign[0].nameEn).to.equal(file.name)
    await phone.answer(announcement, given)
    await said(page, 'good').waitFor()
    expect(problems).to.deep.equal([])
  })

  it('another person signs a registered document with its original, and not with another file', async () => {
    const file = contract()
    const id = await registered(host, {}, file.buffer)
    const { page, problems } = await browser.open(host.url)
    await page.goto(`/d/${id}`)
    await page.click(`a[href="/d/${id}/sign"]`)
    await page.setInputFiles('#originals', OTHER)
    await said(page, 'bad').getByText('is not the file that was signed').waitFor()
    await page.setInputFiles('#originals', file)
    await page.selectOption('#person', 'employee-1')
    await page.click('button.strong:text("Sign")')
    await page.locator('#done').getByRole('link', { name: 'Back to the document' }).click()
    await page.waitForURL(`**/d/${id}`)
    expect(await page.locator('.signature').count()).to.equal(2)
    expect(problems).to.deep.equal([])
  })

  it('a signature file is told from a document, and found', async () => {
    const file = contract()
    const id = await registered(host, {}, file.buffer)
    const client = createClient({ baseUrl: host.url })
    const { signatures } = await client.getDocument({ id })
    const exported = await client.exportSignature({ id, signId: signatures[0]?.signId ?? 0 })
    const { page } = await browser.open(host.url)
    await page.goto('/check')
    await page.setInputFiles('#file', { ...file, name: 'a.cms', buffer: Buffer.from(exported.signature, 'base64') })
    await said(page, 'plain').getByText('This signature is registered.').waitFor()
    const stranger = host.authorities.person().signCms(Buffer.from('x'))
    await page.setInputFiles('#file', { ...file, name: 'b.p7s', buffer: stranger })
    await said(page, 'warn').getByText('is not registered here').waitFor()
  })

  it('somebody sends a document to an organization, whose head refuses it with a reason', async () => {
    const file = contract()
    const id = await registered(host, {}, file.buffer)
    const sender = await browser.open(host.url, {
      cookies: await logInOverHttp(host.url, host.authorities.named('person-2-auth')),
    })
    await sender.page.goto(`/d/${id}`)
    await sender.page.click(`a[href="/d/${id}/send"]`)
    await sender.page.selectOption('#to-kind', 'BIN')
    await sender.page.fill('#toNumber', '12')
    await sender.page.click('button.strong')
    await sender.page.locator('.fault', { hasText: '12 digits' }).waitFor()
    await sender.page.fill('#toNumber', '200140000019')
    await sender.page.fill('#comment', 'Until Friday <b>please</b>')
    await sender.page.click('button.strong')
    await sender.page.waitForURL('**/outgoing/*')
    const head = await browser.open(host.url, {
      cookies: await logInOverHttp(host.url, host.authorities.named('head-1-auth')),
    })
    await head.page.goto('/incoming?status=new')
    await head.page.click('td a')
    await head.page.getByText('Until Friday <b>please</b>').waitFor()
    expect(await head.page.locator(`main a[href^="/d/${id}/sign?incoming="]`).textContent()).to.equal('Sign and accept')
    await head.page.locator('.act summary', { hasText: 'Refuse' }).click()
    await head.page.fill('#why', 'Not ours')
    await head.page.click('button:text-is("Refuse")')
    await head.page.locator('.chip.bad', { hasText: 'Refused' }).waitFor()
    await sender.page.reload()
    await sender.page.getByText('Not ours').waitFor()
    expect(await sender.page.locator('form[data-form]').count()).to.equal(0)
    expect([...sender.problems.filter((one) => !one.includes('400')), ...head.problems]).to.deep.equal([])
  })

  it('settings are saved, and are there when the page is opened again', async () => {
    const cookies = await logInOverHttp(host.url, host.authorities.named('head-1-auth'))
    const { page, problems } = await browser.open(host.url, { cookies })
    await page.goto('/settings')
    await page.fill('#email', 'head@example.kz')
    await page.check('#emailNotificationsEnabled')
    await page.click('button.strong')
    await said(page, 'good').waitFor()
    await page.reload()
    expect(await page.inputValue('#email')).to.equal('head@example.kz')
    expect(await page.isChecked('#emailNotificationsEnabled')).to.equal(true)
    await page.goto('/organization?tab=webhooks')
    await page.fill('#urls', 'https://example.com/hook')
    await page.click('form[data-form=organization-webhooks] button.strong')
    await page.click('a[href^="/organization/webhooks/"]')
    await page.getByText('Nothing has been sent yet.').waitFor()
    expect(await violations(page)).to.deep.equal([])
    await page.goto('/organization?tab=webhooks')
    expect(await page.inputValue('#urls')).to.equal('https://example.com/hook')
    const id = await registered(host, {}, contract().buffer)
    const owner = await browser.open(host.url, {
      cookies: await logInOverHttp(host.url, host.authorities.named('person-2-auth')),
    })
    await owner.page.goto(`/d/${id}/settings`)
    await owner.page.check('#private')
    await owner.page.fill('#access', 'IIN9001')
    await owner.page.click('button.strong')
    await owner.page.locator('.fault', { hasText: 'IIN9001' }).waitFor()
    await owner.page.fill('#access', 'ИИН 900101300010\nБИН 200140000019')
    await owner.page.click('button.strong')
    await said(owner.page, 'good').waitFor()
    await page.goto(`/d/${id}`)
    await page.locator('.chip', { hasText: 'private' }).waitFor()
    await owner.page.reload()
    expect(await owner.page.inputValue('#access')).to.equal('IIN900101300010\nBIN200140000019')
    expect(problems).to.deep.equal([])
  })

  it('colours are those of the system or the chosen ones: at once, and without scripts by a link', async () => {
    const colour = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const [light, dark] = ['rgb(244, 246, 247)', 'rgb(14, 22, 27)']
    // A sheet that was not needed before may still be on its way.
    const isDark = async (page: Page) => {
      while ((await colour(page)) !== dark);
    }
    const { page } = await browser.open(host.url)
    await page.goto('/login')
    expect(await colour(page)).to.equal(light)
    await page.check('#way-phone')
    const kept = page.waitForResponse((response) => response.url().endsWith('?scheme=dark'))
    await page.click('a:text-is("Dark")')
    await isDark(page)
    expect(await page.isChecked('#way-phone')).to.equal(true)
    expect(await violations(page)).to.deep.equal([])
    await kept
    await page.goto('/')
    expect(await colour(page)).to.equal(dark)
    expect(await page.locator('a[aria-current=true]').textContent()).to.equal('Dark')
    const plain = await browser.open(host.url, { javaScript: false, dark: true })
    await plain.page.goto('/')
    expect(await plain.page.locator('#dark').getAttribute('media')).to.include('prefers-color-scheme')
    await plain.page.click('a:text-is("Light")')
    await plain.page.waitForURL('**/?scheme=light')
    await plain.page.goto('/check')
    expect(await plain.page.locator('#dark').getAttribute('media')).to.equal('not all')
  })

  it('every page can be read by everybody, says axe, and without scripts as far as reading goes', async () => {
    const id = await registered(host)
    const { page } = await browser.open(host.url, { dark: true })
    for (const [path, language] of [
      [`/d/${id}`, 'ru'],
      ['/login', 'en'],
      ['/d/0123456789abcdef', 'kk'],
    ] as const) {
      await page.goto(`${path}?lang=${language}`)
      expect(await violations(page), `${path} in ${language}`).to.deep.equal([])
    }
    const plain = await browser.open(host.url, { javaScript: false })
    await plain.page.goto(`/d/${id}`)
    expect(await plain.page.locator('.signature').isVisible()).to.equal(true)
    expect(await plain.page.locator('noscript p').first().isVisible()).to.equal(true)
  })
})
