import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Database } from '@signed-registry/core'
import { verifyLogProof } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { LogWorker } from '#core/log/log-worker.js'
import { verifierKey } from '#verifier/notes/verifier-key.js'
import { violations } from '../../support/axe.js'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { FakeWitness, policyOf } from '../../support/log/fake-witness.js'
import { keptLog } from '../../support/log/kept-log.js'
import { privateKeyOf } from '../../support/log/note-keys.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { registered, startPagesHost } from '../../support/pages-host.js'
import { RecordingLogger } from '../../support/recording-logger.js'

const ORIGIN = 'registry.example/log'
const KEY = privateKeyOf(1)
const VERIFIER_KEY = verifierKey(ORIGIN, createPublicKey(KEY))
const key = KEY.export({ type: 'pkcs8', format: 'pem' }).toString()
/** What browsers send when they follow a link. */
const OF_LINKS = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

const pageOf = async ({ url }: TestHost, id: string, language = 'en') => {
  const response = await fetch(`${url}/d/${id}`, { headers: { 'accept-language': language } })
  expect(response.status).to.equal(200)
  return response.text()
}
const integrate = ({ registry }: TestHost) => registry.get(LogWorker).run()
const query = ({ registry }: TestHost, table: string) => registry.get(Database).query(table)

