import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { asicE } from '../../support/asic/containers.js'
import { violations } from '../../support/axe.js'
import { describeInBrowser } from '../../support/browser.js'
import { signedBy, signedOnce, signedTwice } from '../../support/pdf/signed-contracts.js'
import { presentAuthorities } from '../../support/pki/authorities.js'

const FILE = fileURLToPath(new URL('../../../plugins/pages/dist/assets/check-offline.html', import.meta.url))

describeInBrowser('signed files on the page for checking without a network', (browser) => {
  const authorities = presentAuthorities()
  const [seller, buyer] = [authorities.person(), authorities.employee()]
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer })
  const anchors = [...authorities.anchors, ...authorities.intermediates].map((der, at) =>
    file(`${at}.cer`, Buffer.from(der)),
  )
  const said = (page: Page, look: string) => page.locator(`#verdict .said.${look}`)

  async function open() {
    const { page, problems } = await browser.open('http://nowhere.invalid', { width: 360 })
    await page.context().setOffline(true)
    await page.goto(pathToFileURL(FILE).href)
    await page.locator('#file').waitFor({ state: 'attached' })
    return { page, problems }
  }

  it('judges a PDF and a container under the certificates that the visitor trusts, and opens revisions', async () => {
    const { page, problems } = await open()
    await page.setInputFiles('#file', file('contract.pdf', signedTwice(signedBy(seller), signedBy(buyer))))
    await said(page, 'warn').getByText('You have not said whom you trust').waitFor()
    await page.setInputFiles('#anchors', anchors)
    await said(page, 'good').getByText('This PDF is signed, and its signatures are valid.').waitFor()
    await said(page, 'good').getByRole('button', { name: 'View as it was signed' }).first().click()
    await page.getByRole('heading', { name: 'contract.pdf (revision 2)' }).waitFor()
    expect(await violations(page)).to.deep.equal([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(360)
    const files = ['a.txt', 'b.txt'].map((name) => ({ name, content: Buffer.from(name) }))
    await page.setInputFiles('#file', file('two.asice', asicE([seller], files)))
    await said(page, 'good').getByText('signed to the last byte: a.txt, b.txt').waitFor()
    expect(problems).to.deep.equal([])
  })

  it('takes a signature that is over a signed file, and names what it cannot read', async () => {
    const { page, problems } = await open()
    const pdf = signedOnce(signedBy(seller))
    await page.setInputFiles('#anchors', anchors)
    const detached = buyer.signCms(pdf, { timeStamp: true, ocsp: true })
    await page.setInputFiles('#file', [file('a.pdf', pdf), file('a.pdf.p7s', detached)])
    await said(page, 'good').getByRole('heading', { name: 'The signature is valid.' }).waitFor()
    expect(await said(page, 'good').count()).to.equal(2)
    // What is given while a file is being read waits for it.
    await page.setInputFiles('#file', file('a.pdf.p7s', detached))
    await page.setInputFiles('#file', file('a.txt', Buffer.from('Another')))
    await page.setInputFiles('#anchors', anchors)
    await said(page, 'bad').getByText('This is the signature of another document').first().waitFor()
    await page.setInputFiles('#file', file('a.pdf', pdf.subarray(0, pdf.length - 200)))
    await said(page, 'warn').getByText('This signed file cannot be read.').waitFor()
    expect(problems).to.deep.equal([])
  })
})
