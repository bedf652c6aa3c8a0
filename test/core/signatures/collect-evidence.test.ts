import { expect } from 'chai'
import { CollectEvidence } from '#core/signatures/collect-evidence.js'
import { AuthorityUnavailable, type Call, type StatusSource, type TimestampSource } from '#core/signatures/ports.js'
import { defaultSignaturePolicy } from '#core/signatures/signature-policy.js'
import { certId, ocspRefusal } from '#dev-authorities/authority/ocsp.js'
import { timeStampRefusal } from '#dev-authorities/authority/time-stamping.js'
import { OnlineStatusSource, OnlineTimestampSource } from '#online-authorities/online-sources.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { verifySignature } from '#verifier/verify-signature.js'
import { AuthorityServer, answerWith } from '../../support/authority-server.js'
import { DAY, MINUTE, NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { ocspResponder } from '../../support/pki/ocsp-answers.js'
import { timeStamper } from '../../support/pki/tokens.js'
import { trustOf } from '../../support/pki/trust.js'
import { refusalOf, rejectionOf } from '../../support/refusal.js'

const DOCUMENT = Buffer.from('a document')
const TSP_URL = 'http://user:secret@tsp.example/stamp?key=secret'
const OCSP_URL = 'http://ocsp.example/'

describe('evidence', () => {
  const clock = testClock()
  const authorities = testAuthorities({ clock })
  const trust = trustOf(authorities)
  const trustStore = { trust: () => trust, state: () => ({ loadedAt: NOW, anchors: 1 }) }
  const person = authorities.person()
  const impostorTsa = timeStamper(authorities, { extensions: [] })
  const stranger = authorities.person({ issuer: 'rsa' })
  let calls: Call[] = []

  beforeEach(() => {
    calls = []
    clock.time = NOW
  })

  const honest = {
    timestamp: async (request: Uint8Array): Promise<Uint8Array> => authorities.tsa.respond(request),
    status: async (_url: string, request: Uint8Array): Promise<Uint8Array> => authorities.ocsp.respond(request),
  }
  const collector = (changes: Partial<TimestampSource & StatusSource> = {}) => {
    const { timestamp, status, ...rest } = { ...honest, ...changes }
    const timestamps: TimestampSource = { url: TSP_URL, timestamp, ...rest }
    const statuses: StatusSource = { urlFor: () => OCSP_URL, status, ...rest }
    const statistics = { record: (call: Call) => void calls.push(call) }
    return new CollectEvidence({
      trustStore,
      timestamps,
      statuses,
      statistics,
      clock,
      policy: defaultSignaturePolicy,
      keys: [],
    })
  }
  const sign = (options = {}) => readCms(person.signCms(DOCUMENT, options))
  const outcome = async (attempt: Promise<unknown>) => {
    const { code, details, kind, cause } = await rejectionOf(attempt)
    // The caller is not told where authorities are; the log is.
    expect(JSON.stringify(details ?? {})).to.not.include('://')
    return { code, kind, reason: details?.reason, url: askedIn(cause) }
  }
  const askedIn = (cause: unknown): string | undefined =>
    cause instanceof Error ? (/^asked (.*)$/.exec(cause.message)?.[1] ?? askedIn(cause.cause)) : undefined
  const tspProblem = (reason: string) => ({
    code: 'tspServerProblem',
    kind: 'unavailable',
    reason,
    url: 'http://tsp.example/stamp',
  })
  const ocspProblem = (reason: string) => ({ code: 'ocspServerProblem', kind: 'unavailable', reason, url: OCSP_URL })
  const tspCall = (ok: boolean) => ({ protocol: 'tsp', url: 'http://tsp.example/stamp', ok })
  const ocspCall = (ok: boolean) => ({ protocol: 'ocsp', url: OCSP_URL, ok })

  it('is collected when the signature carries none: a time stamp first, then the status', async () => {
    const signature = sign()
    const { timeStamp, path, status } = await collector().collect(signature)
    expect(timeStamp.genTime).to.equal(NOW)
    expect(path.certificates).to.have.length(3)
    expect(status?.thisUpdate).to.equal(NOW)
    expect(calls).to.deep.equal([tspCall(true), ocspCall(true)])
  })

  it('is verified again from storage, without network, years later', async () => {
    const signature = sign()
    const { timeStamp, status } = await collector().collect(signature)
    const kept = { timeStamp: timeStamp.token, ocsp: status?.response }
    const later = { trust, now: NOW + 10 * 365 * DAY }
    expect(verifySignature(signature, kept, later).timeStamp.genTime).to.equal(NOW)
    const other = readCms(stranger.signCms(DOCUMENT))
    expect(refusalOf(() => verifySignature(other, kept, later)).code).to.equal('invalidTspTimeStamp')
    const stamped = { ...kept, timeStamp: authorities.tsa.stamp(other.signatureValue) }
    expect(refusalOf(() => verifySignature(other, stamped, later)).code).to.equal('invalidOcspData')
  })

  it('is not collected when the signature carries it', async () => {
    const proof = await collector().collect(sign({ timeStamp: true, ocsp: true }))
    expect(proof.status?.thisUpdate).to.equal(NOW)
    expect(calls).to.deep.equal([])
  })

  it('is completed when the signature carries only a time stamp, or only a status', async () => {
    await collector().collect(sign({ timeStamp: true }))
    await collector().collect(sign({ ocsp: true }))
    expect(calls).to.deep.equal([ocspCall(true), tspCall(true)])
  })

  it('asks for the digest and policy of the source', async () => {
    const digestOid = '2.16.840.1.101.3.4.2.3'
    const { timeStamp } = await collector({ digestOid, policy: '1.2.398.3.3.2.6.4' }).collect(sign())
    expect(timeStamp.info.imprint.digestOid).to.equal(digestOid)
  })

  it('is not asked for when the signer would be refused anyway', async () => {
    const expired = authorities.person({ validUntil: NOW - DAY, validFrom: NOW - 2 * DAY })
    const refused = await outcome(collector().collect(readCms(expired.signCms(DOCUMENT))))
    expect(refused).to.include({ code: 'signerCertificateNotValidNow', reason: 'expired' })
    expect(calls).to.deep.equal([])
  })

  it('refuses a revoked certificate, and counts the call as successful', async () => {
    const revoked = authorities.person()
    authorities.revoke(revoked, NOW - DAY)
    const refused = await outcome(collector().collect(readCms(revoked.signCms(DOCUMENT))))
    expect(refused).to.include({ code: 'invalidCertificateStatus', kind: 'unacceptable', reason: 'revoked' })
    expect(calls).to.deep.equal([tspCall(true), ocspCall(true)])
  })

  it('refuses an old time stamp without a status of its time, and asks no authority', async () => {
    const signature = sign({ timeStamp: true })
    clock.time = NOW + 5 * MINUTE + 1
    expect(await outcome(collector().collect(signature))).to.include({
      code: 'evidenceTimesDiffer',
      kind: 'unacceptable',
      reason: 'timeStampTooOld',
    })
    expect(calls).to.deep.equal([])
  })

  it('refuses an old status beside a fresh time stamp', async () => {
    const signature = sign({ ocsp: true })
    clock.time = NOW + 6 * MINUTE
    expect(await outcome(collector().collect(signature))).to.include({ code: 'evidenceTimesDiffer', reason: 'gap' })
  })

  describe('the time-stamping authority', () => {
    const answers: Record<string, [timestamp: typeof honest.timestamp, reason: string]> = {
      'answers rubbish': [async () => Buffer.from('rubbish'), 'malformed'],
      'answers with trailing bytes': [
        async (request) => Buffer.concat([authorities.tsa.respond(request), Buffer.of(0)]),
        'malformed',
      ],
      refuses: [async () => timeStampRefusal('unacceptedPolicy'), 'rejected'],
      'stamps something else': [
        async (request) => authorities.tsa.respond(request, () => ({ imprint: Buffer.from('3000', 'hex') })),
        'malformed',
      ],
      'is an ordinary person of the same CA': [
        async (request) =>
          authorities.tsa.respond(request, () => ({ signer: stranger, certificates: [stranger.certificate] })),
        'usageNotCritical',
      ],
      'has no purpose': [
        async (request) =>
          authorities.tsa.respond(request, () => ({ signer: impostorTsa, certificates: [impostorTsa.certificate] })),
        'usageMissing',
      ],
      'has a clock that is behind': [
        async (request) => authorities.tsa.respond(request, () => ({ genTime: NOW - 10 * MINUTE })),
        'clock',
      ],
      'has a clock that is ahead': [
        async (request) => authorities.tsa.respond(request, () => ({ genTime: NOW + 10 * MINUTE })),
        'genTimeInFuture',
      ],
      'stamps without our nonce': [
        async (request) => authorities.tsa.respond(request, () => ({ nonce: undefined })),
        'nonceMissing',
      ],
    }
    for (const [what, [timestamp, reason]] of Object.entries(answers)) {
      it(`${what}: a 503 that names it, and the same request works once it has recovered`, async () => {
        const signature = sign()
        expect(await outcome(collector({ timestamp }).collect(signature))).to.deep.equal(tspProblem(reason))
        expect(calls).to.deep.equal([tspCall(false)])
        expect((await collector().collect(signature)).timeStamp.genTime).to.equal(NOW)
      })
    }

    it('answers an old token (replay)', async () => {
      let first: Promise<Uint8Array> | undefined
      const timestamp = (request: Uint8Array) => {
        first ??= honest.timestamp(request)
        return first
      }
      const signature = sign()
      await collector({ timestamp }).collect(signature)
      expect(await outcome(collector({ timestamp }).collect(signature))).to.deep.equal(tspProblem('nonceDiffers'))
    })

    it('is retried once when it is unreachable', async () => {
      let asked = 0
      const timestamp = async (request: Uint8Array) => {
        asked += 1
        if (asked === 1) throw new AuthorityUnavailable('unreachable', true)
        return honest.timestamp(request)
      }
      await collector({ timestamp }).collect(sign({ ocsp: true }))
      expect(calls).to.deep.equal([tspCall(false), tspCall(true)])

      calls = []
      const down = async () => Promise.reject(new AuthorityUnavailable('unreachable', true))
      expect(await outcome(collector({ timestamp: down }).collect(sign()))).to.deep.equal(tspProblem('unreachable'))
      expect(calls).to.deep.equal([tspCall(false), tspCall(false)])
    })

    it('is not retried when it is slow, or when the source fails otherwise', async () => {
      const slow = async () => Promise.reject(new AuthorityUnavailable('timeout', false))
      expect(await outcome(collector({ timestamp: slow }).collect(sign()))).to.deep.equal(tspProblem('timeout'))
      const broken = async () => Promise.reject(new TypeError('a fault of the plugin'))
      expect(await outcome(collector({ timestamp: broken }).collect(sign()))).to.deep.equal(tspProblem('unreachable'))
      expect(calls).to.deep.equal([tspCall(false), tspCall(false)])
    })

    it('says why it refuses', async () => {
      const timestamp = async () => timeStampRefusal('badAlg')
      const { details } = await rejectionOf(collector({ timestamp }).collect(sign()))
      expect(details).to.deep.include({ reason: 'rejected', status: 'rejection', failures: ['badAlg'] })
    })
  })

  describe('the OCSP responder', () => {
    const ordinary = ocspResponder(authorities, { extensions: [], issuer: 'ecdsa' })
    const answers: Record<string, [status: typeof honest.status, reason: string]> = {
      'answers rubbish': [async () => Buffer.from('rubbish'), 'malformed'],
      'refuses to answer us': [async () => ocspRefusal('unauthorized'), 'unauthorized'],
      'is somebody without the right to answer': [
        async (_, request) =>
          authorities.ocsp.respond(request, () => ({ responder: ordinary, certificates: [ordinary.certificate] })),
        'responderUsage',
      ],
      'answers without our nonce': [
        async (_, request) => authorities.ocsp.respond(request, () => ({ nonce: undefined })),
        'nonceMissing',
      ],
      'answers about another certificate': [
        async (_, request) => {
          const answers = [
            { certId: certId(stranger.certificate, person.issuer), status: 'good', thisUpdate: NOW } as const,
          ]
          return authorities.ocsp.respond(request, () => ({ answers }))
        },
        'otherCertificate',
      ],
      'has a clock that is behind': [
        async (_, request) => authorities.ocsp.respond(request, () => ({ producedAt: NOW - 10 * MINUTE })),
        'producedBeforeUpdate',
      ],
    }
    for (const [what, [status, reason]] of Object.entries(answers)) {
      it(`${what}: a 503 that names it, and the same request works once it has recovered`, async () => {
        const signature = sign({ timeStamp: true })
        expect(await outcome(collector({ status }).collect(signature))).to.deep.equal(ocspProblem(reason))
        expect(calls).to.deep.equal([ocspCall(false)])
        expect((await collector().collect(signature)).status?.thisUpdate).to.equal(NOW)
      })
    }

    it('is retried once when it says tryLater', async () => {
      const signature = sign({ timeStamp: true })
      let asked = 0
      const status: typeof honest.status = async (url, request) => {
        asked += 1
        return asked === 1 ? ocspRefusal('tryLater') : honest.status(url, request)
      }
      await collector({ status }).collect(signature)
      expect(calls).to.deep.equal([ocspCall(false), ocspCall(true)])
      calls = []
      const busy = async () => ocspRefusal('tryLater')
      expect(await outcome(collector({ status: busy }).collect(signature))).to.deep.equal(ocspProblem('tryLater'))
      expect(calls).to.deep.equal([ocspCall(false), ocspCall(false)])
    })

    it('is not among the allowed ones', async () => {
      const refused = await outcome(collector({ urlFor: () => undefined }).collect(sign({ timeStamp: true })))
      expect(refused).to.include({ code: 'ocspServerProblem', reason: 'noResponder' })
    })
  })

  it('is given up when both authorities together take longer than allowed', async () => {
    const timestamp: TimestampSource['timestamp'] = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new AuthorityUnavailable('timeout', true)))
      })
    expect(await outcome(collector({ timestamp }).collect(sign(), { timeoutMs: 20 }))).to.deep.equal(
      tspProblem('timeout'),
    )
    expect(calls).to.deep.equal([tspCall(false)])
  })

  it('is collected over real HTTP', async () => {
    const server = await AuthorityServer.start(({ url, body }, response) => {
      if (url === '/tsp') answerWith(response, 'application/timestamp-reply', authorities.tsa.respond(body))
      else answerWith(response, 'application/ocsp-response', authorities.ocsp.respond(body))
    })
    const timestamps = new OnlineTimestampSource({ tspUrl: `${server.url}tsp` })
    const statuses = new OnlineStatusSource({ ocspUrl: `${server.url}ocsp` })
    const statistics = { record: (call: Call) => void calls.push(call) }
    const proof = await new CollectEvidence({
      trustStore,
      timestamps,
      statuses,
      statistics,
      clock,
      policy: defaultSignaturePolicy,
      keys: [],
    }).collect(sign())
    timestamps.close()
    statuses.close()
    await server.stop()
    expect(proof.status?.producedAt).to.equal(NOW)
    expect(calls.map(({ url, ok }) => [url, ok])).to.deep.equal([
      [`${server.url}tsp`, true],
      [`${server.url}ocsp`, true],
    ])
  })
})
