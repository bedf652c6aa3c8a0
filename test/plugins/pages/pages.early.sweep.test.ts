import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { registered, startPagesHost } from '../../support/pages-host.js'

const file = (text: string) => ({ name: 'early.txt', mimeType: 'text/plain', buffer: Buffer.from(text) })
const said = (page: Page, look: string) => page.locator(`.outcome .said.${look}`)

/** Opens a page whose scripts are held back until released. */
async function openWithoutScripts(page: Page, path: string): Promise<{ letScriptsThrough(): Promise<void> }> {
  const held: (() => Promise<void>)[] = []
  let isHeld = true
  await page.route('**/assets/**/*.js', async (route) => {
    if (isHeld) held.push(() => route.continue())
    else await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  await page.locator('footer').waitFor()
  return {
    async letScriptsThrough() {
      isHeld = false
      for (const go of held) await go()
    },
  }
}

describeInBrowser('before its scripts have loaded', (browser) => {
  let host: TestHost
  let cookies: string
  before(async () => {
    host = await startPagesHost()
    cookies = await logInOverHttp(host.url, host.authorities.named('head-1-auth'))
  })
  after(() => host.close())

  it('a page has no enabled button and submits nothing; with them every button works', async () => {
    const { page, problems } = await browser.open(host.url, { cookies })
    const id = await registered(host)
    const paths = ['/new', '/login', '/settings', '/organization', `/d/${id}`, `/d/${id}/sign`, `/d/${id}/notify`]
    for (const path of paths) {
      const { letScriptsThrough } = await openWithoutScripts(page, path)
      const alive = page.locator('form:not([method=get]) button:enabled, button:not(form *):enabled')
      expect(await alive.count(), path).to.equal(0)
      const field = page.locator('form:not([method=get]) input:is([type=text], [type=email], [type=radio])')
      if ((await field.count()) > 0) await field.first().press('Enter')
      await letScriptsThrough()
      await page.locator('button:disabled').first().waitFor({ state: 'detached' })
      expect(new URL(page.url()).pathname + new URL(page.url()).search).to.equal(path)
    }
    expect(problems).to.deep.equal([])
  })

  it('a file that is chosen or dropped is not forgotten', async () => {
    const id = await registered(host, {}, Buffer.from('chosen early'))
    const { page, problems } = await browser.open(host.url)
    const comparing = await openWithoutScripts(page, `/d/${id}`)
    await page.setInputFiles('#original', file('chosen early'))
    await comparing.letScriptsThrough()
    await said(page, 'good').getByText('This is the document.').waitFor()

    const checking = await openWithoutScripts(page, '/check')
    const path = join(mkdtempSync(join(tmpdir(), 'early-')), 'dropped.txt')
    writeFileSync(path, 'chosen early')
    await drop(page, '[data-drop=file]', path)
    await checking.letScriptsThrough()
    await said(page, 'good').getByText('This document is registered.').waitFor()

    const signing = await openWithoutScripts(page, `/d/${id}/sign`)
    await page.setInputFiles('#originals', file('another'))
    await signing.letScriptsThrough()
    await said(page, 'bad').getByText('is not the file that was signed').waitFor()
    expect(problems).to.deep.equal([])
  })

  it('files and text entered for a registration are registered', async () => {
    const { page, problems } = await browser.open(host.url)
    const { letScriptsThrough } = await openWithoutScripts(page, '/new')
    await page.setInputFiles('#files', file('registered early'))
    await page.fill('#title', 'Chosen early')
    await page.check('#way-phone')
    await page.check('#way-development')
    await letScriptsThrough()
    await page.selectOption('#person', 'person-2')
    await page.click('#submit')
    await said(page, 'good').getByRole('link').click()
    await page.locator('h1', { hasText: 'Chosen early' }).waitFor()
    expect(problems).to.deep.equal([])
  })

  it('the last file that was chosen is the one that is answered, however long an earlier one takes', async () => {
    const id = await registered(host, {}, Buffer.from('the last one'))
    const { page } = await browser.open(host.url)
    await page.goto(`/d/${id}`)
    const large = join(mkdtempSync(join(tmpdir(), 'early-')), 'large.bin')
    writeFileSync(large, Buffer.alloc(64 * 2 ** 20))
    const left = new Promise((resolve) => page.once('worker', (worker) => worker.once('close', resolve)))
    await page.setInputFiles('#original', large)
    await page.setInputFiles('#original', file('the last one'))
    await said(page, 'good').getByText('This is the document.').waitFor()
    await left
    expect(await page.locator('.outcome .said').allTextContents()).to.have.length(1)
    await said(page, 'good').getByText('This is the document.').waitFor()
  })
})

/** Drops a file as a person does: the browser decides which element gets it. */
async function drop(page: Page, selector: string, path: string): Promise<void> {
  // What comes late, such as a style sheet, moves it.
  await page.locator(selector).hover({ trial: true })
  const box = await page.locator(selector).boundingBox()
  if (box === null) throw new Error(`${selector} is not there`)
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  const [x, y] = [box.x + box.width / 2, box.y + 12]
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x, y, data })
}
