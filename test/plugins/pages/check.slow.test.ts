import { readFileSync } from 'node:fs'
import type { CheckedFiles } from '@signed-registry/core/checking'

import { expect } from 'chai'
import { PDFDocument } from 'pdf-lib'
import type { Page } from 'playwright-core'
import { verifyReport } from '#verifier/notes/report-note.js'
import { violations } from '../../support/axe.js'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { postBytes, postJson, request } from '../../support/http.js'
import { registered, startPagesHost } from '../../support/pages-host.js'
import { attachedTo } from '../ddc-pdf/attached.js'
import { numberedPdf } from '../ddc-pdf/cards.js'

const EVIDENCE = { timeStamp: true, ocsp: true }

describeInBrowser('/check of unregistered files', (browser) => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost()
  })
  after(() => host.close())
  const original = Buffer.from('A contract that nobody registered\n')
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer })
  const said = (page: Page, look: string) => page.locator(`.outcome .said.${look}`)
  const open = async (language = 'en') => {
    const { page, problems } = await browser.open(host.url, { language, width: 360 })
    // The browser logs refusals of the API to the console; they are not a problem of the page.
    const faults = () => problems.filter((one) => !one.startsWith('Failed to load resource'))
    await page.goto('/check')
    return { page, faults }
  }

  it('has the registry sign a report, whose note its public key checks', async () => {
    const { page, faults } = await open()
    const content = Buffer.from('What is reported')
    const signature = host.authorities.named('person-2').signCms(content, EVIDENCE)
    await page.setInputFiles('#file', [file('a.txt', content), file('a.p7s', signature)])
    await page.getByRole('button', { name: 'Signed report' }).click()
    const kept = async (name: string) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()])
      return readFileSync(await download.path())
    }
    const [html, note] = [await kept('For people (HTML)'), await kept('Signature of the registry (note)')]
    const { json } = await request<{ verifierKey: string }>(`${host.url}/api/statementKey`)
    expect(verifyReport(html, `${note}`, json.verifierKey)).to.include({ form: 'html', origin: host.url })
    await page.getByText('It has no time stamp: log in to get one.').waitFor()
    expect(await violations(page)).to.deep.equal([])
    expect(faults()).to.deep.equal([])
  })

  it('gives one verdict on several files, in any order, and says what each of them is', async () => {
    const [one, two] = [Buffer.from('The first of several'), Buffer.from('The second of several')]
    const signed = (content: Buffer) => host.authorities.named('person-2').signCms(content, EVIDENCE)
    const { page, faults } = await open()
    const part = (name: string) =>
      page
        .locator('#verdict section.one-of-several')
        .filter({ has: page.getByRole('heading', { name, exact: true }) })
        .locator('.said')
    await page.setInputFiles('#file', [
      file('x.p7s', signed(two)),
      file('one.txt', one),
      file('y.p7s', signed(one)),
      file('two.txt', two),
    ])
    await said(page, 'good').getByText('Everything here is signed and proved.').waitFor()
    await part('one.txt, y.p7s').getByText('The signature is valid').waitFor()
    await part('two.txt, x.p7s').getByText('The signature is valid').waitFor()
    expect(await page.locator('.report').count()).to.equal(1)
    // An unsigned file is named, and a signature over none of the files is wrong.
    await page.setInputFiles('#file', [
      file('two.txt.p7s', signed(two)),
      file('two.txt', two),
      file('three.txt', Buffer.from('The third of several')),
    ])
    await said(page, 'warn').getByText('Not everything here is proved.').waitFor()
    await part('three.txt').getByText('None of the signatures here is on this file').waitFor()
    await part('two.txt, two.txt.p7s').getByText('The signature is valid').waitFor()
    await page.setInputFiles('#file', [file('a.p7s', signed(two)), file('b.p7s', signed(one)), file('two.txt', two)])
    await said(page, 'bad').getByText('Something here is wrong.').waitFor()
    await part('b.p7s').getByText('another document').waitFor()
    // Both wait for their document; it is over both of them.
    await page.setInputFiles('#file', [file('a.p7s', signed(two)), file('b.p7s', signed(two))])
    await part('b.p7s').getByText('Of which document?').waitFor()
    await page.setInputFiles('#original', file('two.txt', two))
    await said(page, 'good').getByText('The signature is valid').first().waitFor()
    expect(await page.locator('.judged').count()).to.equal(2)
    const many = Array.from({ length: 17 }, (_, at) => file(`${at}.txt`, Buffer.from(`${at}`)))
    await page.setInputFiles('#file', many)
    await said(page, 'warn').getByText('16 files are checked at a time').waitFor()
    expect(await violations(page)).to.deep.equal([])
    expect(faults()).to.deep.equal([])
  })

  it('compares a registered signature with its document, too, and shows who signed and when', async () => {
    const content = Buffer.from('A contract that is registered\n')
    const signer = host.authorities.named('person-2')
    const bare = signer.signCms(content)
    const { json } = await postJson<{ documentId: string }>(`${host.url}/api`, {
      signature: bare.toString('base64'),
      title: 'a.txt',
    })
    await postBytes(`${host.url}/api/${json.documentId}/data`, new Uint8Array(content))
    const { page, faults } = await open()
    await page.setInputFiles('#file', [file('a.p7s', bare), file('a.txt', Buffer.from('Another contract'))])
    await said(page, 'bad').getByText('the signature of another document').waitFor()
    await said(page, 'bad').getByRole('link', { name: 'This signature was registered here' }).waitFor()
    await page.setInputFiles('#file', file('a.p7s', bare))
    await said(page, 'plain').getByText('This signature is registered.').waitFor()
    await said(page, 'plain').getByText('it will be compared with what was signed').waitFor()
    await page.setInputFiles('#original', file('a.txt', content))
    await said(page, 'good').getByText('The signature is valid.').waitFor()
    await said(page, 'good').getByRole('heading', { name: 'АСАНОВА АЙГУЛЬ АСАНОВНА' }).waitFor()
    const checks = await page.locator('.checks .passed').allTextContents()
    expect(checks).to.have.length(8)
    expect(checks.join()).to.match(/not later than .*\(DEVELOPMENT TSA.*\(DEVELOPMENT OCSP/s)
    const link = said(page, 'good').getByRole('link', { name: 'Open the document' })
    expect(await link.getAttribute('href')).to.match(new RegExp(`^/d/${json.documentId}#signature-`))
    const hidden = signer.signCms(Buffer.from('private'))
    await postJson(`${host.url}/api`, { signature: hidden.toString('base64'), settings: { private: true } })
    await page.setInputFiles('#file', [file('p.p7s', hidden), file('p.txt', Buffer.from('private'))])
    await said(page, 'warn').getByText('Log in: if you have access to its document').waitFor()
    expect(await violations(page)).to.deep.equal([])
    expect(faults()).to.deep.equal([])
  })

  it('takes an XML signature by itself, registered or not, and its document after it', async () => {
    const xml = '<contract><price>100</price></contract>'
    const { signature } = host.authorities.named('person-2').signXml(xml)
    const { page, faults } = await open()
    await page.setInputFiles('#file', file('a.xml', Buffer.from(signature)))
    await said(page, 'plain').getByText('The signature is genuine. Of which document?').waitFor()
    await postJson(`${host.url}/api`, { signature, signType: 'xml' })
    await page.setInputFiles('#file', file('a.xml', Buffer.from(signature)))
    await said(page, 'plain').getByText('This signature is registered.').waitFor()
    await page.setInputFiles('#original', file('contract.xml', Buffer.from(xml)))
    await said(page, 'good').getByText('The signature is valid.').waitFor()
    await page.setInputFiles('#file', [
      file('a.xml', Buffer.from(signature)),
      file('other.xml', Buffer.from(xml.replace('100', '900'))),
    ])
    await said(page, 'bad').getByText('the signature of another document').waitFor()
    expect(faults()).to.deep.equal([])
  })

  it('says what is not verified, which statuses were not checked, and what was ignored', async () => {
    const { page, faults } = await open('ru')
    const cms = host.authorities.named('person-2').signCms(original, EVIDENCE)
    const changes: Partial<CheckedFiles['signatures'][number]> = {}
    await page.route('**/api/checkSignature', async (route) => {
      const response = await route.fetch()
      const answer: CheckedFiles = await response.json()
      await route.fulfill({
        response,
        json: { ...answer, signatures: answer.signatures.map((one) => ({ ...one, ...changes })) },
      })
    })
    const [subjectStructure, time] = [[[{ oid: '2.5.4.3', name: 'CN', valueInB64: false, value: 'SOME CA' }]], 1e12]
    changes.unasked = [{ subject: 'CN=SOME CA', subjectStructure, issuer: 'CN=ROOT', serialNumber: '01' }]
    changes.unused = [
      { kind: 'archiveTimeStamp', reason: 'notJudged', time },
      { kind: 'timeStamp', reason: 'imprint' },
    ]
    changes.coverage = { of: 'references', uris: ['#part', 'contract.xml'] }
    await page.setInputFiles('#file', [file('a.cms', cms), file('a.txt', original)])
    await said(page, 'good').getByText('Сертификаты, которые не проверены на отзыв: SOME CA').waitFor()
    await page.getByText(/Не учитывается: архивная метка времени, 09\.09\.2001.* Здесь это не проверяется\./).waitFor()
    await page.getByText('Не учитывается: метка времени. Причина: imprint.').waitFor()
    await page.getByText('Что подписано: #part, contract.xml').waitFor()
    changes.indication = 'unsupported'
    changes.conclusion = 'unsupported'
    changes.checks = []
    changes.unsupported = { feature: 'asic', advice: 'Take it apart.' }
    await page.setInputFiles('#file', [file('a.cms', cms), file('a.txt', original)])
    await said(page, 'plain').getByText('Подпись такого вида здесь не проверяется.').waitFor()
    await said(page, 'plain').getByText('Это контейнер (ASiC).').waitFor()
    changes.unsupported = { feature: 'of tomorrow', advice: 'Take it apart.' }
    await page.setInputFiles('#file', [file('a.cms', cms), file('a.txt', original)])
    await said(page, 'plain').getByText('Take it apart.').waitFor()
    expect(await violations(page)).to.deep.equal([])
    expect(faults()).to.deep.equal([])
  })

  it('compares the pages of a card: reports redrawn ones, and shows the original inside', async () => {
    const content = Buffer.from(await numberedPdf(1))
    const id = await registered(host, { title: 'pay.pdf' }, content)
    const built = await postBytes<{ ddc: string }>(`${host.url}/api/${id}/buildDDC`, new Uint8Array(content))
    const card = Buffer.from(built.json.ddc, 'base64')
    const redrawn = await PDFDocument.load(card, { updateMetadata: false })
    redrawn.getPage(1).drawText('1 tenge')
    const forged = file('card.pdf', Buffer.from(await redrawn.save()))
    const { page, faults } = await open()
    await page.setInputFiles('#file', forged)
    await said(page, 'bad').getByText('The pages of this card were changed.').waitFor()
    await said(page, 'bad').getByText('Changed pages: 2.').waitFor()
    await said(page, 'bad').getByText('Only the original inside this card counts.').waitFor()
    await page.getByRole('button', { name: 'View the original' }).click()
    await page.locator('.look').getByRole('button', { name: 'Save the file' }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the original from the card' }).click(),
    ])
    expect(readFileSync(await download.path()).equals(content)).to.equal(true)
    await page.setInputFiles('#file', [file('honest.pdf', card), file('pay.pdf', content)])
    await said(page, 'good').getByText('Everything here is signed and proved.').waitFor()
    await said(page, 'good').getByText('This is the original in “honest.pdf”.').waitFor()
    await page.setInputFiles('#file', file('honest.pdf', card))
    await said(page, 'good').getByText('Its pages are exactly those that the registry draws.').waitFor()
    const over = (bytes: Buffer) => file('a.p7s', host.authorities.named('person-2').signCms(bytes, EVIDENCE))
    for (const [bytes, names] of [
      [card, 'a.p7s, honest.pdf'],
      [content, 'a.p7s, honest.pdf: pay.pdf'],
    ] as const) {
      await page.setInputFiles('#file', [file('honest.pdf', card), over(bytes)])
      await page.getByRole('heading', { name: names, exact: true }).waitFor()
      await said(page, 'good').getByText('Everything here is signed and proved.').waitFor()
    }
    // A card by another generator: its files are genuine, but its pages cannot be compared.
    const { json } = await request<{ signatures: { signId: number }[] }>(`${host.url}/api/${id}`)
    const url = `${host.url}/api/${id}/signature/${json.signatures[0]?.signId}`
    const cms = Buffer.from((await request<{ signature: string }>(url)).json.signature, 'base64')
    const files = [content, cms].map((bytes, at) => ({ name: `${at}`, bytes }))
    await page.setInputFiles('#file', file('other.pdf', Buffer.from(await attachedTo(files))))
    await said(page, 'plain').getByText('Only the original inside this card counts.').waitFor()
    await said(page, 'plain').getByText('the card does not say how it was made').waitFor()
    expect(await violations(page)).to.deep.equal([])
    expect(faults()).to.deep.equal([])
  })

  it('a signature is verified by itself, then over the document: the right one, and another', async () => {
    const { page, faults } = await open()
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.postData() ?? ''))
    const cms = host.authorities.named('person-2').signCms(original, EVIDENCE)
    await page.setInputFiles('#file', file('a.cms', cms))
    await said(page, 'plain').getByText('Of which document?').waitFor()
    await said(page, 'plain').getByText('It is not registered here').waitFor()
    await said(page, 'plain').getByRole('heading', { name: 'АСАНОВА АЙГУЛЬ АСАНОВНА' }).waitFor()
    await page.setInputFiles('#original', file('other.txt', Buffer.from('Another contract')))
    await said(page, 'bad').getByText('the signature of another document').waitFor()
    await page.setInputFiles('#original', file('contract.txt', original))
    await said(page, 'good').getByText('The signature is valid.').waitFor()
    expect(await page.locator('.checks .passed').count()).to.equal(8)
    expect(await page.locator('#original-place').isVisible()).to.equal(false)
    expect(sent.join()).not.to.include(original.toString('base64').slice(0, 20)).and.not.include('nobody registered')
    expect(await violations(page)).to.deep.equal([])
    expect(faults()).to.deep.equal([])
  })

  it('without a certificate status and a time stamp inside, both are unknown, and the signature is not called valid', async () => {
    const { page, faults } = await open()
    const cms = host.authorities.named('employee-1').signCms(original)
    // Both files at once, in whatever order.
    await page.setInputFiles('#file', [file('contract.txt', original), file('a.p7s', cms)])
    await said(page, 'warn').getByText('It is not proved that this signature is valid.').waitFor()
    const unknown = await page.locator('.checks .unknown').allTextContents()
    expect(unknown.join()).to.include('carries no answer from its authority').and.include('carries no time stamp')
    expect(unknown).to.have.length(2)
    expect(await page.locator('.checks .failed').count()).to.equal(0)
    expect(faults()).to.deep.equal([])
  })

  it('a revoked certificate, a changed value and a signed XML document are told apart', async () => {
    const { page, faults } = await open('ru')
    const revoked = host.authorities.person()
    host.authorities.revoke(revoked, Date.now() - 86_400_000)
    const cms = revoked.signCms(original, { ...EVIDENCE, detached: false })
    await page.setInputFiles('#file', file('revoked.cms', cms))
    await said(page, 'bad').getByText('Сертификат отозван').waitFor()
    const changed = Buffer.from(host.authorities.person().signCms(original))
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
    await page.setInputFiles('#file', file('changed.cms', changed))
    await said(page, 'bad').getByText('Подпись недействительна.').waitFor()
    const { document } = host.authorities.named('person-2').signXml('<contract><price>100</price></contract>', EVIDENCE)
    await page.setInputFiles('#file', file('signed.xml', Buffer.from(document)))
    await said(page, 'good').getByText('Подпись действительна.').waitFor()
    await page.setInputFiles('#file', file('signed.xml', Buffer.from(document.replace('100', '1000'))))
    await said(page, 'bad').getByText('Подпись недействительна.').waitFor()
    expect(faults()).to.deep.equal([])
  })

  it('a card is opened: each signature is verified over the original in it, and a changed original reported', async () => {
    const { page, faults } = await open('kk')
    const cms = host.authorities.named('person-2').signCms(original, EVIDENCE)
    const second = host.authorities.named('employee-1').signCms(original, EVIDENCE)
    const card = async (...files: Buffer[]) => {
      const named = files.map((bytes, at) => ({ name: at === 0 ? 'contract.txt' : `${at}.cms`, bytes }))
      return file('card.pdf', Buffer.from(await attachedTo(named)))
    }
    await page.setInputFiles('#file', await card(original, cms, second))
    await said(page, 'plain').getByText('Бұл карточка мұнда тіркелмеген.').waitFor()
    expect(await page.locator('.judged').count()).to.equal(2)
    expect(await page.locator('.judged').filter({ hasText: 'Қолтаңба жарамды.' }).count()).to.equal(2)
    await page.getByRole('button', { name: 'Түпнұсқаны қарау' }).click()
    await page.locator('.look pre', { hasText: 'A contract that nobody registered' }).waitFor()
    await page.setInputFiles('#file', await card(Buffer.from('Another contract'), cms))
    await said(page, 'bad').getByText('қолтаңбалардың бірі өзгертілген').waitFor()
    expect(await page.locator('.judged').filter({ hasText: 'басқа құжаттың қолтаңбасы' }).count()).to.equal(1)
    expect(faults()).to.deep.equal([])
  })

  it('a national signature is verified over its document by a hash that the browser computes', async () => {
    const { page, faults } = await open()
    const cms = host.authorities.person({ algorithm: 'gost512' }).signCms(original, EVIDENCE)
    await page.setInputFiles('#file', [file('a.cms', cms), file('contract.txt', original)])
    await said(page, 'good').getByText('The signature is valid.').waitFor()
    await page.setInputFiles('#file', [file('a.cms', cms), file('contract.txt', Buffer.from('Another contract'))])
    await said(page, 'bad').getByText('the signature of another document').waitFor()
    expect(faults()).to.deep.equal([])
  })

  it('a document that is known by national hashes alone is compared, and found, by what the browser computes', async () => {
    const national = await startPagesHost({ digests: ['1.2.398.3.10.1.3.1'] })
    try {
      const signer = national.authorities.person({ algorithm: 'gost512' })
      const signature = signer.signCms(original, EVIDENCE).toString('base64')
      const { json } = await postJson<{ documentId: string }>(`${national.url}/api`, { signature, title: 'a.txt' })
      const fixed = await postBytes<{ digests: object }>(`${national.url}/api/${json.documentId}/data`, original)
      expect(fixed.json.digests).to.have.all.keys('1.2.398.3.10.1.3.1', '1.2.398.3.10.1.3.3')
      const { page, problems } = await browser.open(national.url)
      await page.goto(`/d/${json.documentId}`)
      await page.setInputFiles('#original', file('a.txt', original))
      await said(page, 'good').getByText('This is the document.').waitFor()
      await page.setInputFiles('#original', file('a.txt', Buffer.from('Another contract')))
      await said(page, 'bad').getByText('This is not the document.').waitFor()
      await page.goto('/check')
      await page.setInputFiles('#file', file('a.txt', original))
      await said(page, 'good').getByRole('link', { name: 'a.txt' }).waitFor()
      let asked = 0
      page.on('request', (request) => {
        if (request.url().includes('/api/')) asked += 1
      })
      await page.setInputFiles('#file', file('a.txt', Buffer.from('Another contract')))
      await said(page, 'plain').getByText('No such document is registered').waitFor()
      // A stranger may ask 60 times a minute: six hashes are no six requests.
      expect(asked).to.equal(2)
      expect(problems).to.deep.equal([])
    } finally {
      await national.close()
    }
  })

  it('a document that is registered is found by a signature that is not', async () => {
    await registered(host, { title: 'known.txt' }, original)
    const { page } = await open()
    const stranger = host.authorities.person().signCms(original, EVIDENCE)
    await page.setInputFiles('#file', file('b.p7s', stranger))
    await said(page, 'plain').getByRole('link', { name: 'known.txt' }).waitFor()
  })
})
