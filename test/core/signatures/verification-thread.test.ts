import { mock } from 'node:test'
import { Worker } from 'node:worker_threads'
import type { Registry } from '@signed-registry/core'

import { GetDocument, RegisterDocument } from '@signed-registry/core/documents'
import { expect } from 'chai'
import { anonymous } from '#core/identity/index.js'
import { defaultSignaturePolicy } from '#core/signatures/signature-policy.js'
import type { SignatureInput } from '#core/signatures/signature-verifier.js'
import { VerificationThread } from '#core/signatures/verification-thread.js'
import type { Trust } from '#verifier/path/trust.js'
import { openSqlite } from '../../support/databases.js'
import { testAuthorities, testClock } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'
import { rejectionOf } from '../../support/refusal.js'
import { testRegistry } from '../../support/registry.js'

const IIN = 'IIN123456789011'
const nobody: Trust = { anchors: [], intermediates: [] }
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

describe('the thread that verifies signatures', () => {
  const clock = testClock()
  const authorities = testAuthorities({ clock })
  const signer = authorities.person({ iin: IIN.slice(3) })
  const signature = (text: string, carried = true): SignatureInput => ({
    signature: signer.signCms(Buffer.from(text), { timeStamp: carried, ocsp: carried }).toString('base64'),
  })

  let trust = trustOf(authorities)
  let thread: VerificationThread
  const threadThat = (signaturesVerifiedHere: number) =>
    new VerificationThread({
      trustStore: { trust: () => trust, state: () => ({ loadedAt: 0, anchors: 1 }) },
      policy: defaultSignaturePolicy,
      clock,
      limits: { signaturesVerifiedHere },
      logger: silent,
    })
  beforeEach(() => {
    trust = trustOf(authorities)
    thread = threadThat(0)
  })
  afterEach(() => thread.close())

  it('confirms a valid signature with its evidence', async () => {
    const verified = await thread.verify(signature('good'))
    expect(verified?.facts.userId).to.equal(IIN)
  })

  it('confirms no signature without evidence, with a wrong value, or malformed', async () => {
    const [whole] = [signature('spoilt').signature]
    const spoilt = `${whole.slice(0, 400)}${whole[400] === 'A' ? 'B' : 'A'}${whole.slice(401)}`
    for (const input of [signature('bare', false), { signature: spoilt }, { signature: 'AAAA' }]) {
      expect(await thread.verify(input)).to.equal(undefined)
    }
  })

  it('verifies each of many concurrent ones', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `of many ${index}`)
    const inputs = texts.map((text, index) => signature(text, index % 7 !== 3))
    const answers = await Promise.all(inputs.map((input) => thread.verify(input)))
    const alone = inputs.map((input) => thread.verify(input))
    for (const [index, answer] of answers.entries()) {
      expect(answer === undefined).to.equal(index % 7 === 3)
      expect(answer?.fingerprint).to.deep.equal((await alone[index])?.fingerprint)
    }
    expect(new Set(answers.map((answer) => String(answer?.fingerprint))).size).to.equal(18)
  })

  it('follows changes of the registry’s trust set at once', async () => {
    expect(await thread.verify(signature('before'))).not.to.equal(undefined)
    trust = nobody
    expect(await thread.verify(signature('while nobody is trusted'))).to.equal(undefined)
    trust = trustOf(authorities)
    expect(await thread.verify(signature('after'))).not.to.equal(undefined)
  })

  it('does not run while few signatures are under way, however many come', async () => {
    await thread.close()
    thread = threadThat(2)
    let now = performance.now()
    const time = mock.method(performance, 'now', () => now)
    const askTogether = (...texts: string[]) => Promise.all(texts.map((text) => thread.verify(signature(text))))
    for (let n = 0; n < 100; n += 1) expect(await askTogether(`one of ${n}`)).to.deep.equal([undefined])
    expect(await askTogether('a', 'b')).to.deep.equal([undefined, undefined])
    expect(await askTogether('c', 'd', 'e')).not.to.include(undefined)
    now += 500
    expect(await askTogether('f')).not.to.include(undefined)
    now += 1000
    expect(await askTogether('g', 'h')).to.deep.equal([undefined, undefined])
    time.mock.restore()
  })

  it('loses nothing when it ends: callers verify what waits', async () => {
    const workers: Worker[] = []
    const { postMessage } = Worker.prototype
    Worker.prototype.postMessage = function (this: Worker, ...message: Parameters<Worker['postMessage']>) {
      workers.push(this)
      postMessage.apply(this, message)
    }
    try {
      const waiting = thread.verify(signature('lost'))
      while (workers.length === 0) await new Promise(setImmediate)
      await workers[0]?.terminate()
      expect(await waiting).to.equal(undefined)
      expect(await thread.verify(signature('the next'))).to.equal(undefined)
    } finally {
      Worker.prototype.postMessage = postMessage
    }
  })

  describe('under a registry', () => {
    let registry: Registry
    before(async () => {
      const limits = { signaturesVerifiedHere: 0 }
      registry = (await testRegistry(await openSqlite(), { authorities, clock, limits })).registry
    })
    after(() => registry.close())
    const register = (request: SignatureInput) => registry.get(RegisterDocument).execute(anonymous, { request })

    it('changes nothing in storage and answers', async () => {
      const { documentId: id, signId } = await register(signature('by the thread'))
      const { signatures } = await registry.get(GetDocument).execute(anonymous, { id })
      expect(signatures[0]).to.include({ signId, userId: IIN, signType: 'cms' })
      expect(signatures[0]?.tsp).to.include({ timeStamp: clock.now() })
    })

    it('changes no reason for a refusal', async () => {
      const forLogin = authorities.authenticationCertificate(signer)
      const cms = forLogin.signCms(Buffer.from('a'), { timeStamp: true, ocsp: true }).toString('base64')
      expect(await rejectionOf(register({ signature: cms }))).to.include({ code: 'badSignerCertificate' })
    })
  })
})
