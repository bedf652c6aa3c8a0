import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { sourceOf } from '#verifier/byte-source.js'
import { hashedRanges } from '#verifier/evidence/hashed-ranges.js'
import { readPdf } from '#verifier/pdf/read-pdf.js'
import { pageContent } from '../../support/pdf/contract.js'
import { signedPdf, withFields } from '../../support/pdf/sign-pdf.js'
import { signedBy, signedOnce, signedTwice } from '../../support/pdf/signed-contracts.js'
import { testAuthorities } from '../../support/pki/authorities.js'

const SHA_256 = '2.16.840.1.101.3.4.2.1'

describe('the ranges of signatures in a bundle', () => {
  const sign = signedBy(testAuthorities().person())
  const inBundle = (pdf: Buffer) =>
    readPdf(sourceOf(pdf)).signatures.map(({ signed, over }) => {
      if (over.of !== 'ranges') throw new TypeError('A PDF is signed by ranges')
      return { signed, statement: { coverage: { of: 'ranges', ranges: over.ranges } as const } }
    })
  const sha256 = (pdf: Buffer, ranges: readonly (readonly [number, number])[]) =>
    ranges.reduce((hash, [from, to]) => hash.update(pdf.subarray(from, to)), createHash('sha256')).digest('hex')

  it('are hashed, each', () => {
    const pdf = signedTwice(sign, sign)
    const signatures = inBundle(pdf)
    const found = hashedRanges(signatures, sourceOf(pdf))
    const hashes = signatures.map((one) => Buffer.from(found.get(one)?.get(SHA_256) ?? []).toString('hex'))
    expect(hashes).to.deep.equal(signatures.map(({ statement }) => sha256(pdf, statement.coverage.ranges)))
    expect(new Set(hashes).size).to.equal(2)
  })

  it('are those of the last signer alone where something was changed between two', () => {
    const objects = { ...withFields(11, 21), 4: pageContent('The buyer pays 900') }
    const pdf = signedPdf(signedOnce(sign), { sign, number: 20, objects })
    const [first, second] = inBundle(pdf)
    if (first === undefined || second === undefined) throw new TypeError('Two people signed')
    const found = hashedRanges([first, second], sourceOf(pdf))
    expect([found.has(first), found.has(second)]).to.deep.equal([false, true])
  })

  it('are none of a document that nobody shows, or of signatures over all of one', () => {
    const pdf = signedOnce(sign)
    expect(hashedRanges(inBundle(pdf), undefined).size).to.equal(0)
    expect(hashedRanges([{ signed: pdf, statement: {} }], sourceOf(pdf)).size).to.equal(0)
  })
})
