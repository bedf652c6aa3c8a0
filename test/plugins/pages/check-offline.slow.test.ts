import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { reportHtml, reportOf, verifyFiles } from '@signed-registry/verifier'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { violations } from '../../support/axe.js'
import { describeInBrowser } from '../../support/browser.js'
import { presentAuthorities } from '../../support/pki/authorities.js'

const FILE = fileURLToPath(new URL('../../../plugins/pages/dist/assets/check-offline.html', import.meta.url))
const SHA256 = '2.16.840.1.101.3.4.2.1'
const DOCUMENT = Buffer.from('A contract')
const EVIDENCE = { timeStamp: true, ocsp: true }

describeInBrowser('the page for checking without a network, from the disk', (browser) => {
  const authorities = presentAuthorities()
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer })
  const anchors = [...authorities.anchors, ...authorities.intermediates].map((der, at) =>
    file(`${at}.cer`, Buffer.from(der)),
  )
  const said = (page: Page, look: string) => page.locator(`#verdict .said.${look}`)

  async function open({ language = 'en', width = 1280 } = {}) {
    const { page, problems } = await browser.open('http://nowhere.invalid', { language, width })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.context().setOffline(true)
    await page.goto(pathToFileURL(FILE).href)
    await page.locator('#file').waitFor({ state: 'attached' })
    return { page, problems, asked }
  }

  for (const algorithm of ['rsa2048', 'p256', 'gost512', 'ed448'] as const)
    it(`proves a signature by ${algorithm} and its document under the certificates that the visitor trusts`, async () => {
      const { page, problems, asked } = await open()
      const signed = authorities.person({ algorithm }).signCms(DOCUMENT, EVIDENCE)
      await page.setInputFiles('#anchors', anchors)
      await page.setInputFiles('#file', [file('a.p7s', signed), file('a.txt', DOCUMENT)])
      await said(page, 'good').getByText('The signature is valid').waitFor()
      await page.setInputFiles('#file', [file('b.txt', Buffer.from('Another')), file('a.p7s', signed)])
      await said(page, 'bad').getByText('This is the signature of another document').waitFor()
      expect(problems).to.deep.equal([])
      expect(asked.filter((url) => !/^(file|blob):/.test(url))).to.deep.equal([])
    })

  it('trusts nobody by itself, and takes what is given in any order: the signature, whom to trust, the document', async () => {
    const { page, problems } = await open()
    const signed = authorities.person().signCms(DOCUMENT, EVIDENCE)
    await page.setInputFiles('#file', [file('a.txt', DOCUMENT)])
    await said(page, 'plain').getByText('There is no signature among these files yet').waitFor()
    await page.setInputFiles('#file', [file('a.p7s', signed)])
    await said(page, 'warn').getByText('You have not said whom you trust').waitFor()
    await page.setInputFiles('#file', [file('a.txt', DOCUMENT)])
    await page.locator('.checks .passed', { hasText: 'this is the signature of this document' }).waitFor()
    const pem = anchors.map(
      ({ buffer }) => `-----BEGIN CERTIFICATE-----\n${buffer.toString('base64')}\n-----END CERTIFICATE-----\n`,
    )
    await page.setInputFiles('#anchors', [file('trusted.pem', Buffer.from(pem.join('')))])
    await said(page, 'good').getByText('The signature is valid').waitFor()
    expect(problems).to.deep.equal([])
  })

  it('says what it cannot take: certificates that are none, authorities without a root, a key that is none', async () => {
    const { page, problems } = await open()
    await page.setInputFiles('#file', [file('a.p7s', authorities.person().signCms(DOCUMENT, EVIDENCE))])
    await page.setInputFiles('#anchors', [file('a.txt', DOCUMENT)])
    await said(page, 'bad').getByText('a.txt: This is not a certificate').waitFor()
    await page.setInputFiles('#anchors', [file('issuing.cer', Buffer.from(authorities.intermediates[0] ?? []))])
    await said(page, 'bad').getByText('There is no root certificate among these').waitFor()
    await page.setInputFiles('#anchors', anchors)
    await page.fill('#key', 'registry.example+00000000+AQ==')
    await page.locator('#key').blur()
    await said(page, 'bad').getByText('This is not a key of a registry').waitFor()
    expect(problems).to.deep.equal([])
  })

  it('says that a file cannot be read: it is gone, or a folder', async () => {
    const { page, problems } = await open()
    const path = join(mkdtempSync(join(tmpdir(), 'check-offline-')), 'a.p7s')
    writeFileSync(path, authorities.person().signCms(DOCUMENT, EVIDENCE))
    await page.setInputFiles('#file', path)
    await said(page, 'warn').waitFor()
    rmSync(path)
    await page.setInputFiles('#anchors', anchors)
    await said(page, 'bad').getByText('The file cannot be read').waitFor()
    await page.setInputFiles('#file', [file('a.p7s', authorities.person().signCms(DOCUMENT))])
    await said(page, 'warn').waitFor()
    await page.evaluate("File.prototype.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'))")
    for (const input of ['#file', '#anchors']) {
      await page.setInputFiles(input, [file('folder', DOCUMENT)])
      await said(page, 'bad').getByText('The file cannot be read').waitFor()
    }
    expect(problems).to.deep.equal([])
  })

  it('judges several signatures one after the other, and names each', async () => {
    const { page, problems } = await open()
    await page.setInputFiles('#anchors', anchors)
    const [one, two] = ['one', 'two'].map((name) =>
      file(`${name}.p7s`, authorities.person().signCms(DOCUMENT, EVIDENCE)),
    )
    await page.setInputFiles(
      '#file',
      [one, two, file('a.txt', DOCUMENT)].flatMap((given) => given ?? []),
    )
    for (const name of ['one.p7s', 'two.p7s']) {
      const section = page
        .locator('#verdict section.one-of-several')
        .filter({ has: page.getByRole('heading', { name }) })
      await section.locator('.said.good').waitFor()
    }
    expect(problems).to.deep.equal([])
  })

  it('saves the report that the verifier makes in Node', async () => {
    const { page } = await open({ language: 'kk' })
    const signed = authorities.person().signCms(DOCUMENT, EVIDENCE)
    await page.setInputFiles('#file', [file('a.p7s', signed), file('a.txt', DOCUMENT)])
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#verdict .actions button')])
    const saved = readFileSync(await download.path(), 'utf8')
    const [at = ''] = /\d{4}-\d\d-\d\dT[^<]+(?= UTC<)/.exec(saved) ?? []
    const hashed = (name: string, bytes: Buffer) => {
      const digests = new Map([[SHA256, createHash('sha256').update(bytes).digest()]])
      return { name, size: bytes.length, digests, document: digests }
    }
    const files = [hashed('a.p7s', signed), hashed('a.txt', DOCUMENT)]
    const verdict = verifyFiles(
      { signatures: [{ name: 'a.p7s', signed }], documents: files.slice(1) },
      { trust: { anchors: [], intermediates: [] }, at: Date.parse(at) },
    )
    expect(saved).to.equal(reportHtml(reportOf(verdict, { language: 'kk', files })))
  })

  for (const [language, title] of [
    ['kk', 'Қолтаңбаларды желісіз тексеру'],
    ['ru', 'Проверка подписей без сети'],
    ['en', 'Check signatures without a network'],
  ] as const)
    it(`is in ${language}, on a narrow screen, and accessible`, async () => {
      const { page, problems } = await open({ language, width: 360 })
      await page.getByRole('heading', { name: title }).waitFor()
      await page.setInputFiles('#anchors', anchors)
      await page.setInputFiles('#file', [
        file('a.p7s', authorities.person().signCms(DOCUMENT)),
        file('a.txt', DOCUMENT),
      ])
      await page.locator('#verdict .checks').waitFor()
      expect(await violations(page)).to.deep.equal([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(360)
      const other = language === 'en' ? 'Русский' : 'English'
      await page.getByRole('link', { name: other }).click()
      await page.getByRole('heading', { name: language === 'en' ? 'Проверка' : 'Check signatures' }).waitFor()
      expect(problems).to.deep.equal([])
    })
})
