import { expect } from 'chai'
import { explicit, sequence } from '#dev-authorities/der/writer.js'
import type { SignerVerdict } from '#verifier/verdict.js'
import { verify } from '#verifier/verify.js'
import { DAY, NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'

const TEXT = Buffer.from('a contract')
const REVOCATION_VALUES = '1.2.840.113549.1.9.16.2.24'

describe('CRLs that a signature carries', () => {
  const authorities = testAuthorities({ clock: testClock() })
  const trust = trustOf(authorities)
  const signer = authorities.person()
  const carrying = (...crls: Buffer[]) =>
    signer.signCms(TEXT, {
      timeStamp: true,
      unsignedAttributes: (honest) => [
        ...honest,
        { oid: REVOCATION_VALUES, values: [sequence(explicit(0, sequence(...crls)))] },
      ],
    })
  const judge = (bytes: Uint8Array): SignerVerdict | undefined =>
    verify(bytes, { trust, at: NOW + DAY / 2, document: TEXT }).signatures[0]

  it('prove the status of the signer when they are his authority’s, and current', () => {
    const verdict = judge(carrying(authorities.crl('ecdsa')))
    expect(verdict?.conclusion).to.equal('validAt')
    expect(verdict?.proof?.crlProof?.crls).to.have.length(1)
  })

  it('prove nothing when they are of another authority, or out of date', () => {
    const stale = authorities.hierarchy.issuing('ecdsa').crl(NOW - 3 * DAY)
    for (const crl of [authorities.crl('rsa'), stale])
      expect(judge(carrying(crl))?.refusal?.details?.reason).to.equal('undetermined')
  })

  it('take nothing away when they are junk', () => {
    const verdict = judge(carrying(Buffer.from('3003020101', 'hex'), authorities.crl('ecdsa')))
    expect(verdict?.conclusion).to.equal('validAt')
    expect(verdict?.unused).to.deep.equal([{ kind: 'crl', reason: 'notParsed' }])
  })
})
