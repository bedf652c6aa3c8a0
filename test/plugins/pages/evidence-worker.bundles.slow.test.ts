import { createHash } from 'node:crypto'
import {
  type EvidenceOptions,
  readTrust,
  reportHtml,
  reportJson,
  reportOf,
  verifyEvidence,
} from '@signed-registry/verifier'
import { expect } from 'chai'
import { sourceOf } from '#verifier/byte-source.js'
import { verifierInBrowsers } from '../../support/as-in-browsers.js'
import { describeInBrowser } from '../../support/browser.js'
import { type Bundled, type Lies, makeBundle, replaced, statementKey } from '../../support/evidence/bundle.js'
import { type BundledFile, builtBytes, bundleOf, SHA_256 } from '../../support/evidence-bundle.js'
import type { TestHost } from '../../support/host.js'
import { startPagesHost } from '../../support/pages-host.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'

const EVIDENCE = { timeStamp: true, ocsp: true }
const TEXT = Buffer.from('I owe you 100 tenge\n')
const OTHER = Buffer.from('I owe you 900 tenge\n')

/** Asks one worker all questions, one after the other; runs in the browser. */
const ASK = `async ({ address, anchors, questions }) => {
  const fileOf = ({ name, base64 }) => new File([Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))], name)
  const worker = new Worker(address)
  const answers = []
  for (const { bundle, beside, ...more } of questions)
    answers.push(await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data)
      worker.onerror = ({ message }) => reject(new Error(message))
      worker.postMessage({ file: fileOf(bundle), beside: beside.map(fileOf), trust: anchors, language: 'kk', ...more })
    }))
  return answers
}`

/** A bundle to judge. */
interface Case {
  readonly about: string
  readonly bundle: Buffer
  readonly due: 'proved' | 'unknown' | 'wrong'
  readonly beside?: readonly { readonly name: string; readonly content: Buffer }[]
  readonly key?: string
}

