import { verifyEvidence } from '@signed-registry/verifier'
import { expect } from 'chai'
import { contentAt, mended, unzipped, withContent, zipped } from '../../support/containers.js'
import { builtBytes, bundleOf, otherRegistry } from '../../support/evidence-bundle.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'

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
})
