import { expect } from 'chai'
import { revocationValues } from '#dev-authorities/cms/attributes.js'
import type { SignerVerdict } from '#verifier/verdict.js'
import { type VerifyOptions, verify } from '#verifier/verify.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { Crl } from '#verifier/x509/crl.js'
import { NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { answer, basicResponse, ocspResponder } from '../../support/pki/ocsp-answers.js'
import { delegate } from '../../support/pki/tokens.js'
import { trustOf } from '../../support/pki/trust.js'

const TEXT = Buffer.from('a contract')

describe('the status of a chain', () => {
  const authorities = testAuthorities({ clock: testClock() })
  const trust = trustOf(authorities)
  const { hierarchy } = authorities
  const signer = authorities.person()
  const rootCrl = Crl.parse(hierarchy.root.crl(NOW))
  const rsaCrl = Crl.parse(authorities.crl('rsa'))
  const signed = signer.signCms(TEXT, { timeStamp: true, ocsp: true })
  const judge = (options: Partial<VerifyOptions> = {}, bytes: Uint8Array = signed): SignerVerdict => {
    const [verdict] = verify(bytes, { trust, at: NOW, document: TEXT, ...options }).signatures
    if (verdict === undefined) throw new Error('no verdict')
    return verdict
  }
  const said = ({ conclusion, refusal }: SignerVerdict) =>
    [conclusion, refusal?.details?.reason].filter(Boolean).join(' ')
  const names = ({ unasked }: SignerVerdict) => unasked.map(({ subject }) => /CN=([^,]*)/.exec(subject.toString())?.[1])

  it('is named where nobody was asked, for the signer and for the time stamp', () => {
    const verdict = judge()
    expect(names(verdict)).to.have.members([
      'DEVELOPMENT ISSUING CA (ECDSA)',
      'DEVELOPMENT TSA',
      'DEVELOPMENT ISSUING CA (RSA)',
    ])
    expect(verdict.missing).to.deep.equal(['chainStatus', 'timeStampStatus'])
    expect(names(judge({ trust: { ...trust, crls: [rootCrl] } }))).to.deep.equal(['DEVELOPMENT TSA'])
    const known = judge({ trust: { ...trust, crls: [rootCrl, rsaCrl] } })
    expect(names(known)).to.deep.equal([])
    expect(known.missing).to.deep.equal([])
  })

  it('can be demanded, of the time stamp too', () => {
    const chain = (...crls: Crl[]) => judge({ revocation: 'chain', trust: { ...trust, crls } })
    expect(said(chain(rootCrl, rsaCrl))).to.equal('validAt')
    expect(said(chain())).to.equal('intact undetermined')
    const unstamped = chain(rootCrl)
    expect(said(unstamped)).to.equal('validNow')
    expect(unstamped.unused).to.deep.equal([{ kind: 'timeStamp', reason: 'statusUndetermined', time: NOW }])
    expect(said(judge({ revocation: 'signer' }))).to.equal('validAt')
  })

  it('may be proved by OCSP responses as well', () => {
    const root = hierarchy.root.certificate
    const aboutIssuer = authorities.ocsp.status(signer.issuer, root)
    const bytes = signer.signCms(TEXT, {
      unsignedAttributes: (_) => [
        revocationValues(authorities.ocsp.status(signer.certificate, signer.issuer), aboutIssuer),
      ],
    })
    expect(said(judge({ revocation: 'chain' }, bytes))).to.equal('validNow')
    expect(judge({ revocation: 'chain' }, bytes).missing).to.deep.equal(['timeStamp'])
  })

  it('is accepted from a responder trusted by the operator, and from no other outside the issuer', () => {
    const own = delegate(authorities, { issuer: 'gost', kind: 'p256', commonName: 'LOCAL RESPONDER' })
    const told = basicResponse(own, [answer(signer.certificate, signer.issuer)])
    const bytes = signer.signCms(TEXT, {
      timeStamp: true,
      unsignedAttributes: (honest) => [...honest, revocationValues(told)],
    })
    expect(said(judge({}, bytes))).to.equal('intact responderOfAnotherIssuer')
    const responders = [Certificate.parse(own.certificate)]
    expect(said(judge({ trust: { ...trust, responders } }, bytes))).to.equal('validAt')
    const others = [Certificate.parse(ocspResponder(authorities).certificate)]
    expect(said(judge({ trust: { ...trust, responders: others } }, bytes))).to.equal('intact responderOfAnotherIssuer')
  })
})
