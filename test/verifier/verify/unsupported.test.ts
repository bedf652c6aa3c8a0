import { expect } from 'chai'
import { revocationValues } from '#dev-authorities/cms/attributes.js'
import { integer, sequence } from '#dev-authorities/der/writer.js'
import { digestAlgorithm } from '#dev-authorities/hashes.js'
import { verify } from '#verifier/verify.js'
import { NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'

const TEXT = Buffer.from('a contract')

describe('unsupported formats and features', () => {
  const authorities = testAuthorities({ clock: testClock() })
  const trust = trustOf(authorities)
  const signer = authorities.person()
  const judge = (bytes: Uint8Array | string) => verify(bytes, { trust, at: NOW, document: TEXT })

  it('is called unsupported, by its name and with what to do, and never failed', () => {
    const container = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(40)])
    const record = sequence(integer(1), sequence(digestAlgorithm('sha256')), sequence(sequence(sequence())))
    for (const [bytes, feature] of [
      ['%PDF-1.7 …', 'pdf'],
      [container, 'asic'],
      ['{"payload":"eyJh"}', 'jades'],
      ['eyJhbGciOiJSUzI1NiJ9.eyJh.AAAA', 'jades'],
      [record, 'evidenceRecord'],
      [signer.signCms(TEXT, { signedAttributes: () => [] }), 'format'],
      [signer.signCms(TEXT).subarray(1), undefined],
    ] as const) {
      const verdict = judge(bytes)
      const [only] = verdict.signatures
      expect(only?.unsupported?.feature, String(feature)).to.equal(feature)
      expect(verdict.valid).to.equal(false)
      if (feature === undefined) expect(verdict.indication).to.equal('TOTAL-FAILED')
      else expect(verdict).to.include({ indication: 'unsupported' })
      if (feature !== undefined) expect(only?.unsupported?.advice).to.match(/^[A-Z].{20,}\.$/)
    }
  })

  it('stays failed where what was signed is wrong', () => {
    for (const bytes of ['rubbish', '<a', Buffer.from([0x30, 0x80])])
      expect(judge(bytes)).to.include({ indication: 'TOTAL-FAILED' })
    const junk = signer.signCms(TEXT, { unsignedAttributes: () => [revocationValues(Buffer.from('0500', 'hex'))] })
    expect(judge(junk).signatures[0]?.unsupported).to.equal(undefined)
  })
})