describeInBrowser('evidence bundles in a worker of the pages', (browser) => {
  const authorities = testAuthorities()
  const certificates = [...authorities.anchors, ...authorities.intermediates]
  const signer = authorities.person()
  const contract: Bundled = { title: 'a.txt', content: TEXT, signed: [signer.signCms(TEXT, EVIDENCE)] }
  const built = (...files: BundledFile[]) => builtBytes(bundleOf(authorities, files))
  const made = (lies: Lies = {}, ...documents: Bundled[]) =>
    makeBundle(documents.length > 0 ? documents : [contract], certificates, lies)
  let host: TestHost
  before(async () => {
    host = await startPagesHost()
  })
  after(() => host.close())

  async function cases(): Promise<Case[]> {
    const person = (algorithm: 'rsa2048' | 'p256' | 'gost512' | 'ed448') => authorities.person({ algorithm })
    const content = TEXT
    const honest = await built({ content, signers: [person('rsa2048'), person('gost512')] })
    const alone = await built({ content, signers: [person('gost512')], withoutOriginal: true })
    const files = [
      { content, signers: [signer], documentId: 'A'.repeat(16) },
      { content: OTHER, signers: [signer], documentId: 'B'.repeat(16), title: 'b.txt', withoutOriginal: true },
    ]
    const package_ = await built(...files)
    const changed = (at: number) => {
      const bytes = Buffer.from(honest)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      return bytes
    }
    const text = { name: 'mine.txt', content: TEXT }
    const other = { name: 'other.txt', content: OTHER }
    const attached = signer.signCms(OTHER, { ...EVIDENCE, detached: false })
    const withFile = (name: string, bytes: Buffer) => made({ changed: replaced(name, bytes) })
    return [
      { about: 'RSA and GOST', bundle: honest, due: 'proved' },
      { about: 'ECDSA', bundle: await built({ content, signers: [person('p256')] }), due: 'proved' },
      {
        about: 'a hash that is not stated',
        bundle: await built({ content, signers: [person('ed448')] }),
        due: 'proved',
      },
      {
        about: 'XML',
        bundle: await built({ content: '<a b="1"></a>', signers: [{ by: signer, as: 'xml' }] }),
        due: 'proved',
      },
      { about: 'by a CRL', bundle: await built({ content, signers: [{ by: signer, as: 'crl' }] }), due: 'proved' },
      { about: 'with its key', bundle: honest, due: 'proved', key: statementKey },
      { about: 'without its original', bundle: alone, due: 'unknown' },
      { about: 'with its original beside', bundle: alone, due: 'proved', beside: [text] },
      { about: 'with another beside', bundle: alone, due: 'unknown', beside: [other] },
      { about: 'with a stranger beside', bundle: honest, due: 'unknown', beside: [other] },
      { about: 'a package with a document missing', bundle: package_, due: 'unknown' },
      { about: 'a package with all documents', bundle: package_, due: 'proved', beside: [other] },
      { about: 'a changed original', bundle: changed(honest.lastIndexOf(TEXT) + 3), due: 'wrong' },
      { about: 'a changed evidence.json', bundle: changed(honest.indexOf('Described')), due: 'wrong' },
      { about: 'a changed directory', bundle: changed(honest.length - 3), due: 'wrong' },
      { about: 'its first half', bundle: honest.subarray(0, honest.length >> 1), due: 'wrong' },
      { about: 'something behind it', bundle: Buffer.concat([honest, Buffer.alloc(1)]), due: 'wrong' },
      { about: 'another certificate status', bundle: await withFile('ocsp/1.ors', Buffer.from('x')), due: 'wrong' },
      { about: 'another time stamp', bundle: await withFile('tst/1.tst', Buffer.from('x')), due: 'wrong' },
      {
        about: 'the signature of another document',
        bundle: await made({}, { ...contract, signed: [attached] }),
        due: 'wrong',
      },
      { about: 'without a note', bundle: await made({ note: 'none' }), due: 'unknown' },
      { about: 'the note of another', bundle: await made({ note: 'another' }), due: 'wrong' },
      { about: 'a later version', bundle: await made({ version: '2.0' }), due: 'unknown' },
      {
        about: 'a name that leads out',
        bundle: await made({ changed: (all) => [...all, { name: '../x', content: TEXT, streamed: false }] }),
        due: 'wrong',
      },
    ]
  }

  it('come to what they come to in Node, and to the same reports, whatever they are', async () => {
    const all = await cases()
    const there = await verifierInBrowsers()
    const { page, problems } = await browser.open(host.url)
    await page.goto('/check')
    const [folder = ''] = /\/assets\/[0-9a-f]+\//.exec(await page.content()) ?? []
    const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
    const asked = {
      address: `${folder}evidence-worker.js`,
      anchors: certificates.map((der, at) => ({ name: `${at}.cer`, certificate: base64(der) })),
      questions: all.map(({ bundle, beside = [], key }) => ({
        bundle: { name: 'evidence.zip', base64: base64(bundle) },
        beside: beside.map(({ name, content }) => ({ name, base64: base64(content) })),
        at: NOW,
        ...(key && { key }),
      })),
    }
    const answers = await page.evaluate(`(${ASK})(${JSON.stringify(asked)})`)
    const trusted = certificates.map((bytes, at) => ({ name: `${at}`, bytes }))
    all.forEach(({ about, bundle, due, beside = [], key }, place) => {
      const options = (trust: EvidenceOptions['trust']): EvidenceOptions => ({
        ...{ trust, at: NOW, key },
        documents: beside.map(({ name, content }) => ({ name, document: sourceOf(content) })),
      })
      const here = verifyEvidence(bundle, options(readTrust(trusted)))
      expect(here.outcome, about).to.equal(due)
      const json = there.reportJson(there.reportOf(there.verifyEvidence(bundle, options(there.readTrust(trusted)))))
      expect(json, about).to.equal(reportJson(reportOf(here)))
      const oids = new Set([
        SHA_256,
        ...(here.evidence.said?.documents ?? []).flatMap((one) => Object.keys(one.digests)),
      ])
      const digests = (bytes: Buffer, wanted: ReadonlySet<string>) =>
        new Map(
          there.digestAlgorithms.filter(({ oid }) => wanted.has(oid)).map(({ oid }) => [oid, there.digest(oid, bytes)]),
        )
      const files = [
        {
          name: 'evidence.zip',
          size: bundle.length,
          digests: new Map([[SHA_256, createHash('sha256').update(bundle).digest()]]),
        },
        ...beside.map(({ name, content }) => ({ name, size: content.length, digests: digests(content, oids) })),
      ]
      expect(answers, about).to.have.nested.property(`[${place}].verdict.outcome`, due)
      const report = reportHtml(reportOf(here, { language: 'kk', files }))
      expect(answers, about).to.have.nested.property(`[${place}].verdict.report`, report)
    })
    expect(problems).to.deep.equal([])
  })
})
