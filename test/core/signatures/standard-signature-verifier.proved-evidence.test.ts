import { type AlgorithmPolicy, type Crl, signatureErrors, type Trust } from '@signed-registry/verifier'
import { expect } from 'chai'
import { defaultSignaturePolicy } from '#core/signatures/signature-policy.js'
import type { Evidence } from '#core/signatures/signature-verifier.js'
import { type Judging, ProvedEvidence } from '#core/signatures/standard-signature-verifier.js'
import { NOW } from '../../support/pki/authorities.js'
import { rejectionOf } from '../../support/refusal.js'

const bytes = (text: string) => Buffer.from(text)
const EVIDENCE: Evidence = {
  signType: 'cms',
  signature: bytes('signature'),
  timeStamp: bytes('time stamp'),
  ocsp: bytes('status'),
  crls: [],
  certificates: bytes('certificates'),
}
const TRUST: Trust = { anchors: [], intermediates: [] }
const { algorithms } = defaultSignaturePolicy
const JUDGING: Judging = { trust: TRUST, now: NOW, algorithms }
const UNTIL: [string, AlgorithmPolicy][] = [
  ['digests', { ...algorithms, digestsTrustedUntil: { '1.2.3': NOW + 1 } }],
  ['schemes', { ...algorithms, schemesTrustedUntil: { ecdsa: NOW + 1 } }],
  ['RSA keys', { ...algorithms, minRsaBitsFrom: { 3072: NOW + 1 } }],
  ['curves', { ...algorithms, curvesTrustedUntil: { '1.2.3': NOW + 1 } }],
]

describe('evidence that was verified', () => {
  let proved: ProvedEvidence
  let proofs: number
  beforeEach(() => {
    proved = new ProvedEvidence(3)
    proofs = 0
  })

  const judge = (evidence: Partial<Evidence> = {}, judging: Partial<Judging> = {}) =>
    proved.once({ ...EVIDENCE, ...evidence }, { ...JUDGING, ...judging }, async () => {
      proofs += 1
      return { authority: NOW, algorithms: NOW }
    })

  it('is not verified again by the same rules, even later', async () => {
    for (const now of [NOW, NOW, NOW + 1e12]) await judge({}, { now })
    await judge({ signature: Buffer.from(EVIDENCE.signature) })
    expect(proofs).to.equal(1)
  })

  const others: Partial<Evidence>[] = [
    { signType: 'xml' },
    { signature: bytes('Signature') },
    { timeStamp: bytes('time Stamp') },
    { ocsp: bytes('Status') },
    { ocsp: undefined },
    { ocsp: bytes('statusc'), certificates: bytes('ertificates') },
    { certificates: bytes('') },
  ]
  for (const other of others)
    it(`is judged where ${Object.keys(other).join(' and ')} is another one`, async () => {
      await judge()
      await judge(other)
      expect(proofs).to.equal(2)
    })

  const crl: Crl = Object.create(null)
  const always: [string, Partial<Evidence>, Partial<Judging>][] = [
    ['by another trust', {}, { trust: { ...TRUST } }],
    ['by a clock that was put back', {}, { now: NOW - 1 }],
    ['with CRLs of its own', { crls: [bytes('crl')] }, {}],
    ['with CRLs of the trust', {}, { trust: { ...TRUST, crls: [crl] } }],
    ...UNTIL.map(([what, algorithms]): [string, object, Partial<Judging>] => [
      `by ${what} that are trusted until a day`,
      {},
      { algorithms },
    ]),
    ['when it is large', { signature: Buffer.alloc(100_000) }, {}],
  ]
  for (const [how, evidence, judging] of always)
    it(`is verified again ${how}`, async () => {
      await judge(evidence)
      await judge(evidence, judging)
      expect(proofs).to.equal(2)
    })

  it('is verified again each time after a refusal', async () => {
    for (const _ of [1, 2]) {
      const refused = proved.once(EVIDENCE, JUDGING, () => Promise.reject(signatureErrors.error('invalidSignature')))
      expect(await rejectionOf(refused)).to.have.property('code', 'invalidSignature')
    }
    await judge()
    expect(proofs).to.equal(1)
  })

  it('is evicted when many others were used since', async () => {
    for (const name of ['a', 'b', 'c']) await judge({ signature: bytes(name) })
    await judge({ signature: bytes('a') })
    await judge({ signature: bytes('d') })
    expect(proofs).to.equal(4)
    await judge({ signature: bytes('a') })
    expect(proofs).to.equal(4)
    await judge({ signature: bytes('b') })
    expect(proofs).to.equal(5)
  })
})
