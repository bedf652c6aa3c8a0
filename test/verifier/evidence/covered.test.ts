import { createHash } from 'node:crypto'
import { withContent } from '@signed-registry/verifier'
import { expect } from 'chai'
import { namesOther, overOf } from '#verifier/evidence/covered.js'
import { coverageText } from '#verifier/evidence/stated-coverage.js'
import { manifest } from '../../support/asic/containers.js'
import { testAuthorities } from '../../support/pki/authorities.js'

const SHA_256 = '2.16.840.1.101.3.4.2.1'

describe('what signatures in bundles cover', () => {
  const content = Buffer.from('the document')
  const list = manifest('META-INF/signature.p7s', [{ name: 'a b.txt', content }])
  const signer = testAuthorities().person()
  const attached = withContent(signer.signCms(list), list)
  const digests = { [SHA_256]: createHash('sha256').update(content).digest('hex') }

  it('is a manifest that has to name the document by its URI and by a hash that is known', () => {
    expect(namesOther(attached, 'a%20b.txt', digests)).to.equal(false)
    expect(namesOther(attached, 'a b.txt', digests)).to.equal(true)
    expect(namesOther(attached, 'other.txt', digests)).to.equal(true)
    expect(namesOther(attached, 'a%20b.txt', { [SHA_256]: '00'.repeat(32) })).to.equal(true)
    expect(namesOther(attached, 'a%20b.txt', { '2.16.840.1.101.3.4.2.3': 'aa' })).to.equal(true)
    expect(namesOther(signer.signCms(list), 'a%20b.txt', digests)).to.equal(true)
    expect(namesOther(withContent(signer.signCms(content), content), 'a%20b.txt', digests)).to.equal(true)
    expect(namesOther(Buffer.from('no CMS'), 'a%20b.txt', digests)).to.equal(true)
  })

  it('is compared with the whole document only where it is over all of it', () => {
    const shown = { name: 'a', document: new Map([[SHA_256, Buffer.from('aa')]]) }
    const of = (coverage: Parameters<typeof overOf>[0]['statement']['coverage'], signed: Uint8Array = attached) =>
      overOf({ statement: { coverage }, signed }, shown, undefined).over
    expect(of(undefined)).to.equal(shown)
    const references = { of: 'references', uris: ['a%20b.txt'] } as const
    expect(of(references)).to.deep.equal({ name: 'a', document: list, coverage: references })
    expect(of(references, Buffer.from('<Signature/>'))).to.deep.equal({ ...shown, coverage: references })
    const ranges = { of: 'ranges', ranges: [[0, 5]] } as const
    expect(of(ranges)?.document).to.deep.equal(new Map())
    expect(overOf({ statement: { coverage: references }, signed: attached }, undefined, undefined)).to.deep.equal({})
  })

  it('is one line of text in an entry of the log, whatever a file is called', () => {
    const ranges = [
      [0, 10],
      [20, 30],
    ] as const
    expect(coverageText({ of: 'ranges', ranges })).to.equal('ranges 0-10 20-30')
    expect(coverageText({ of: 'references', uris: ['a b\n.txt'] })).to.equal('references a%20b%0A.txt')
  })
})
