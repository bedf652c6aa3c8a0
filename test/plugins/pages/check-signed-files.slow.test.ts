import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { ASIC_E, asicE, cadesParts, dataPart, estonian, mediaType } from '../../support/asic/containers.js'
import { zipOf } from '../../support/asic/write-zip.js'
import { violations } from '../../support/axe.js'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { registered, startPagesHost } from '../../support/pages-host.js'
import { contract, pageContent } from '../../support/pdf/contract.js'
import { certified, signedBy, signedOnce, signedTwice } from '../../support/pdf/signed-contracts.js'
import { updated } from '../../support/pdf/write-pdf.js'

const EVIDENCE = { timeStamp: true, ocsp: true }

describeInBrowser('/check of signed files', (browser) => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost()
  })
  after(() => host.close())
  const people = () => [host.authorities.named('person-2'), host.authorities.named('employee-1')] as const
  const seller = () => signedBy(people()[0])
  const twice = () => signedTwice(seller(), signedBy(people()[1]))
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer })
  const dataFile = (name: string) => ({ name, content: Buffer.from(`The content of ${name}`) })
  const three = ['contract.txt', 'folder/annex 1.txt', 'Қосымша.txt'].map(dataFile)
  const said = (page: Page, look: string) => page.locator(`.outcome .said.${look}`)
  const drop = (page: Page, ...files: ReturnType<typeof file>[]) => page.setInputFiles('#file', files)

  async function open(language = 'en') {
    const { page, problems } = await browser.open(host.url, { language, width: 360 })
    const faults = () => problems.filter((one) => !one.startsWith('Failed to load resource'))
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${new URL(request.url()).pathname} ${request.postData() ?? ''}`))
    await page.goto('/check')
    return { page, faults, sent: () => sent.filter((one) => one.startsWith('/api/')) }
  }

  async function expectTidy(page: Page): Promise<void> {
    expect(await violations(page)).to.deep.equal([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(360)
  }

  it('shows who signed which revision of a PDF, opens each, and sends nothing but hashes', async () => {
    const { page, faults, sent } = await open()
    const pdf = twice()
    await drop(page, file('contract.pdf', pdf))
    const green = said(page, 'good')
    await green.getByRole('heading', { name: 'This PDF is signed, and its signatures are valid.' }).waitFor()
    await green.getByText('the file is signed to the end of revision 2 of 3, to the last byte').waitFor()
    await green.getByText('the whole file is signed, to the last byte').waitFor()
    await green.getByText('Revision 2 of 3 — signed by АСАНОВА АЙГУЛЬ АСАНОВНА').waitFor()
    await green.getByText('Harmless: a field for a signature, “Buyer”, page 1').waitFor()
    await green.getByText('Nothing was added after it.').waitFor()
    const views = green.getByRole('button', { name: 'View as it was signed' })
    expect(await views.count()).to.equal(2)
    await views.first().click()
    await green.getByRole('heading', { name: 'contract.pdf (revision 2)' }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      green.getByRole('button', { name: 'Save the file' }).click(),
    ])
    const revision = readFileSync(await download.path())
    expect(revision.equals(pdf.subarray(0, revision.length))).to.equal(true)
    expect(revision.length).to.be.below(pdf.length)
    expect(`${revision.subarray(-6)}`).to.include('%%EOF')
    await expectTidy(page)
    expect(sent().map((one) => one.split('?')[0]?.trim())).to.deep.equal(['/api/findByDigest'])
    expect(faults()).to.deep.equal([])
  })

  it('registers a PDF and a container with three files, and leads to them', async () => {
    const { page, faults } = await open()
    await drop(page, file('contract.pdf', twice()))
    await page.getByRole('button', { name: 'Register this file' }).click()
    await said(page, 'good').getByText('Registered, with all signatures:').waitFor()
    await expectTidy(page)
    await page.getByRole('link', { name: 'contract.pdf' }).click()
    await page.getByRole('heading', { name: 'contract.pdf' }).first().waitFor()
    await page.goto('/check')
    await drop(page, file('three.asice', estonian(host.authorities, people(), three)))
    await page.getByRole('button', { name: 'Register this file' }).click()
    await said(page, 'good').getByText('Registered, with all signatures:').waitFor()
    await page.getByRole('link', { name: 'The package with its documents' }).click()
    for (const { name } of three)
      await page
        .getByText(name.split('/').at(-1) ?? '')
        .first()
        .waitFor()
    expect(faults()).to.deep.equal([])
  })

  it('says what was changed in a PDF after signing, and where', async () => {
    const { page, faults } = await open()
    const note = {
      3: '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>/Annots[11 0 R 54 0 R]>>',
      54: '<</Type/Annot/Subtype/FreeText/Rect[0 600 595 842]/P 3 0 R>>',
    }
    await drop(page, file('a.pdf', updated(signedOnce(seller()), { objects: note })))
    const open_ = said(page, 'warn')
    await open_.getByRole('heading', { name: 'Something was added to this PDF after it was signed.' }).waitFor()
    await open_.getByText('view it as it was signed: only that is signed').waitFor()
    await open_.getByText('Nobody signed this: a comment or a mark, page 1').waitFor()
    await expectTidy(page)
    await drop(
      page,
      file('a.pdf', updated(signedOnce(seller()), { objects: { 4: pageContent('The buyer pays 900') } })),
    )
    await open_.getByText('Nobody signed this: what a page shows').waitFor()
    await drop(page, file('a.pdf', updated(certified(seller(), 1), { objects: { 4: pageContent('pays 900') } })))
    await said(page, 'bad').getByText('who certified it forbade').waitFor()
    await said(page, 'bad').getByText('Forbidden by who certified the document: what a page shows').waitFor()
    await drop(page, file('a.pdf', Buffer.concat([signedOnce(seller()), Buffer.from('and 900 more')])))
    await open_.getByText('Nobody signed this: bytes behind the end of the PDF').waitFor()
    const changed = signedOnce(seller())
    changed[changed.indexOf('Helvetica')] = 0x4a
    await drop(page, file('a.pdf', changed))
    await said(page, 'bad').getByText('This PDF was changed: a signature in it does not match it.').waitFor()
    expect(faults()).to.deep.equal([])
  })

  it('names PDFs that cannot be judged, and what to do: encrypted, forms in XML, broken', async () => {
    const { page, faults } = await open('ru')
    await drop(page, file('a.pdf', signedOnce(seller(), { trailer: '/Encrypt<</Filter/Standard>>' })))
    await said(page, 'warn').getByText('Этот PDF зашифрован').waitFor()
    await said(page, 'warn').getByText('Попросите файл без пароля.').waitFor()
    await expectTidy(page)
    const whole = signedOnce(seller())
    await drop(page, file('a.pdf', whole.subarray(0, whole.length - 200)))
    await said(page, 'warn').getByRole('heading', { name: 'не удалось прочитать' }).waitFor()
    await said(page, 'warn').getByText('Попросите файл в том виде').waitFor()
    await expectTidy(page)
    // What nobody signed is a document, however broken.
    await drop(page, file('b.pdf', contract().subarray(0, 200)))
    await said(page, 'plain').getByText('Такой документ здесь не зарегистрирован').waitFor()
    expect(faults()).to.deep.equal([])
  })

  it('shows what of a container from Estonia is signed, and by whom', async () => {
    const { page, faults, sent } = await open('kk')
    const [first = dataFile('a.txt')] = three
    const container = estonian(host.authorities, people(), [first])
    await drop(page, file('contract.asice', container))
    await said(page, 'good').getByText('соңғы байтына дейін қол қойылған: contract.txt').first().waitFor()
    await said(page, 'good')
      .getByText(/contract\.txt — қол қойған: .*АСАНОВА/)
      .waitFor()
    await expectTidy(page)
    expect(sent().join()).not.to.include('The content').and.not.include(first.content.toString('base64').slice(0, 16))
    await drop(page, file('contract.asice', container), file('mine.txt', first.content))
    await said(page, 'good').getByText('Бұл — «contract.asice» ішінде қол қойылған файл.').waitFor()
    expect(faults()).to.deep.equal([])
  })

  it('shows the files of a container, and those that nobody signed or that are not what was signed', async () => {
    const { page, faults } = await open()
    await drop(page, file('three.asice', asicE(people(), three)))
    await said(page, 'good').getByRole('heading', { name: 'Everything here is signed and proved.' }).waitFor()
    expect(
      await said(page, 'good').locator('.judged', { hasText: 'Files in this container' }).locator('li.passed').count(),
    ).to.equal(3)
    await expectTidy(page)
    const [one] = people()
    const with_ = (...more: Parameters<typeof zipOf>[0]) =>
      zipOf([mediaType(ASIC_E), ...three.map(dataPart), ...cadesParts([one], three), ...more])
    await drop(page, file('more.asice', with_(dataPart(dataFile('added.txt')))))
    await said(page, 'warn').getByText('A file in this container is signed by nobody.').waitFor()
    await said(page, 'warn').getByText('added.txt — nobody signed it').waitFor()
    await expectTidy(page)
    await drop(page, file('more.asice', with_({ name: 'META-INF/signature.json', content: '{}' })))
    await said(page, 'warn').getByText('This is a JSON signature (JAdES)').waitFor()
    const changed = with_().toString('latin1').replace('META-INF/signature0.p7s', 'META-INF/signature0.p7x')
    await drop(page, file('more.asice', Buffer.from(changed, 'latin1')))
    await said(page, 'warn').getByText('This signed file cannot be read.').waitFor()
    await drop(page, file('plain.zip', zipOf(three.map(dataPart))))
    await said(page, 'plain').getByText('No such document is registered').waitFor()
    expect(faults()).to.deep.equal([])
  })

  it('judges CMS with its content, and signed XML, without sending them', async () => {
    const { page, faults, sent } = await open()
    const content = Buffer.from('A declaration of income')
    const signed = people()[0].signCms(content, { ...EVIDENCE, detached: false })
    for (const bytes of [signed, Buffer.from(signed.toString('base64'))]) {
      await drop(page, file('declaration.p7m', bytes))
      await said(page, 'good').getByText('The signature is valid.').first().waitFor()
      await said(page, 'good').getByText('the content of this file is signed').waitFor()
    }
    const { document } = people()[0].signXml('<contract><price>100</price></contract>', EVIDENCE)
    await drop(page, file('signed.xml', Buffer.from(document)))
    await said(page, 'good').getByText('The signature is valid.').first().waitFor()
    await expectTidy(page)
    await drop(page, file('a.jws', Buffer.from('eyJhbGciOiJFUzI1NiJ9.eyJhIjoxfQ.c2ln')))
    await said(page, 'warn').getByText('JSON signature').waitFor()
    await drop(page, file('a.json', Buffer.from('{ "price": 100 }')))
    await said(page, 'plain').getByText('No such document is registered').waitFor()
    expect(sent().filter((one) => one.includes('checkSignature'))).to.deep.equal([])
    expect(faults()).to.deep.equal([])
  })

  it('finds what of it is registered, and judges it beside others', async () => {
    const { page, faults } = await open()
    const pdf = signedOnce(seller())
    await registered(host, { title: 'Contract of sale' }, Buffer.from(pdf))
    // It is found as it was signed last, whatever was added.
    await drop(page, file('a.pdf', updated(pdf, { objects: { 6: '<</Title(Other)>>' }, trailer: '/Info 6 0 R' })))
    await said(page, 'good').getByRole('link', { name: 'Contract of sale' }).waitFor()
    // Without evidence in it, the registry may know more.
    const bare = signedOnce((octets) => people()[0].signCms(octets))
    await registered(host, { title: 'Bare contract' }, Buffer.from(bare))
    await drop(page, file('bare.pdf', bare))
    await said(page, 'warn').getByRole('link', { name: 'Bare contract' }).waitFor()
    await said(page, 'warn').getByText('open the document to see what it proves').waitFor()
    const detached = people()[1].signCms(pdf, EVIDENCE)
    await drop(page, file('a.pdf', pdf), file('a.pdf.p7s', detached))
    await said(page, 'good').getByText('Everything here is signed and proved.').waitFor()
    expect(await page.locator('.one-of-several').count()).to.equal(2)
    await drop(page, file('a.pdf', pdf), file('b.txt', Buffer.from('Nobody signed this')))
    await said(page, 'warn').getByText('Not everything here is proved.').waitFor()
    expect(faults()).to.deep.equal([])
  })

  it('judges with the network off what it has loaded', async () => {
    const { page, problems } = await browser.open(host.url)
    const [worker, trust, shows] = [
      page.waitForEvent('worker'),
      page.waitForResponse(/check-trust\.json/),
      page.waitForResponse(/show-file-/),
    ]
    await page.goto('/check')
    await (await worker).evaluate('0')
    await (await trust).finished()
    await (await shows).finished()
    await page.context().setOffline(true)
    await drop(page, file('contract.pdf', twice()))
    await said(page, 'good').getByText('This PDF is signed, and its signatures are valid.').waitFor()
    expect(problems.filter((one) => !one.startsWith('Failed to load resource'))).to.deep.equal([])
  })
})
