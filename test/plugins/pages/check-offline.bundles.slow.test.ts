import { generateKeyPairSync } from 'node:crypto'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { verifierKey } from '#verifier/notes/verifier-key.js'
import { violations } from '../../support/axe.js'
import { describeInBrowser } from '../../support/browser.js'
import { makeBundle, replaced, statementKey } from '../../support/evidence/bundle.js'
import { builtBytes, bundleOf } from '../../support/evidence-bundle.js'
import { foreignAuthorities, presentAuthorities } from '../../support/pki/authorities.js'

const FILE = fileURLToPath(new URL('../../../plugins/pages/dist/assets/check-offline.html', import.meta.url))
const EVIDENCE = { timeStamp: true, ocsp: true }
const ORIGINAL = Buffer.from('I owe you 100 tenge')
const OTHER_KEY = verifierKey('registry.example', generateKeyPairSync('ed25519').publicKey)

describeInBrowser('evidence bundles on the page for checking without a network', (browser) => {
  const authorities = presentAuthorities()
  const certificates = [...authorities.anchors, ...authorities.intermediates]
  const signers = [authorities.person({ surname: 'ПЕРВАЯ' }), authorities.person({ algorithm: 'gost512' })] as const
  const contract = { title: 'contract.txt', content: ORIGINAL, signed: [signers[0].signCms(ORIGINAL, EVIDENCE)] }
  let bundle: Buffer
  let alone: Buffer
  before(async () => {
    bundle = await builtBytes(bundleOf(authorities, [{ content: ORIGINAL, signers }]))
    alone = await builtBytes(bundleOf(authorities, [{ content: ORIGINAL, signers, withoutOriginal: true }]))
  })
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer })
  const anchorsOf = ({ anchors }: Pick<typeof authorities, 'anchors'>) =>
    anchors.map((der, at) => file(`${at}.cer`, Buffer.from(der)))
  const said = (page: Page, look: string) => page.locator(`#verdict .said.${look}`)
  const drop = (page: Page, ...files: ReturnType<typeof file>[]) => page.setInputFiles('#file', files)

  async function open({ language = 'en', width = 1280 } = {}) {
    const { page, problems } = await browser.open('http://nowhere.invalid', { language, width })
    await page.context().setOffline(true)
    await page.goto(pathToFileURL(FILE).href)
    await page.locator('#file').waitFor({ state: 'attached' })
    return { page, problems }
  }

  it('are proved under the anchors that the visitor gives, and to nobody without', async () => {
    const { page, problems } = await open()
    await drop(page, file('evidence.zip', bundle))
    await said(page, 'warn').getByText('You have not said whom you trust').waitFor()
    await page.setInputFiles('#anchors', anchorsOf(foreignAuthorities()))
    await said(page, 'warn').locator('.checks .failed', { hasText: 'the certificate' }).first().waitFor()
    await page.setInputFiles('#anchors', anchorsOf(authorities))
    const green = said(page, 'good')
    await green.getByText('contract.txt: in the evidence bundle.').waitFor()
    await green.getByRole('heading', { name: 'ПЕРВАЯ' }).waitFor()
    expect(await green.getByText('to the last byte').count()).to.equal(2)
    await green.getByText('the word of whoever made the bundle').waitFor()
    await page.fill('#key', statementKey)
    await page.locator('#key').blur()
    await green.getByText('the registry whose key was given: it signed this').waitFor()
    expect(problems).to.deep.equal([])
  })

  it('are not proved under another key, with a changed file, without their original, or beside another', async () => {
    const { page, problems } = await open()
    await page.setInputFiles('#anchors', anchorsOf(authorities))
    const changed = await makeBundle([contract], certificates, {
      changed: replaced('README.txt', Buffer.from('Read this')),
    })
    await drop(page, file('evidence.zip', changed))
    await said(page, 'bad').getByText('WRONG: a file in it is not the one that evidence.json names.').waitFor()
    await drop(page, file('evidence.zip', alone))
    await said(page, 'warn').getByText('not in the evidence bundle: give it beside it').waitFor()
    await drop(page, file('mine.txt', ORIGINAL))
    await said(page, 'good').getByText('mine.txt: given beside the evidence bundle.').waitFor()
    await drop(page, file('other.txt', Buffer.from('I owe you 900 tenge')))
    await said(page, 'warn').getByText('other.txt — none of the documents of the evidence bundle').waitFor()
    expect(await said(page, 'good').count()).to.equal(0)
    await drop(page, file('evidence.zip', bundle))
    await said(page, 'good').waitFor()
    await page.fill('#key', OTHER_KEY)
    await page.locator('#key').blur()
    await said(page, 'warn').getByText('it is not signed with the key that was given').waitFor()
    expect(problems).to.deep.equal([])
  })

  it('are judged each by itself, beside loose signatures too', async () => {
    const { page, problems } = await open()
    await page.setInputFiles('#anchors', anchorsOf({ anchors: certificates }))
    const loose = Buffer.from('Signed apart')
    const signature = authorities.person().signCms(loose, EVIDENCE)
    await drop(page, file('a.zip', alone), file('b.zip', bundle), file('mine.txt', ORIGINAL))
    await said(page, 'good').nth(1).waitFor()
    await drop(page, file('b.zip', bundle), file('a.txt', loose), file('a.p7s', signature))
    await said(page, 'good').nth(1).waitFor()
    await drop(page, file('a.zip', alone), file('b.zip', bundle), file('other.txt', Buffer.from('Nobody signed this')))
    await said(page, 'warn').nth(1).waitFor()
    expect(problems).to.deep.equal([])
  })

  for (const language of ['kk', 'ru', 'en'])
    it(`are shown in ${language}, on a narrow screen, and accessible`, async () => {
      const { page, problems } = await open({ language, width: 360 })
      await page.setInputFiles('#anchors', anchorsOf(authorities))
      for (const [look, bytes] of [
        ['good', bundle],
        ['warn', alone],
      ] as const) {
        await drop(page, file('evidence.zip', bytes))
        await said(page, look).waitFor()
        expect(await violations(page)).to.deep.equal([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(360)
      }
      expect(problems).to.deep.equal([])
    })
})
