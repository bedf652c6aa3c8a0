import { expect } from 'chai'
import type { Certificate } from '#verifier/x509/certificate.js'
import { textNodes } from '#verifier/xml/text-nodes.js'
import { verifyXmlDocument, verifyXmlSignatures } from '#verifier/xml/verify-xml-document.js'
import { conformanceFile, requireConformance } from '../support/conformance.js'
import { refusal } from '../support/xml/refusal.js'

const read = (name: string): string => conformanceFile(`kz/xml/${name}`).toString('utf8')
const iin = ({ subject }: Certificate): string | undefined => subject.texts('2.5.4.5')[0]

describe('conformance: Kazakh XML signatures', () => {
  before(function () {
    requireConformance(this, 'kz/xml/ncanode_0.xml')
  })

  it('verifies an RSA signature over the whole document', () => {
    const { signature, covers, signedBytes } = verifyXmlDocument(read('ncanode_0.xml'))
    expect(covers).to.equal('document')
    expect(textNodes(signedBytes)).to.deep.equal(['test'])
    expect(iin(signature.signer)).to.equal('IIN123456789011')
    expect(signature.signAlgorithm).to.equal('1.2.840.113549.1.1.11')
  })

  it('verifies RSA and GOST 34.10-2015 signatures of one document, last in, first out', () => {
    const verified = verifyXmlSignatures(read('ncanode_1.xml'))
    expect(verified.map(({ covers }) => covers)).to.deep.equal(['document', 'document'])
    expect(verified.map(({ signature }) => iin(signature.signer))).to.deep.equal(['IIN123456789011', 'IIN123456789012'])
    expect(verified[1]?.signature.signAlgorithm).to.equal('1.2.398.3.10.1.1.2.3.2')
  })

  it('refuses either with one character changed', () => {
    const both = read('ncanode_1.xml')
    const changes = [
      '<b>test',
      'rsa-sha256',
      '9KpJ',
      'aAeSW',
      '9KSGy',
      'JXtg',
      'gostr34112015-512"/>\n<ds:DigestValue>',
    ]
    for (const part of changes) {
      expect(both).to.contain(part)
      const changed = both.replace(
        part,
        part.replace(/[a-zA-Z](?=[^a-zA-Z]*$)/, (letter) => (letter === 'b' ? 'c' : 'b')),
      )
      expect(
        refusal(() => verifyXmlSignatures(changed)),
        part,
      ).to.not.equal('accepted')
    }
  })
})
