import { RegistryError } from '@signed-registry/verifier'
import { expect } from 'chai'
import { PDFDocument } from 'pdf-lib'
import { verifyFile } from '#verifier/files/verify-file.js'
import { attacks } from '../../support/pdf/attacks.js'
import { contract } from '../../support/pdf/contract.js'
import { said, signedForeign, withPdf } from '../../support/pdf/sign-foreign.js'
import { type Sign, signedPdf, withFields } from '../../support/pdf/sign-pdf.js'
import { certified, signedBy, signedInItsField, signedOnce, signedTwice } from '../../support/pdf/signed-contracts.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'
import { onPath } from '../../support/programs.js'
import { runProgramSync } from '../../support/run-program.js'

const FORMS = ['table', 'stream', 'hybrid'] as const

describe('verifyFile of PDFs, beside poppler and qpdf', () => {
  const authorities = presentAuthorities()
  const trust = trustOf(authorities)
  const [rsa, ecdsa] = [authorities.person({ algorithm: 'rsa2048' }), authorities.person({ algorithm: 'p256' })]
  const [sign, second] = [signedBy(rsa), signedBy(ecdsa)]

  /** The signatures as pdfsig tells them: field, whether it is over all of the file, whether its value is right. */
  function poppler(pdf: Buffer) {
    const { text } = said(pdf, 'pdfsig', '-nocert')
    return text
      .split(/^Signature #\d+:$/m)
      .slice(1)
      .map((one) => ({
        field: /Signature Field Name: (.*)/.exec(one)?.[1],
        isTotal: /Total document signed/.test(one),
        says: /Signature Validation: (.*)/.exec(one)?.[1],
      }))
  }

  async function ours(pdf: Buffer) {
    const { outcome, problems, signatures, read } = await verifyFile(pdf, { trust })
    return {
      ...{ outcome, problems },
      signatures: signatures.map(({ file, indication, coverage }) => ({
        field: file,
        isTotal: coverage?.of === 'ranges' && coverage.ranges.at(-1)?.[1] === read.documents[0]?.size,
        says: indication === 'TOTAL-PASSED' ? 'Signature is Valid.' : indication,
      })),
    }
  }

  describe('comes to the same', () => {
    before(function () {
      if (onPath('pdfsig') === undefined || onPath('qpdf') === undefined) this.skip()
    })
    const packed = (form: (typeof FORMS)[number], by: Sign) =>
      signedPdf(contract({ form, packed: [5, 6] }), {
        ...{ sign: by, number: 10, form, objects: withFields(11), packed: [1, 3, 11] },
      })
    const honest: Record<string, () => Buffer> = {
      ...Object.fromEntries(
        FORMS.flatMap((form) => [
          [`one signature, ${form}`, () => signedOnce(sign, {}, form)],
          [`one signature by ECDSA, ${form}`, () => signedOnce(second, {}, form)],
          [`two signatures, ${form}`, () => signedTwice(sign, second, form)],
          ...(form === 'table' ? [] : [[`with objects in streams, ${form}`, () => packed(form, sign)] as const]),
        ]),
      ),
      'the older kind': () => signedOnce(sign, { subFilter: 'adbe.pkcs7.detached' }),
      'signatures in their fields': () => signedInItsField(sign),
      'a certified document': () => certified(sign, 2),
    }
    for (const [name, make] of Object.entries(honest))
      it(name, async () => {
        const pdf = make()
        const own = await ours(pdf)
        expect([own.outcome, own.problems]).to.deep.equal(['proved', []])
        expect(own.signatures.map(({ isTotal, ...one }) => one)).to.deep.equal(
          poppler(pdf).map(({ isTotal, ...one }) => one),
        )
        // poppler calls signed as a whole what ends with the last octet; we leave the end of a line open.
        expect(poppler(pdf).map(({ isTotal }) => isTotal)).to.deep.equal(own.signatures.map(({ isTotal }) => isTotal))
        const { status, text, errors } = said(pdf, 'qpdf', '--check')
        expect([status, errors], text).to.deep.equal([0, ''])
      })
  })

  describe('proves what other programs wrote and somebody signed then', () => {
    before(function () {
      if (onPath('pdfsig') === undefined || onPath('qpdf') === undefined) this.skip()
    })
    const converted = (pdf: Uint8Array, ...words: readonly string[]) =>
      withPdf(pdf, (path) => runProgramSync('qpdf', [...words, path, '-']).stdout as Buffer)
    const written = async (useObjectStreams: boolean) => {
      const made = await PDFDocument.create()
      for (const text of ['The buyer pays 100', 'and 5 more'])
        made.addPage([595, 842]).drawText(text, { x: 72, y: 700 })
      return Buffer.from(await made.save({ useObjectStreams }))
    }
    const foreign: Record<string, () => Promise<Buffer>> = {
      'pdf-lib, with object streams': () => written(true),
      'pdf-lib, without': () => written(false),
      'qpdf, with object streams': async () => converted(contract(), '--object-streams=generate'),
      'qpdf, without': async () => converted(await written(true), '--object-streams=disable'),
      'qpdf, linearized': async () => converted(contract(), '--linearize'),
      'qpdf, linearized and with object streams': async () =>
        converted(await written(false), '--linearize', '--object-streams=generate'),
    }
    for (const [name, make] of Object.entries(foreign))
      it(name, async () => {
        const pdf = signedForeign(await make(), sign)
        expect(poppler(pdf)).to.deep.equal([{ field: 'Foreign', isTotal: true, says: 'Signature is Valid.' }])
        const { outcome, problems } = await verifyFile(pdf, { trust })
        expect([outcome, problems]).to.deep.equal(['proved', []])
      })
  })

  it('never proves an attack, whatever poppler says', async function () {
    if (onPath('pdfsig') === undefined) this.skip()
    for (const { family, name, make } of attacks) {
      const pdf = make(sign)
      const own = await verifyFile(pdf, { trust }).then(
        ({ outcome, problems }) => `${outcome} ${problems.map(({ code }) => code).join(' ')}`,
        (error: unknown) => {
          if (!(error instanceof RegistryError)) throw error
          return `refused ${error.details?.reason}`
        },
      )
      const other = poppler(pdf).map(({ isTotal, says }) => `${says}${isTotal ? ' total' : ''}`)
      console.log(`      ${family}: ${name}: ours ${own}; poppler ${other.join(', ') || 'no signature'}`)
      expect(own, name).to.not.match(/^proved/)
    }
  })
})
