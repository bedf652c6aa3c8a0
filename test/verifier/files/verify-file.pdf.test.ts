import { RegistryError } from '@signed-registry/verifier'
import { expect } from 'chai'
import { type FileVerdict, verifyFile } from '#verifier/files/verify-file.js'
import { attacks } from '../../support/pdf/attacks.js'
import { contract } from '../../support/pdf/contract.js'
import { signedPdf, withFields } from '../../support/pdf/sign-pdf.js'
import { certified, signedBy, signedInItsField, signedOnce, signedTwice } from '../../support/pdf/signed-contracts.js'
import { updated } from '../../support/pdf/write-pdf.js'
import { testAuthorities, testClock } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'

describe('verifyFile of a PDF', () => {
  const clock = testClock()
  const authorities = testAuthorities({ clock })
  const [seller, buyer] = [authorities.person(), authorities.employee()]
  const sign = signedBy(seller)
  const verified = (pdf: Buffer) => verifyFile(pdf, { trust: trustOf(authorities), at: clock.now() })
  const problems = ({ problems: all }: FileVerdict) =>
    all.map(({ code, reason }) => [code, reason].filter(Boolean).join(' '))

  describe('proves', () => {
    const honest: Record<string, () => Buffer> = {
      'one signature': () => signedOnce(sign),
      'one of the older kind, as NCALayer makes it': () => signedOnce(sign, { subFilter: 'adbe.pkcs7.detached' }),
      'two signers one after the other': () => signedTwice(sign, signedBy(buyer)),
      'two signers, in streams of cross references': () => signedTwice(sign, signedBy(buyer), 'stream'),
      'two signers, in hybrid cross references': () => signedTwice(sign, signedBy(buyer), 'hybrid'),
      'signatures in the fields that were made for them': () => signedInItsField(sign),
      'an end of line that is not signed': () => Buffer.concat([signedOnce(sign, { end: '' }), Buffer.from('\r\n')]),
      'a certified document with another signature': () => {
        const { 1: catalog = '', 3: page = '' } = withFields(11, 21)
        const objects = { 1: catalog.replace(/>>$/, '/Perms<</DocMDP 10 0 R>>>>'), 3: page }
        return signedPdf(certified(sign, 2), { sign: signedBy(buyer), number: 20, objects })
      },
      'metadata and evidence that came afterwards': () =>
        updated(signedOnce(sign), {
          objects: {
            1: (withFields(11)[1] ?? '').replace(/>>$/, '/DSS<</Certs[]>>>>'),
            6: '<</Title(Contract)/ModDate(D:2026)>>',
          },
          trailer: '/Info 6 0 R',
        }),
    }
    for (const [name, make] of Object.entries(honest))
      it(name, async () => {
        const found = await verified(make())
        expect(found.problems).to.deep.equal([])
        expect(found.outcome).to.equal('proved')
        expect(found.documents.map(({ signed }) => signed)).to.deep.equal(['whole'])
      })
  })

  it('calls nothing wrong of a kind of signature that it does not judge, and names what is broken once', async () => {
    const other = await verified(signedOnce(sign, { subFilter: 'adbe.pkcs7.sha1' }))
    expect([other.outcome, problems(other)]).to.deep.equal(['unknown', ['unsupported subFilter']])
    const broken = await verified(signedOnce(sign, { contents: (hex) => '0'.repeat(hex.length) }))
    expect(problems(broken)).to.deep.equal(['signatureBroken contentsBroken'])
  })

  it('leaves a PDF that nobody signed open', async () => {
    const found = await verified(contract())
    expect([found.outcome, found.documents[0]?.signed]).to.deep.equal(['unknown', 'nothing'])
  })

  it('calls a signature wrong whose octets were changed', async () => {
    const pdf = signedOnce(sign)
    pdf[pdf.indexOf('Helvetica')] = 0x4a
    expect((await verified(pdf)).outcome).to.equal('wrong')
  })

  describe('does not accept', () => {
    for (const { family, name, found, make } of attacks)
      it(`${family}: ${name}`, async () => {
        try {
          const verdict = await verified(make(sign))
          expect(verdict.outcome).to.not.equal('proved')
          expect(problems(verdict)).to.include(found)
        } catch (error) {
          if (!(error instanceof RegistryError)) throw error
          expect(`refused ${error.details?.reason}`).to.equal(found)
        }
      })
  })
})
