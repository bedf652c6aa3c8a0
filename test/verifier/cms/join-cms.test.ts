import { expect } from 'chai'
import { pem } from '#dev-authorities/index.js'
import { exportCms } from '#verifier/cms/export-cms.js'
import { joinCms } from '#verifier/cms/join-cms.js'
import { longTermCms } from '#verifier/cms/long-term-cms.js'
import { normalizeCms } from '#verifier/cms/normalize-cms.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { readSignedData } from '#verifier/cms/signed-data.js'
import { children } from '#verifier/der/reader.js'
import { verify } from '#verifier/verify.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'
import { buildCms } from '../../support/pki/build-cms.js'
import { openssl } from '../../support/pki/openssl.js'
import { trustOf } from '../../support/pki/trust.js'
import { expectRefusal } from '../../support/refusal.js'

const TEXT = Buffer.from('a contract')

describe('joining CMS signatures', () => {
  const authorities = testAuthorities()
  const trust = trustOf(authorities)
  const signers = (['rsa2048', 'p256', 'p256', 'gost512'] as const).map((algorithm) =>
    authorities.person({ algorithm }),
  )
  const written = signers.map((signer, index) => {
    const kept = readCms(signer.signCms(TEXT)).kept
    const timeStamp = authorities.tsa.stamp(readCms(kept).signatureValue)
    const certificates = [signer.issuer]
    const ocsp = authorities.ocsp.status(signer.certificate, signer.issuer)
    const crls = [authorities.crl('ecdsa')]
    const evidence =
      index === 1 ? { timeStamp, ocsp: undefined, crls, certificates } : { timeStamp, ocsp, certificates }
    return { inAttributes: exportCms(kept, evidence), longTerm: longTermCms(kept, evidence) }
  })
  const longTerm = written.map((one) => one.longTerm)
  const partsOf = (cms: Uint8Array) => {
    const { version, content, parts, signerInfos } = readSignedData(cms)
    const counted = [parts.certificates, parts.crls].map((part) => (part === undefined ? 0 : children(part).length))
    return { version, content: content && Buffer.from(content), counted, signers: signerInfos.length }
  }

  it('of one content gives a CMS with that content, in which each is valid by its own evidence', () => {
    const joined = joinCms(
      TEXT,
      written.map(({ inAttributes }) => inAttributes),
    )
    expect(partsOf(joined)).to.deep.equal({ version: 1, content: TEXT, counted: [4, 0], signers: 4 })
    expect(verify(joined, { trust, at: NOW }).valid).to.equal(true)
  })

  it('for the long term gives a detached CMS with the certificates, answers and CRLs of all', () => {
    const joined = joinCms(undefined, longTerm)
    expect(partsOf(joined)).to.deep.equal({ version: 5, content: undefined, counted: [7, 4], signers: 4 })
    expect(Buffer.from(normalizeCms(joined)).equals(joined)).to.equal(true)
    const verdict = verify(joined, { trust: { ...trust, intermediates: [] }, at: NOW, document: TEXT })
    expect(verdict.signatures.map(({ conclusion }) => conclusion)).to.deep.equal(signers.map(() => 'validAt'))
  })

  it('gives the same of the same signatures in another order, or twice', () => {
    const joined = joinCms(undefined, longTerm)
    for (const others of [longTerm.toReversed(), [...longTerm, ...longTerm]])
      expect(Buffer.from(joinCms(undefined, others)).equals(joined)).to.equal(true)
  })

  it('has the version of what is inside', () => {
    const [, second] = longTerm
    expect(partsOf(joinCms(undefined, second === undefined ? [] : [second]))).to.deep.include({
      version: 1,
      counted: [2, 1],
    })
  })

  it('refuses nothing, bytes that are no CMS, and different content types', () => {
    expectRefusal('signatureNotParsed', 'noSignatures', () => joinCms(undefined, []))
    expectRefusal('signatureNotParsed', 'notDer', () => joinCms(undefined, [Buffer.from('x')]))
    const [signer = expect.fail()] = signers
    const other = buildCms(TEXT, { signers: [{ signer }], contentType: '1.2.3' })
    expectRefusal('invalidSignature', 'contentTypesDiffer', () => joinCms(undefined, [signer.signCms(TEXT), other]))
  })

  it('gives what openssl cms -verify accepts, whatever proves the status', () => {
    const joined = joinCms(undefined, longTerm.slice(0, 3))
    const anchors = authorities.anchors.map((der) => pem('CERTIFICATE', der)).join('')
    const accepted = (content: Uint8Array) =>
      openssl(
        `cms -verify -cades -binary -inform DER -in cms -content content -CAfile trust.pem -purpose any -attime ${NOW / 1000}`,
        { cms: joined, content, 'trust.pem': anchors },
        ({ ok, output }) => `${ok} ${output}`,
      )
    expect(accepted(TEXT)).to.match(/^true .*successful/s)
    expect(accepted(Buffer.from('another contract'))).to.match(/^false .*failure/s)
  })
})
