import { defaultAlgorithmPolicy } from '@signed-registry/verifier'
import { expect } from 'chai'
import { NOW, testAuthorities } from '../../../support/pki/authorities.js'
import { hostileCms, weakCms } from '../../../support/pki/hostile-cms.js'
import { hostileXml } from '../../../support/pki/hostile-xml.js'
import { verdictComparison } from '../../../support/same-verdicts.js'

const DOCUMENT = Buffer.from('A contract')
const EVIDENCE = { timeStamp: true, ocsp: true }
const ALGORITHMS = [
  'rsa2048',
  'p256',
  'p384',
  'p521',
  'brainpool256',
  'brainpool384',
  'brainpool512',
  'ed25519',
  'ed448',
  'gost512',
] as const

describe('the verifier in browsers', () => {
  const authorities = testAuthorities()
  const trust = [...authorities.anchors, ...authorities.intermediates].map((bytes, at) => ({ name: `${at}`, bytes }))
  const options = { trust, at: NOW }
  let judged: Awaited<ReturnType<typeof verdictComparison>>
  before(async () => {
    judged = await verdictComparison()
  })

  for (const algorithm of ALGORITHMS)
    it(`says what the verifier in Node says of CMS by ${algorithm}: proved, of another document, revoked, without evidence`, () => {
      const signer = authorities.person({ algorithm })
      const signed = signer.signCms(DOCUMENT, EVIDENCE)
      expect(judged(signed, [DOCUMENT], options).outcome).to.equal('proved')
      expect(judged(signed.toString('base64'), [DOCUMENT], options).outcome).to.equal('proved')
      expect(judged(signed, [Buffer.from('Another')], options).outcome).to.equal('wrong')
      expect(judged(signed, [], options).outcome).to.equal('unknown')
      expect(judged(signer.signCms(DOCUMENT), [DOCUMENT], options).outcome).to.equal('unknown')
      for (let at = 40; at < signed.length; at += signed.length >> 3) {
        const changed = Buffer.from(signed)
        changed[at] = (changed[at] ?? 0) ^ 1
        judged(changed, [DOCUMENT], options)
      }
      authorities.revoke(signer, NOW - 1000)
      expect(judged(signer.signCms(DOCUMENT, EVIDENCE), [DOCUMENT], options).outcome).not.to.equal('proved')
    })

  for (const algorithm of ['rsa2048', 'p256', 'gost512'] as const)
    it(`says what the verifier in Node says of XML by ${algorithm}`, () => {
      const xml = '<contract><price>100 ₸</price></contract>'
      const { signature } = authorities.person({ algorithm }).signXml(xml)
      judged(signature, [Buffer.from(xml)], options)
      judged(signature, [], options)
      judged(signature.replace('₸', '$'), [Buffer.from(xml)], options)
    })

  it('says what the verifier in Node says of signatures that lie, and of weak ones under a policy that takes them', () => {
    const algorithms = {
      ...defaultAlgorithmPolicy,
      minRsaBits: 512,
      digestsTrustedUntil: {
        '1.3.14.3.2.26': Number.POSITIVE_INFINITY,
        '1.2.840.113549.2.5': Number.POSITIVE_INFINITY,
      },
    }
    for (const signed of weakCms(authorities, DOCUMENT).values())
      for (const one of [options, { ...options, algorithms }]) judged(signed, [DOCUMENT], one)
    const lies = [...hostileCms(authorities, DOCUMENT).values(), ...hostileXml(authorities.person()).values()]
    const outcomes = lies.map((signed) => judged(signed, [DOCUMENT], options).outcome)
    expect(outcomes).to.have.length.above(40).and.include('wrong')
  })
})
