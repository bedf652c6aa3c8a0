import { expect } from 'chai'
import { sourceOf } from '#verifier/byte-source.js'
import { readPdf } from '#verifier/pdf/read-pdf.js'
import { contract } from '../../support/pdf/contract.js'
import { signedPdf, visibleField, withFields } from '../../support/pdf/sign-pdf.js'
import { presentAuthorities } from '../../support/pki/authorities.js'

describe('readPdf', () => {
  const authorities = presentAuthorities()
  const sign = (octets: Buffer) => authorities.named('person-2').signCms(octets)
  const once = () => signedPdf(contract(), { sign, number: 10, objects: withFields(11) })

  it('reads a signature, its ranges and the revisions of a file', () => {
    const pdf = once()
    const file = readPdf(sourceOf(pdf))
    expect(file.problems).to.deep.equal([])
    expect(file.signatures.map(({ name }) => name)).to.deep.equal(['Signature10'])
    expect(file.revisions.map(({ signatures }) => signatures)).to.deep.equal([[], [0]])
  })

  it('reads two signatures that were made one after the other', () => {
    for (const form of ['table', 'stream', 'hybrid'] as const) {
      const first = signedPdf(contract({ form }), {
        sign,
        number: 10,
        objects: withFields(11),
        field: visibleField('A', 10),
        form,
      })
      const second = signedPdf(first, {
        sign,
        number: 20,
        objects: withFields(11, 21),
        field: visibleField('B', 20, '300 72 500 122'),
        form,
      })
      const file = readPdf(sourceOf(second))
      expect(file.problems).to.deep.equal([])
      expect(file.signatures).to.have.length(2)
    }
  })
})
