import { expect } from 'chai'
import { sourceOf } from '#verifier/byte-source.js'
import { isPdfAsSigned, isSignatureInGap, leaveOutRevisions } from '#verifier/evidence/signature-in-gap.js'
import { readPdf } from '#verifier/pdf/read-pdf.js'
import { pageContent } from '../../support/pdf/contract.js'
import { signedPdf, withFields } from '../../support/pdf/sign-pdf.js'
import { signedBy, signedOnce } from '../../support/pdf/signed-contracts.js'
import { testAuthorities } from '../../support/pki/authorities.js'

describe('what stands between the ranges of a signature', () => {
  const authorities = testAuthorities()
  const pdf = signedOnce(signedBy(authorities.person()))
  const [one] = readPdf(sourceOf(pdf)).signatures
  const ranges = one?.over.of === 'ranges' ? one.over.ranges : []
  const [[, from] = [0, 0], [to, end] = [0, 0]] = ranges
  const signed = one?.signed ?? new Uint8Array()
  const isIn = (content: Buffer, own = ranges) => isSignatureInGap(signed, own, sourceOf(content))
  const written = (text: string, at: number) => {
    const changed = Buffer.from(pdf)
    changed.write(text, at, 'latin1')
    return changed
  }

  it('is its hexadecimal string, and zeros behind it', () => {
    expect(isIn(pdf)).to.equal(true)
    expect(isIn(written('0 \n0', to - 10))).to.equal(true)
    for (const [text, at] of [
      ['(a)', to - 10],
      ['1', to - 10],
      ['>', to - 10],
      ['(', from],
      ['00', from + 1],
      ['%XXX-', 0],
    ] as const)
      expect(isIn(written(text, at)), `${text} at ${at}`).to.equal(false)
  })

  it('is of this signature, and of the only gap', () => {
    expect(isSignatureInGap(authorities.person().signCms(pdf), ranges, sourceOf(pdf))).to.equal(false)
    expect(isSignatureInGap(Buffer.from('no CMS'), ranges, sourceOf(pdf))).to.equal(false)
    for (const other of [
      [[0, end]],
      [
        [1, from],
        [to, end],
      ],
      [
        [0, from - 1],
        [to, end],
      ],
      [
        [0, from],
        [to, end + 1],
      ],
      [
        [0, from],
        [to, end - 1],
        [end - 1, end],
      ],
    ] as const)
      expect(isIn(pdf, other), JSON.stringify(other)).to.equal(false)
  })

  it('is judged with what later revisions changed, where the ranges end before the file', () => {
    const sign = signedBy(authorities.person())
    const again = (objects: Record<number, Buffer | string>) =>
      sourceOf(signedPdf(pdf, { sign, number: 20, objects: { ...withFields(11, 21), ...objects } }))
    expect(leaveOutRevisions({ of: 'ranges', ranges }, pdf.length)).to.equal(false)
    expect(leaveOutRevisions({ of: 'ranges', ranges }, again({}).size)).to.equal(true)
    expect(leaveOutRevisions(undefined, 1)).to.equal(false)
    expect(isPdfAsSigned(again({}))).to.equal(true)
    expect(isPdfAsSigned(again({ 4: pageContent('The buyer pays 900') }))).to.equal(false)
    expect(isPdfAsSigned(sourceOf(Buffer.from('%PDF-1.7 and nothing else')))).to.equal(false)
  })
})
