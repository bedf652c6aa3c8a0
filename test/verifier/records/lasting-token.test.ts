import { Crl } from '@signed-registry/verifier'
import { lastingToken } from '@signed-registry/verifier/records'
import { expect } from 'chai'
import { readSignedData } from '#verifier/cms/signed-data.js'
import { verifyTimeStampToken } from '#verifier/timestamp/verify-time-stamp.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'
import { timeStamper, tokenOf, tstInfo } from '../../support/pki/tokens.js'
import { trustOf } from '../../support/pki/trust.js'

describe('a token that is to last', () => {
  const authorities = testAuthorities()
  const authority = timeStamper(authorities)
  const token = tokenOf(authority, tstInfo(Buffer.from('data')))
  const context = { trust: trustOf(authorities), now: NOW }
  const stamp = verifyTimeStampToken(token, context)
  const crl = Crl.parse(authorities.crl('rsa'))
  const answer = authorities.ocsp.status(authority.certificate, authorities.hierarchy.issuing('rsa').certificate)

  it('carries its path, an answer about its authority and CRLs, and is the same time stamp', () => {
    const lasting = lastingToken(stamp, { crls: [crl], answers: [answer] })
    const { certificates, parts } = readSignedData(lasting)
    expect(certificates.map(({ fingerprint }) => fingerprint)).to.have.members(
      stamp.path.certificates.map(({ fingerprint }) => fingerprint),
    )
    expect(parts.crls).not.to.equal(undefined)
    const again = verifyTimeStampToken(lasting, { ...context, revocation: 'signer' })
    expect(again.genTime).to.equal(stamp.genTime)
    expect(again.unasked.map(({ subject }) => `${subject}`)).not.to.include(`${stamp.signer.subject}`)
  })

  it('stays as it is when it is written again, also with other news', () => {
    const lasting = lastingToken(stamp, { crls: [crl] })
    const again = { token: lasting, path: stamp.path }
    expect(Buffer.compare(lastingToken(again, { crls: [crl], answers: [answer] }), lasting)).to.equal(0)
  })

  it('leaves out CRLs with which it would be too long to be read', () => {
    const long = Object.assign(Object.create(Object.getPrototypeOf(crl)), crl, { der: Buffer.alloc(300_000) })
    expect(readSignedData(lastingToken(stamp, { crls: [long] })).parts.crls).to.equal(undefined)
  })
})
