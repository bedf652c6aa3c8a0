import type { Subject } from '@signed-registry/dev-authorities'
import { verifyEvidence } from '@signed-registry/verifier'
import { expect } from 'chai'
import { certificateFields } from '#dev-authorities/x509/certificate.js'
import { signCrl } from '#dev-authorities/x509/crl.js'
import { evidenceOfOthers } from '#verifier/evidence/evidence-of-others.js'
import { readCms } from '#verifier/index.js'
import { contentAt, mended, unzipped, withContent, zipped } from '../../support/containers.js'
import { builtBytes, bundleOf, otherRegistry } from '../../support/evidence-bundle.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'

const MAX_CMS = 262_144

describe('evidence in a bundle that is of another signature', () => {
  const authorities = testAuthorities()
  const trust = trustOf(authorities)
  const XML = '<contract><price>100</price></contract>'
  let files: ReturnType<typeof unzipped>
  before(async () => {
    const [one, two, three, four] = Array.from({ length: 4 }, () => authorities.person())
    if (!one || !two || !three || !four) return
    const bundle = bundleOf(authorities, [
      {
        content: XML,
        title: 'contract.xml',
        signers: [one, two, { by: three, as: 'crl' }, { by: four, as: 'xml' }, { by: one, as: 'xml' }],
      },
    ])
    files = unzipped(await builtBytes(bundle))
  })
  /** As a registry would sign it that lies. */
  const judged = (place: string, content: Buffer) => {
    const bundle = zipped(mended(withContent(files, place, content), otherRegistry()))
    const { outcome, evidence } = verifyEvidence(bundle, { trust, at: NOW })
    return [outcome, ...evidence.problems.map(({ code, file }) => `${code} ${file}`)]
  }

  it('is named by its file, though the signature is proved by what it carries', () => {
    expect(judged('README.txt', Buffer.from('?'))).to.deep.equal(['proved'])
    for (const [place, other] of [
      ['tst/101.tst', 'tst/102.tst'],
      ['tst/101.bin', 'tst/102.bin'],
      ['ocsp/101.ors', 'ocsp/102.ors'],
      ['crl/103-1.crl', 'ocsp/102.ors'],
      ['tst/104.tst', 'tst/105.tst'],
      ['tst/104.bin', 'tst/105.bin'],
      ['ocsp/104.ors', 'ocsp/105.ors'],
    ] as const) {
      expect(judged(place, contentAt(files, other)), place).to.deep.equal(['wrong', `fileChanged ${place}`])
      expect(judged(place, Buffer.from('nothing')), place).to.deep.equal(['wrong', `fileChanged ${place}`])
    }
  })

  it('is not a CRL beside a CMS that would be too long with all of them, though with one it would not be', () => {
    const signer = authorities.person()
    const bundle = bundleOf(authorities, [{ content: XML, signers: [signer] }])
    const [signature] = bundle.documents[0]?.signatures ?? []
    if (signature === undefined) throw new Error('No signature')
    const { signId, signType, signed, timeStamp, stamped } = signature
    const names = { signature: 'cms', timeStamp: 'tst', stamped: 'bin', crls: ['crl/1-1.crl', 'crl/1-2.crl'] }
    const statement = { signId, signType, storedAt: '', ...names }
    const judge = (crls: readonly Uint8Array[]) =>
      evidenceOfOthers(
        { statement, signed, timeStamp, stamped, ocsp: undefined, crls },
        readCms(signed, { evidence: 'all' }),
      )
    const large = crlOf(signer, 4000)
    expect(large.length).to.be.within(MAX_CMS / 2, MAX_CMS - signed.length)
    expect(judge([large, large])).to.deep.equal([])
    expect(judge([large, Buffer.alloc(large.length)])).to.deep.equal(['crl/1-2.crl'])
    expect(judge([large])).to.deep.equal(['crl/1-1.crl'])
  })
})

/** A CRL of that many entries. */
const crlOf = ({ key, certificate }: Subject, count: number): Buffer =>
  signCrl(
    {
      ...{ issuer: certificateFields(certificate).subject, number: 1, thisUpdate: NOW, nextUpdate: NOW },
      revocations: Array.from({ length: count }, (_, index) => ({
        serial: Buffer.from((index + 65_536).toString(16).padStart(8, '0'), 'hex'),
        ...{ at: NOW, reason: 'superseded' as const },
      })),
    },
    key,
  )