describe('the page of a document whose signatures are logged', () => {
  let host: TestHost
  let witness: FakeWitness
  before(async () => {
    witness = await FakeWitness.start(11, VERIFIER_KEY)
    host = await startPagesHost({ log: { key, origin: ORIGIN, witnesses: policyOf(witness) } })
  })
  after(async () => {
    await host.close()
    await witness.close()
  })

  it('says since when by the time stamp, with the number of the entry and the witnesses, in each language', async () => {
    const id = await registered(host)
    await integrate(host)
    const said = {
      en: 'In the transparency log since',
      ru: 'В журнале прозрачности с',
      kk: 'Ашықтық журналына енгізілген',
    }
    for (const [language, words] of Object.entries(said)) {
      const html = await pageOf(host, id, language)
      const [, value = ''] = new RegExp(`<dt>${words}</dt><dd>(.*?)</dd>`).exec(html) ?? []
      expect(value, language).to.match(/^<time datetime="\d{4}-\d\d-\d\dT/)
      expect(value, language).to.include('<bdi>w11</bdi>').and.not.include('muted')
      expect(html, language).to.include(VERIFIER_KEY)
      expect(html, language).to.include(`${host.url}/log/`)
    }
    expect(await pageOf(host, id)).to.match(/<\/time>, entry \d+, witnessed by /)
  })

  it('gives the proof as a file, which verifies with the key of the log alone', async () => {
    const id = await registered(host)
    await integrate(host)
    const [, path = '', signId] = /href="(\/api\/\w+\/signature\/(\d+)\/inclusion)"/.exec(await pageOf(host, id)) ?? []
    const answer = await fetch(host.url + path, { headers: { accept: OF_LINKS } })
    expect(answer.headers.get('content-disposition')).to.include(`attachment; filename="${signId}.tlog-proof"`)
    expect(answer.headers.get('vary')).to.include('accept')
    const verdict = verifyLogProof(await answer.text(), { logKeys: [VERIFIER_KEY] })
    expect([verdict.kind, verdict.fields.get('signId')]).to.deep.equal(['signature', signId])
    const both = await fetch(host.url + path, { headers: { accept: 'application/json, text/plain, */*' } })
    expect(both.headers.get('content-type')).to.match(/^application\/json/)
  })

  it('says that a signature is not in the log yet, or not at all', async () => {
    const id = await registered(host)
    const waiting = await pageOf(host, id)
    expect(waiting).to.include('not in the log yet').and.not.include('/inclusion"')
    await query(host, 'registry_log_pending').delete()
    const never = await pageOf(host, id)
    expect(never).to.include('only if it was registered while the registry kept no log').and.not.include('/inclusion"')
  })

  it('raises an alarm, and calls nothing valid, where a signature is not what was logged', async () => {
    const id = await registered(host)
    await integrate(host)
    await query(host, 'registry_signatures').where({ document_id: id }).increment('stored_at', 1)
    for (const [language, words, valid] of [
      ['en', 'This is not what was logged', 'The signature is valid'],
      ['ru', 'Это не то, что внесено в журнал', 'Подпись действительна'],
      ['kk', 'Бұл журналға енгізілген дерек емес', 'Қолтаңба жарамды'],
    ] as const) {
      const html = await pageOf(host, id, language)
      expect(html).to.include(`<div class="said bad"><h3>${words}</h3>`).and.include('chip bad')
      expect(html).to.not.include(valid).and.not.include('chip good').and.not.include('/inclusion"')
    }
  })
})

describe('the page of a document', () => {
  const closing: TestHost[] = []
  afterEach(() => Promise.all(closing.splice(0).map((host) => host.close())))
  const start = async (options: Parameters<typeof startPagesHost>[0]) => {
    const host = await startPagesHost(options)
    closing.push(host)
    return host
  }

  it('says that the time is the word of the registry while no time stamp confirms it', async () => {
    const host = await start(keptLog)
    const id = await registered(host)
    await integrate(host)
    await query(host, 'registry_log_checkpoints').update({ stamp: null, stamped_at: null })
    expect(await pageOf(host, id)).to.match(/entry \d+ <span class="muted">\(the registry says when/)
  })

  it('says nothing of a log where the registry keeps none', async () => {
    const host = await start({ log: 'off' })
    const html = await pageOf(host, await registered(host))
    expect(html).to.not.include('ransparency log').and.not.include('/inclusion"')
  })

  it('is shown while the log cannot be read, and says so', async () => {
    const host = await start(keptLog)
    const id = await registered(host)
    await integrate(host)
    // The host remembers tiles of the newest tree alone.
    await registered(host)
    await integrate(host)
    await query(host, 'registry_log_tiles').delete()
    expect(await pageOf(host, id))
      .to.include('the log cannot be read now')
      .and.include('The signature is valid')
  })

  it('is shown while reading the log fails, which operators are told', async () => {
    const logger = new RecordingLogger()
    const host = await start({ ...keptLog, logger })
    const id = await registered(host)
    await integrate(host)
    await host.registry.get(Database).query.schema.dropTable('registry_log_entries')
    expect(await pageOf(host, id))
      .to.include('the log cannot be read now')
      .and.include('The signature is valid')
    expect(logger.about(/cannot read the transparency log/)).to.have.lengthOf(1)
  })
})

describeInBrowser('what the page of a document says of the transparency log', (browser) => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost(keptLog)
  })
  after(() => host.close())

  it('is read on phones, in light and dark, and the proof is saved by who may see the document', async () => {
    const id = await registered(host, { settings: { private: true } })
    await integrate(host)
    const cookies = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    for (const options of [{}, { width: 360, dark: true, javaScript: false, language: 'kk' }]) {
      const { page, problems } = await browser.open(host.url, { cookies, ...options })
      await page.goto(`/d/${id}`)
      await page.locator('.signature details').last().locator('summary').click()
      await page.locator('.signature details[open] dd code').first().waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0)
      if (options.javaScript !== false) expect(await violations(page)).to.deep.equal([])
      const saved = page.waitForEvent('download')
      await page.locator('a[href$="/inclusion"]').click()
      const file = await saved
      expect(file.suggestedFilename()).to.match(/^\d+\.tlog-proof$/)
      expect(verifyLogProof(readFileSync(await file.path(), 'utf8')).kind).to.equal('signature')
      expect(problems).to.deep.equal([])
    }
    expect((await fetch(`${host.url}/d/${id}`)).status).to.equal(401)
  })

  it('is an alarm where a signature is not what was logged', async () => {
    const id = await registered(host)
    await integrate(host)
    await query(host, 'registry_signatures').where({ document_id: id }).increment('stored_at', 1)
    const { page } = await browser.open(host.url, { width: 360 })
    await page.goto(`/d/${id}`)
    await page.getByRole('heading', { name: 'This is not what was logged' }).waitFor()
    expect(await violations(page)).to.deep.equal([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0)
  })
})
