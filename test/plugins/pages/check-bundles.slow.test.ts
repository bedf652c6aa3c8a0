import type { DevAuthorities } from '@signed-registry/dev-authorities'
import { evidenceAsic } from '@signed-registry/evidence-asic'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { violations } from '../../support/axe.js'
import { describeInBrowser } from '../../support/browser.js'
import { makeBundle, replaced } from '../../support/evidence/bundle.js'
import { builtBytes, bundleOf } from '../../support/evidence-bundle.js'
import type { TestHost } from '../../support/host.js'
import { postBytes, postJson } from '../../support/http.js'
import { loggedBundle } from '../../support/log/logged-bundle.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { startPagesHost } from '../../support/pages-host.js'
import { foreignAuthorities } from '../../support/pki/authorities.js'
import { until } from '../../support/until.js'

const EVIDENCE = { timeStamp: true, ocsp: true }
const GOST = '1.2.398.3.10.1.3.3'

describeInBrowser('/check of evidence bundles', (browser) => {
  let host: TestHost
  let id: string
  let bundle: Buffer
  let alone: Buffer
  const original = Buffer.from('A contract that is proved\n')
  before(async () => {
    host = await startPagesHost({}, [evidenceAsic({})])
    const first = host.authorities.named('person-2')
    const settings = { tempStorageAfterRegistration: 3_600_000 }
    const signature = first.signCms(original).toString('base64')
    const { json } = await postJson<{ documentId: string }>(`${host.url}/api`, {
      title: 'contract.txt',
      signature,
      settings,
    })
    id = json.documentId
    await postBytes(`${host.url}/api/${id}/data?digest=${GOST}`, original)
    const second = host.authorities.person({ algorithm: 'gost512' }).signCms(original).toString('base64')
    expect((await postJson(`${host.url}/api/${id}`, { signature: second })).status).to.equal(200)
    const cookie = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    const fetched = async (query = '') => {
      const headers = { accept: 'application/zip', cookie }
      const answer = await fetch(`${host.url}/api/${id}/evidence${query}`, { headers })
      return Buffer.from(await answer.arrayBuffer())
    }
    bundle = await fetched()
    alone = await fetched('?withoutOriginal=true')
  })
  after(() => host.close())

  /** Where the text of its README stands. */
  const readme = () => bundle.indexOf('README.txt', bundle.indexOf('evidence.json.sig')) + 40
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer })
  const said = (page: Page, look: string) => page.locator(`.outcome .said.${look}`)
  const drop = (page: Page, ...files: ReturnType<typeof file>[]) => page.setInputFiles('#file', files)

  /** The page when it is at rest. */
  async function open({ language = 'en', width = 1280, offline = true } = {}) {
    const { page, problems } = await browser.open(host.url, { language, width })
    const verifier = page.waitForEvent('worker')
    const trust = page.waitForResponse(/check-trust\.json/)
    await page.goto('/check')
    // It answers when it is loaded.
    await (await verifier).evaluate('0')
    await (await trust).finished()
    await page.context().setOffline(offline)
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${new URL(request.url()).pathname} ${request.postData() ?? ''}`))
    const faults = () => problems.filter((one) => !one.startsWith('Failed to load resource'))
    return { page, faults, sent }
  }

  it('proves one with the network off: who signed which document, when, and apart from that what the registry says', async () => {
    const { page, faults, sent } = await open()
    await drop(page, file('evidence.zip', bundle))
    const green = said(page, 'good')
    await green.getByRole('heading', { name: 'Proved: every signature in the evidence bundle is valid' }).waitFor()
    await green.getByText('contract.txt: in the evidence bundle.').waitFor()
    await green.getByRole('heading', { name: 'АСАНОВА АЙГУЛЬ АСАНОВНА' }).waitFor()
    await green.getByRole('heading', { name: 'ТЕСТОВ ТЕСТ' }).waitFor()
    const checks = await green.locator('.checks .passed').allTextContents()
    expect(checks.filter((one) => one.includes('to the last byte'))).to.have.length(2)
    expect(checks.filter((one) => /not later than .*\(DEVELOPMENT TSA/.test(one))).to.have.length(2)
    const says = green.locator('section.judged', { has: page.getByRole('heading', { name: 'What the registry says' }) })
    await says.getByText('this registry: it signed this').waitFor()
    for (const text of [id, 'Test registry', host.url]) await says.getByText(text, { exact: true }).waitFor()
    expect(await page.locator('#original-place').isVisible()).to.equal(false)
    // With the network off nothing is said of what is registered.
    expect(await page.getByText('Registered in this registry').count()).to.equal(0)
    for (const one of sent) expect(one).to.match(/^\/api\/\S+ $/)
    await drop(page, file('evidence.zip', bundle), file('again.txt', original))
    await green.getByText('contract.txt: in the evidence bundle.').waitFor()
    expect(faults()).to.deep.equal([])
  })

  it('tells what the transparency log proves of each signature, and that nobody said whom to trust', async () => {
    const { page, faults } = await open()
    const signed = { content: 'A contract', signers: [host.authorities.person()] }
    const plain = bundleOf(host.authorities, [{ ...signed, storedAt: Date.now() }])
    const times = { notBefore: undefined, loggedBefore: Date.now() }
    const honest = await builtBytes(await loggedBundle(plain, host.authorities, times))
    await drop(page, file('evidence.zip', honest))
    const green = said(page, 'good')
    await green.getByRole('heading', { name: 'Transparency log' }).waitFor()
    await green.getByRole('heading', { name: 'Signature 101' }).waitFor()
    await green.getByText('registry.example/log').first().waitFor()
    await green.getByText('trust not established').first().waitFor()
    expect(await violations(page)).to.deep.equal([])
    const change = (text: string) => text.replace('signId 101', 'signId 7')
    const wrong = await builtBytes(await loggedBundle(plain, host.authorities, { ...times, change }))
    await drop(page, file('wrong.zip', wrong))
    await said(page, 'bad').getByText('a proof of the transparency log in it is not of what it stands for').waitFor()
    const early = bundleOf(host.authorities, [{ ...signed, storedAt: Date.now() - 60 * 60_000 }])
    const outside = await builtBytes(await loggedBundle(early, host.authorities, times))
    await drop(page, file('outside.zip', outside))
    await said(page, 'warn').getByText('a time of registration in it contradicts the transparency log').waitFor()
    expect(faults()).to.deep.equal([])
    await page.context().close()
  })

  it('sends nothing but hashes: it links to the documents that are registered', async () => {
    const { page, faults, sent } = await open({ offline: false })
    await drop(page, file('evidence.zip', bundle))
    await said(page, 'good').getByText('Registered in this registry:').waitFor()
    await said(page, 'good').getByRole('link', { name: 'contract.txt' }).waitFor()
    expect(sent).to.have.length(1)
    expect(sent[0]).to.match(/^\/api\/\S+ $/)
    expect(faults()).to.deep.equal([])
  })

  it('says in red what was changed: a byte of a file, of the original, of the directory, and the file', async () => {
    const { page, faults } = await open()
    const changed = (at: number) => {
      const bytes = Buffer.from(bundle)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      return file('evidence.zip', bytes)
    }
    await drop(page, changed(readme()))
    await page.waitForTimeout(4000)
    await said(page, 'bad').getByRole('heading', { name: 'Wrong: the evidence bundle was changed' }).waitFor()
    await said(page, 'bad').getByText('WRONG: a file in it is not the one that evidence.json names.').waitFor()
    await said(page, 'bad').getByText('README.txt').first().waitFor()
    await drop(page, changed(bundle.indexOf(original) + 2))
    await said(page, 'bad').getByText('WRONG: the original in it is not the one').waitFor()
    await drop(page, changed(bundle.length - 1))
    await said(page, 'bad').getByText('WRONG: the evidence bundle is not in the form that registries write.').waitFor()
    expect(await said(page, 'good').count()).to.equal(0)
    expect(faults()).to.deep.equal([])
  })

  it('waits for an original that is not in it, takes the right one, and names another', async () => {
    const { page, faults } = await open()
    await drop(page, file('evidence.zip', alone))
    await said(page, 'warn').getByText('not in the evidence bundle: give it beside it').waitFor()
    await page.setInputFiles('#original', file('other.txt', Buffer.from('Another contract')))
    await said(page, 'warn').getByText('other.txt — none of the documents of the evidence bundle').waitFor()
    await page.setInputFiles('#original', file('mine.txt', original))
    await said(page, 'good').getByText('mine.txt: given beside the evidence bundle.').waitFor()
    expect(await page.locator('#original-place').isVisible()).to.equal(false)
    await drop(page, file('mine.txt', original), file('other.txt', Buffer.from('Another')), file('evidence.zip', alone))
    await said(page, 'warn').getByText('other.txt — none of the documents').waitFor()
    expect(await said(page, 'good').count()).to.equal(0)
    expect(faults()).to.deep.equal([])
  })

  it('does not prove what another registry made under other anchors, and says why', async () => {
    const { page, faults } = await open({ language: 'ru' })
    const others = foreignAuthorities()
    const signed = [others.person().signCms(original, EVIDENCE)]
    const bundled = (by: DevAuthorities, signatures: Buffer[]) =>
      makeBundle(
        [{ title: 'contract.txt', content: original, signed: signatures }],
        [...by.anchors, ...by.intermediates],
      )
    await drop(page, file('foreign.zip', await bundled(others, signed)))
    const foreign = said(page, 'warn')
    await foreign.getByRole('heading', { name: 'Не доказано' }).first().waitFor()
    await foreign.locator('.checks li', { hasText: 'Неверно: сертификат. ' }).waitFor()
    await foreign.getByText('слова того, кто создал этот файл').waitFor()
    // Under the same anchors another registry's is proved; what that registry says is its word alone.
    const own = host.authorities.person().signCms(original, EVIDENCE)
    await drop(page, file('other.zip', await bundled(host.authorities, [own])))
    await said(page, 'good').getByText('слова того, кто создал этот файл').waitFor()
    expect(faults()).to.deep.equal([])
  })

  it('judges bundles, signatures and cards that are dropped together each by itself, and is green only where all are', async () => {
    const { page, faults } = await open({ offline: false })
    const loose = Buffer.from('Signed apart')
    const signature = (content: Buffer) => host.authorities.named('person-2').signCms(content, EVIDENCE)
    const part = (name: string) =>
      page
        .locator('#verdict section.one-of-several')
        .filter({ has: page.getByRole('heading', { name, exact: true }) })
        .locator('.said')
    const mixed = [
      file('alone.zip', alone),
      file('a.txt', loose),
      file('a.p7s', signature(loose)),
      file('mine.txt', original),
    ]
    await drop(page, ...mixed)
    await said(page, 'good').getByText('Everything here is signed and proved.').waitFor()
    await part('alone.zip, mine.txt').getByText('mine.txt: given beside').waitFor()
    await part('a.txt, a.p7s').getByText('The signature is valid.').waitFor()
    await drop(page, ...mixed, file('nobody.txt', Buffer.from('Nobody signed this')))
    await said(page, 'warn').getByText('Not everything here is proved.').waitFor()
    await part('nobody.txt').getByText('None of the signatures here is on this file').waitFor()
    await drop(page, ...mixed.slice(0, 3), file('mine.txt', original), file('b.p7s', signature(original)))
    await said(page, 'good').getByText('Everything here is signed and proved.').waitFor()
    await part('mine.txt, b.p7s').getByText('The signature is valid.').waitFor()
    // Two bundles, the original of one, and a document of neither.
    await drop(page, file('one.zip', alone), file('two.zip', bundle), file('mine.txt', original))
    await said(page, 'good').getByText('Everything here is signed and proved.').waitFor()
    await drop(page, file('one.zip', alone), file('two.zip', bundle), file('nobody.txt', Buffer.from('Nobody')))
    await said(page, 'warn').getByText('Not everything here is proved.').waitFor()
    expect(await page.getByText('nobody.txt — none of the documents').count()).to.equal(2)
    // A registered document that is in no bundle is not made green by one beside it.
    const pdf = Buffer.from('%PDF-1.7 /EmbeddedFile')
    await drop(page, file('two.zip', bundle), file('files.pdf', pdf))
    await part('files.pdf').getByText('None of the signatures here is on this file').waitFor()
    await said(page, 'warn').getByText('Not everything here is proved.').waitFor()
    expect(faults()).to.deep.equal([])
  })

  it('shows what the browser has found out where the registry cannot be asked about the rest', async () => {
    const { page } = await open()
    const content = Buffer.from('Signed apart')
    await drop(page, file('evidence.zip', bundle), file('a.p7s', host.authorities.person().signCms(content, EVIDENCE)))
    await said(page, 'warn').getByText('The registry cannot be reached').waitFor()
    await said(page, 'good').getByText('Proved: every signature').waitFor()
  })

  it('names each kind of problem once, and is not steered by what a bundle says', async () => {
    const { page, faults } = await open()
    const { authorities } = host
    const title = `${'x'.repeat(120)}<img src=x onerror=alert(1)>\u202e.txt`
    const signed = [authorities.person().signCms(original, EVIDENCE)]
    const certificates = [...authorities.anchors, ...authorities.intermediates]
    const lies = {
      origin: `https://${'я'.repeat(300)}`,
      changed: (files: Parameters<ReturnType<typeof replaced>>[0]) =>
        replaced('ocsp/1.ors', Buffer.from('x'))(replaced('README.txt', Buffer.from('y'))(files)),
    }
    await drop(page, file('evidence.zip', await makeBundle([{ title, content: original, signed }], certificates, lies)))
    await said(page, 'bad').getByText('README.txt, ocsp/1.ors').waitFor()
    expect(await said(page, 'bad').getByText('WRONG: a file in it').count()).to.equal(1)
    expect(await page.locator('.outcome img').count()).to.equal(0)
    expect(faults()).to.deep.equal([])
  })

  it('says that a bundle cannot be read: it is gone', async () => {
    const { page } = await open()
    await page.evaluate("Blob.prototype.slice = () => { throw new DOMException('', 'NotReadableError') }")
    await drop(page, file('evidence.zip', bundle))
    await said(page, 'bad').getByText('The file cannot be read').waitFor()
  })

  it('says where revocation lists were left out, and asks again whom the registry trusts where that failed', async () => {
    const { page } = await browser.open(host.url)
    const trust = await (await fetch(`${host.url}/check-trust.json`)).json()
    let asked = 0
    await page.route('**/check-trust.json', (route) => {
      asked += 1
      return asked < 3
        ? route.fulfill({ status: 500 })
        : route.fulfill({ json: { ...Object(trust), withoutCrls: true } })
    })
    await page.goto('/check')
    await until(async () => asked === 1)
    await drop(page, file('evidence.zip', bundle))
    await said(page, 'bad').getByText('The registry cannot be reached').waitFor()
    await drop(page, file('evidence.zip', bundle))
    await said(page, 'good').getByText('The revocation lists of this registry are too large').waitFor()
    expect(asked).to.equal(3)
  })

  it('loads the verifier when the page is at rest, and no sooner', async () => {
    const { page } = await browser.open(host.url)
    const asked: string[] = []
    let isLoaded = false
    page.on('load', () => {
      isLoaded = true
    })
    page.on('request', (request) => {
      if (/evidence-worker|check-trust/.test(request.url())) asked.push(`${isLoaded}`)
    })
    await page.goto('/check')
    await until(async () => asked.length === 2)
    expect(asked).to.deep.equal(['true', 'true'])
  })

  for (const language of ['kk', 'ru', 'en'])
    it(`is accessible and keeps its width in ${language}: proved, wrong, open`, async () => {
      const { page, faults } = await open({ language, width: 360 })
      const wrong = Buffer.from(bundle)
      wrong[readme()] = 0
      for (const [look, bytes] of [
        ['good', bundle],
        ['bad', wrong],
        ['warn', alone],
      ] as const) {
        await drop(page, file(`${'long'.repeat(40)}.zip`, bytes))
        await said(page, look).first().waitFor()
        expect(await violations(page), look).to.deep.equal([])
        expect(await page.evaluate('document.documentElement.scrollWidth'), look).to.be.at.most(360)
      }
      expect(faults()).to.deep.equal([])
    })
})
