import { Worker } from 'node:worker_threads'
import type { Registry } from '@signed-registry/core'

import { FindExportedSignature, RegisterDocument } from '@signed-registry/core/documents'
import { expect } from 'chai'
import { anonymous } from '#core/identity/index.js'
import { JobThread } from '#core/signatures/job-thread.js'
import { JudgeSignature } from '#core/signatures/judge-signature.js'
import { judgeSignature } from '#core/signatures/judgement.js'
import { readSignature } from '#core/signatures/read-signature.js'
import { defaultSignaturePolicy } from '#core/signatures/signature-policy.js'
import { SignatureVerifier } from '#core/signatures/signature-verifier.js'
import { makeCms, newSigner, pssWithSha256, signPss } from '../../support/cms-recipe.js'
import { openSqlite } from '../../support/databases.js'
import { der, oidDer } from '../../support/der.js'
import { testAuthorities, testClock } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'
import { refusalOf, rejectionOf } from '../../support/refusal.js'
import { testRegistry } from '../../support/registry.js'

const DOCUMENT = Buffer.alloc(300_000, 'a contract of many pages')
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Whether something is done without the event loop: by promises alone. */
async function isDoneHere(work: Promise<unknown>): Promise<boolean> {
  let isDone = false
  const done = () => {
    isDone = true
  }
  work.then(done, done)
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve()
  return isDone
}

