import { expect } from 'chai'
import { revocationValues, signatureTimeStamp } from '#dev-authorities/cms/attributes.js'
import { generalizedTime } from '#dev-authorities/der/writer.js'
import type { CmsOptions } from '#dev-authorities/index.js'
import { writeSignedData } from '#verifier/cms/content-of-cms.js'
import { readSignedData } from '#verifier/cms/signed-data.js'
import { encoded } from '#verifier/der/reader.js'
import { writeElement } from '#verifier/der/writer.js'
import type { SignerVerdict } from '#verifier/verdict.js'
import { type VerifyOptions, verify } from '#verifier/verify.js'
import { DAY, MINUTE, NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { timeStamper, tokenOf, tstInfo } from '../../support/pki/tokens.js'
import { trustOf } from '../../support/pki/trust.js'

const TEXT = Buffer.from('a contract')
const CONTENT_TIME_STAMP = '1.2.840.113549.1.9.16.2.20'
const ARCHIVE_TIME_STAMP = '0.4.0.1733.2.4'

describe('time stamps of a signature', () => {
  const authorities = testAuthorities({ clock: testClock() })
  const trust = trustOf(authorities)
  const signer = authorities.person()
  const status = authorities.ocsp.status(signer.certificate, signer.issuer)
  const stamper = timeStamper(authorities, { notAfter: NOW + 30 * DAY })
  const stamp = (over: Uint8Array, genTime = NOW) =>
    tokenOf(stamper, tstInfo(over, { genTime: generalizedTime(genTime) }))
  const judge = (bytes: Uint8Array, options: Partial<VerifyOptions> = {}): SignerVerdict => {
    const [verdict] = verify(bytes, { trust, at: NOW + 10 * DAY, document: TEXT, ...options }).signatures
    if (verdict === undefined) throw new Error('no verdict')
    return verdict
  }
  const said = (verdict: SignerVerdict) => [verdict.conclusion, verdict.subIndication].filter(Boolean).join(' ')
  /** A signature with stamps over its value. */
  const stamped = (tokens: (value: Buffer) => readonly Buffer[], more: Partial<CmsOptions> = {}) =>
    signer.signCms(TEXT, {
      ...more,
      unsignedAttributes: (_, value) => [...tokens(value).map(signatureTimeStamp), revocationValues(status)],
    })
  const one = stamped((value) => [stamp(value)])

  it('prove nothing by default once the certificate of their authority has ended, unless that is accepted', () => {
    const before = { at: NOW + 29 * DAY }
    const after = { at: NOW + 31 * DAY }
    expect(said(judge(one, before))).to.equal('validAt')
    expect(said(judge(one, { ...after, tsaExpiry: 'accept' }))).to.equal('validAt')
    const verdict = judge(one, after)
    expect(verdict.indication).to.equal('INDETERMINATE')
    expect(verdict.unused).to.deep.include({ kind: 'timeStamp', reason: 'authorityEnded', time: NOW })
    expect(verdict.missing).to.include('timeStamp')
  })

  it('may be two: the earliest that holds counts, and a bad one is said', () => {
    const two = stamped((value) => [stamp(value, NOW + 2 * MINUTE), stamp(value, NOW + MINUTE)])
    expect(judge(two)).to.include({ conclusion: 'validAt', time: NOW + MINUTE })
    const mixed = stamped((value) => [stamp(Buffer.from('another')), stamp(value, NOW + MINUTE)])
    expect(judge(mixed)).to.include({ conclusion: 'validAt', time: NOW + MINUTE })
    expect(judge(mixed).unused).to.deep.equal([{ kind: 'timeStamp', reason: 'imprint', time: NOW }])
  })

  it('take nothing away when they are junk', () => {
    const now = { at: NOW + MINUTE }
    const bare = signer.signCms(TEXT, { ocsp: true })
    expect(said(judge(bare, now))).to.equal('validNow')
    const junk: readonly Buffer[] = [Buffer.from('3003020101', 'hex'), stamp(Buffer.from('another'))]
    for (const tokens of [[...junk], [...junk, ...junk], junk.slice(0, 1)])
      expect(
        said(
          judge(
            stamped(() => tokens),
            now,
          ),
        ),
      ).to.equal('validNow')
  })

  it('may not be older than what was signed with it', () => {
    const withContent = (genTime: number, over: Uint8Array = TEXT) =>
      stamped((value) => [stamp(value, NOW)], {
        signedAttributes: (honest) => [...honest, { oid: CONTENT_TIME_STAMP, values: [stamp(over, genTime)] }],
      })
    expect(said(judge(withContent(NOW - MINUTE)))).to.equal('validAt')
    expect(said(judge(withContent(NOW + MINUTE)))).to.equal('intact TIMESTAMP_ORDER_FAILURE')
    const foreign = judge(withContent(NOW - MINUTE, Buffer.from('another')))
    expect(said(foreign)).to.equal('validAt')
    expect(foreign.unused).to.deep.include({ kind: 'contentTimeStamp', reason: 'imprint', time: NOW - MINUTE })
  })

  it('among what was signed may repeat', () => {
    const twice = stamped((value) => [stamp(value)], {
      signedAttributes: (honest) => [
        ...honest,
        { oid: CONTENT_TIME_STAMP, values: [stamp(TEXT, NOW - MINUTE), stamp(TEXT, NOW - DAY)] },
      ],
    })
    expect(said(judge(twice))).to.equal('validAt')
  })

  it('for archival that prove nothing are set aside', () => {
    const archived = signer.signCms(TEXT, {
      timeStamp: true,
      ocsp: true,
      unsignedAttributes: (honest) => [...honest, { oid: ARCHIVE_TIME_STAMP, values: [stamp(TEXT, NOW + DAY)] }],
    })
    expect(judge(archived).unused).to.deep.equal([
      { kind: 'archiveTimeStamp', reason: 'hashIndexMissing', time: NOW + DAY },
    ])
    expect(said(judge(archived))).to.equal('validAt')
  })

  it('given by the caller belong to the signer whose signature value they cover', () => {
    const second = authorities.person()
    const [a, b] = [signer, second].map((each) =>
      readSignedData(each.signCms(TEXT, { ocsp: true, certificates: [signer.certificate, second.certificate] })),
    )
    if (a === undefined || b === undefined) throw new Error('not two')
    const infos = [a, b].flatMap(({ signerInfos }) => signerInfos)
    const cms = writeSignedData(a.parts, {
      signerInfos: writeElement(0x31, ...infos.map(({ element }) => encoded(element))),
    })
    const [first] = infos
    if (first === undefined) throw new Error('no signer')
    const { signatures } = verify(cms, {
      ...{ trust, at: NOW + MINUTE, document: TEXT },
      evidence: { timeStamp: stamp(first.signature) },
    })
    expect(signatures.map(({ conclusion }) => conclusion)).to.deep.equal(['validAt', 'validNow'])
  })
})
