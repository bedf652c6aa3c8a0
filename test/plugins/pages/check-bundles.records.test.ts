import { expect } from 'chai'
import { describeInBrowser } from '../../support/browser.js'
import { withRecords } from '../../support/evidence/with-records.js'
import { builtBytes, bundleOf } from '../../support/evidence-bundle.js'
import type { TestHost } from '../../support/host.js'
import { startPagesHost } from '../../support/pages-host.js'
import { FEW_VIEWS, nameOf } from '../../support/people/view.js'
import { Visitor } from '../../support/people/visitor.js'

const WORDS = {
  en: ['Evidence records (RFC 4998)', 'Existed at the latest', 'Proved until, if it is not renewed'],
  ru: ['Записи доказательств (RFC 4998)', 'Доказано до, если запись не обновить'],
  kk: ['Дәлелдеме жазбалары (RFC 4998)', 'Жаңартылмаса, мынаған дейін дәлелденген'],
}

describeInBrowser('/check of evidence records in bundles', (browser) => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost()
  })
  after(() => host.close())

  it('says since when and until when they prove a signature', async () => {
    const signed = { content: 'A contract', signers: [host.authorities.person()], storedAt: Date.now() }
    const plain = bundleOf(host.authorities, [signed])
    const buffer = await builtBytes(withRecords(plain, host.authorities, { at: Date.now() }))
    for (const view of FEW_VIEWS) {
      const visitor = await Visitor.open(browser, host.url, { journey: 'check-records', view })
      await visitor.go('/check')
      await visitor.page.setInputFiles('#file', { name: 'evidence.zip', mimeType: 'application/zip', buffer })
      const said = visitor.main.locator('#verdict .said.good')
      await said.first().waitFor()
      await visitor.sees('bundle')
      const text = await said.first().innerText()
      for (const words of WORDS[view.language]) expect(text, nameOf(view)).to.include(words)
      expect(text, nameOf(view)).to.match(/SHA-512: /)
    }
  })
})