describe('reading a signature', () => {
  const clock = testClock()
  const authorities = testAuthorities({ clock })
  const signer = authorities.person({ algorithm: 'gost512' })
  const sign = (data: Buffer): string =>
    signer.signCms(data, { detached: false, timeStamp: true, ocsp: true }).toString('base64')
  const small = sign(Buffer.from('a contract'))
  const large = sign(DOCUMENT)
  const options = { algorithms: defaultSignaturePolicy.algorithms, at: clock.now() }

  let registry: Registry
  let reader: SignatureVerifier
  before(async () => {
    registry = (await testRegistry(await openSqlite(), { authorities, clock })).registry
    reader = registry.get(SignatureVerifier)
  })
  after(() => registry.close())

  it('that is large does not block the event loop, and gives the same result', async () => {
    const reading = reader.read({ signature: large })
    expect(await isDoneHere(reading)).to.equal(false)
    const { signer: certificate, certificates, scheme, ...read } = await reading
    const {
      signer: sameCertificate,
      certificates: same,
      scheme: sameScheme,
      ...here
    } = readSignature({ signature: large }, options)
    expect(certificate.fingerprint).to.equal(sameCertificate.fingerprint)
    expect(certificates.map(({ fingerprint }) => fingerprint)).to.deep.equal(same.map(({ fingerprint }) => fingerprint))
    expect(scheme).to.deep.equal(sameScheme)
    // Buffers become plain arrays of octets on the way.
    expect(read).to.deep.equal(structuredClone(here))
    expect(Buffer.from(read.content ?? []).equals(DOCUMENT)).to.equal(true)
  })

  it('of RSASSA-PSS keeps its parameters', async () => {
    const pss = newSigner()
    const sign = signPss(pss.privateKey, 'sha256', 32)
    const recipe = { signer: pss, sign, content: DOCUMENT, attached: true, signatureAlgorithm: pssWithSha256 }
    const signature = makeCms(recipe)
    const { scheme } = await reader.read({ signature })
    expect(scheme).to.deep.equal(readSignature({ signature }, options).scheme)
    expect(scheme.pss?.saltLength).to.equal(32)
  })

  it('that is small happens in the main thread', async () => {
    expect(await isDoneHere(reader.read({ signature: small }))).to.equal(true)
  })

  const spoilt = signer.signCms(DOCUMENT, { detached: false })
  spoilt[spoilt.indexOf('contract')] = 0
  const bomb = der(0x30, oidDer('1.2.840.113549.1.7.2'), der(0xa0, der(0x30, Buffer.alloc(200_000, '3000', 'hex'))))
  for (const [what, source] of Object.entries({
    'over other data than it carries': { signature: spoilt },
    'that is not base64': { signature: `${large}!` },
    'of line breaks': { signature: `-----BEGIN CMS-----${'A\n'.repeat(100_000)}-----END CMS-----` },
    'of DER without end': { signature: bomb },
    'in XML that is none': { signType: 'xml', signature: `<a>${'<b/>'.repeat(30_000)}` } as const,
  }))
    it(`${what} is refused as anywhere, without holding the event loop`, async () => {
      const reading = reader.read(source)
      expect(await isDoneHere(reading)).to.equal(false)
      const { code, kind, message, details } = await rejectionOf(reading)
      const here = refusalOf(() => readSignature(source, options))
      expect({ code, kind, message, details }).to.deep.equal({
        code: here.code,
        kind: here.kind,
        message: here.message,
        details: here.details,
      })
    })

  it('that is large is refused temporarily when too many wait or the thread ends; the next one has a new thread', async () => {
    const workers = new Set<Worker>()
    const { postMessage } = Worker.prototype
    Worker.prototype.postMessage = function (this: Worker, ...message: Parameters<Worker['postMessage']>) {
      workers.add(this)
      postMessage.apply(this, message)
    }
    try {
      const waiting = Array.from({ length: 16 }, () => attempted(() => reader.read({ signature: large })))
      const tooMany = await rejectionOf(reader.read({ signature: large }))
      expect(tooMany).to.include({ code: 'largeSignatureNotRead', kind: 'unavailable' })
      for (const worker of workers) await worker.terminate()
      // The first may have been read before the thread ended.
      const unread = (await Promise.all(waiting)).filter((one) => typeof one === 'string')
      expect(unread).to.deep.equal(unread.map(() => 'largeSignatureNotRead'))
      expect((await reader.read({ signature: large })).content?.length).to.equal(DOCUMENT.length)
      expect(workers.size).to.equal(2)
    } finally {
      Worker.prototype.postMessage = postMessage
    }
  })

  it('by a silent thread is ended, and nothing waits for it', async () => {
    const errors: string[] = []
    const stuck = new JobThread<never, string, string>({
      does: 'never answers',
      module: new URL(`data:text/javascript,${encodeURIComponent('for (;;);')}`),
      workerData: undefined,
      silenceMs: 1,
      logger: { ...silent, error: (message) => errors.push(message) },
    })
    expect(await stuck.ask('anything')).to.equal(undefined)
    expect(errors).to.deep.equal(['The thread that never answers says nothing and is ended'])
  })

  it('to verify it does not block the event loop, and gives the same verdict', async () => {
    const xml = authorities.person().signXml(`<a>${'<b/>'.repeat(20_000)}</a>`).document
    const context = { policy: defaultSignaturePolicy, trust: trustOf(authorities), now: clock.now() }
    for (const signed of [large, spoilt, xml, xml.slice(1)]) {
      const input = { name: 'signature', signed, documents: [] }
      const judging = registry.get(JudgeSignature).judge(input)
      expect(await isDoneHere(judging)).to.equal(false)
      const here = await attempted(async () => judgeSignature(input, context))
      expect(await attempted(() => judging)).to.deep.equal(here)
    }
  })

  describe('by operations', () => {
    const register = (signature: string) =>
      registry.get(RegisterDocument).execute(anonymous, { request: { signature } })

    it('registers one with its data inside, and finds it again', async () => {
      const { documentId, signId, data } = await register(large)
      expect(Buffer.from(data ?? '', 'base64').equals(DOCUMENT)).to.equal(true)
      const request = { signature: large }
      const found = await registry.get(FindExportedSignature).execute(anonymous, { request })
      expect(found).to.deep.equal({ documentId, signId })
    })

    it('refuses one over data other than its content', async () => {
      expect(await rejectionOf(register(spoilt.toString('base64')))).to.include({ code: 'invalidSignature' })
    })
  })
})

/** What is answered, or the code of the refusal. */
const attempted = (work: () => Promise<unknown>): Promise<unknown> => work().catch((error) => error.code)
