import type { Trust } from '@signed-registry/verifier'
import { expect } from 'chai'
import { CollectEvidence } from '#core/signatures/collect-evidence.js'
import { defaultSignaturePolicy } from '#core/signatures/signature-policy.js'
import { StandardSignatureVerifier } from '#core/signatures/standard-signature-verifier.js'
import type { DevAuthorities } from '#dev-authorities/index.js'
import { DAY, NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'
import { rejectionOf } from '../../support/refusal.js'

const nothing = () => Promise.reject(new Error('nothing here is large'))
const TEXT = Buffer.from('a contract')

function verifierOf(authorities: DevAuthorities, clock: { now(): number }, { intermediates = true } = {}) {
  const trust = trustOf(authorities)
  let others: Trust | undefined
  const store = {
    trust: () => others ?? (intermediates ? trust : { anchors: trust.anchors, intermediates: [] }),
    state: () => ({ loadedAt: 0, anchors: 1 }),
  }
  let calls = 0
  const collect = new CollectEvidence({
    trustStore: store,
    timestamps: {
      url: 'http://tsp.test/',
      timestamp: async (request) => {
        calls += 1
        return authorities.tsa.respond(request)
      },
    },
    statuses: {
      urlFor: () => 'http://ocsp.test/',
      status: async (_url, request) => {
        calls += 1
        return authorities.ocsp.respond(request)
      },
    },
    statistics: { record: () => undefined },
    clock,
    policy: defaultSignaturePolicy,
    keys: [],
  })
  return {
    verifier: new StandardSignatureVerifier({
      evidence: collect,
      large: { read: nothing, judge: nothing, report: nothing, reportBundle: nothing },
      thread: { verify: async () => undefined },
      trustStore: store,
      clock,
      policy: defaultSignaturePolicy,
    }),
    calls: () => calls,
    trustOnly(trusted: Trust) {
      others = trusted
    },
  }
}

describe('the registry’s verifier', () => {
  it('refuses a type of signature that it does not know', async () => {
    const { verifier } = verifierOf(testAuthorities(), testClock())
    const signType = String('pdf') as 'cms'
    const refusal = await rejectionOf(verifier.read({ signType, signature: 'AAAA' }))
    expect(refusal).to.include({ code: 'signatureTypeNotSupported' })
  })

  const clock = testClock()
  const authorities = testAuthorities({ clock })

  for (const carried of [true, false])
    it(`proves a CMS with evidence ${carried ? 'of its own' : 'that it collects'}, and again from storage`, async () => {
      const { verifier, calls } = verifierOf(authorities, clock)
      const signer = authorities.person({ iin: '123456789011' })
      const cms = signer.signCms(TEXT, { detached: false, timeStamp: carried, ocsp: carried }).toString('base64')
      const verified = await verifier.verify({ signature: cms })
      expect(calls()).to.equal(carried ? 0 : 2)
      expect(verified.facts).to.include({ userId: 'IIN123456789011', signType: 'cms' })
      expect(Buffer.from(verified.content ?? [])).to.deep.equal(TEXT)
      await verifier.verifyAgain(verified.evidence)
      const later = verifierOf(authorities, testClock(NOW + 10 * 365 * DAY), { intermediates: false })
      await later.verifier.verifyAgain(verified.evidence)
      expect(later.calls()).to.equal(0)
      const bare = { ...verified.evidence, certificates: Buffer.alloc(0) }
      const { code, details } = await rejectionOf(later.verifier.verifyAgain(bare))
      expect([code, details?.reason]).to.deep.equal(['certificateIssuerUnknown', 'noIssuer'])
    })

  it('verifies stored evidence by the current trust set', async () => {
    const { verifier, trustOnly } = verifierOf(authorities, clock)
    const signature = authorities.person().signCms(TEXT, { timeStamp: true, ocsp: true }).toString('base64')
    const { evidence } = await verifier.verify({ signature })
    for (const _ of [1, 2]) await verifier.verifyAgain(evidence)
    trustOnly({ anchors: [], intermediates: [] })
    expect(await rejectionOf(verifier.verifyAgain(evidence))).to.have.property('code', 'invalidTspTimeStamp')
    trustOnly(trustOf(authorities))
    await verifier.verifyAgain(evidence)
    const other = { ...evidence, timeStamp: evidence.timeStamp.map((octet, at) => (at === 500 ? octet ^ 1 : octet)) }
    expect(await rejectionOf(verifier.verifyAgain(other))).to.have.property('code', 'invalidTspTimeStamp')
  })

  it('asks no authority about a signature that it refuses anyway', async () => {
    const { verifier, calls } = verifierOf(authorities, clock)
    const signature = authorities.person({ use: 'authentication' }).signCms(TEXT).toString('base64')
    const refusal = await verifier.verify({ signature }).catch((error: unknown) => error)
    expect(refusal).to.include({ code: 'badSignerCertificate' })
    expect(calls()).to.equal(0)
  })
})
