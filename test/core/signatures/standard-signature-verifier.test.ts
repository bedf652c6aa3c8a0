import { expect } from 'chai'
import { CollectEvidence } from '../../../core/dist/signatures/collect-evidence.js'
import { StandardSignatureVerifier } from '../../../core/dist/signatures/standard-signature-verifier.js'
import type { DevAuthorities } from '../../../plugins/dev-authorities/dist/index.js'
import { DAY, NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'
import { expectRefusal } from '../../support/refusal.js'

const TEXT = Buffer.from('a contract')

function verifierOf(authorities: DevAuthorities, clock: { now(): number }, { intermediates = true } = {}) {
  const trust = trustOf(authorities)
  const store = {
    trust: () => (intermediates ? trust : { anchors: trust.anchors, intermediates: [] }),
    state: () => ({ loadedAt: 0, anchors: 1 }),
  }
  let calls = 0
  const collect = new CollectEvidence(
    store,
    {
      url: 'http://tsp.test/',
      timestamp: async (request) => {
        calls += 1
        return authorities.tsa.respond(request)
      },
    },
    {
      urlFor: () => 'http://ocsp.test/',
      status: async (_url, request) => {
        calls += 1
        return authorities.ocsp.respond(request)
      },
    },
    { record: () => undefined },
    clock,
  )
  return { verifier: new StandardSignatureVerifier(collect, store, clock), calls: () => calls }
}

describe('the registry’s verifier', () => {
  it('refuses a type of signature that it does not know', () => {
    const { verifier } = verifierOf(testAuthorities(), testClock())
    const signType = String('pdf') as 'cms'
    expectRefusal('signatureTypeNotSupported', undefined, () => verifier.read({ signType, signature: 'AAAA' }))
  })

  const clock = testClock()
  const authorities = testAuthorities({ clock })

  for (const carried of [true, false])
    it(`proves a CMS with evidence ${carried ? 'of its own' : 'that it collects'}, and again from what it keeps`, async () => {
      const { verifier, calls } = verifierOf(authorities, clock)
      const signer = authorities.person({ iin: '123456789011' })
      const cms = signer.signCms(TEXT, { detached: false, timeStamp: carried, ocsp: carried }).toString('base64')
      const verified = await verifier.verify({ signature: cms })
      expect(calls()).to.equal(carried ? 0 : 2)
      expect(verified.facts).to.include({ userId: 'IIN123456789011', signType: 'cms' })
      expect(Buffer.from(verified.content ?? [])).to.deep.equal(TEXT)
      verifier.verifyAgain(verified.evidence)
      const later = verifierOf(authorities, testClock(NOW + 10 * 365 * DAY), { intermediates: false })
      later.verifier.verifyAgain(verified.evidence)
      expect(later.calls()).to.equal(0)
      expectRefusal('certificateIssuerUnknown', 'noIssuer', () =>
        later.verifier.verifyAgain({ ...verified.evidence, certificates: Buffer.alloc(0) }),
      )
    })

  it('asks no authority for a signature that it refuses anyway', async () => {
    const { verifier, calls } = verifierOf(authorities, clock)
    const signature = authorities.person({ use: 'authentication' }).signCms(TEXT).toString('base64')
    const refusal = await verifier.verify({ signature }).catch((error: unknown) => error)
    expect(refusal).to.include({ code: 'badSignerCertificate' })
    expect(calls()).to.equal(0)
  })
})
