import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { readXmlSignature } from '#verifier/xml/read-xml-signature.js'
import { testAuthorities } from '../../support/pki/authorities.js'
import { refusal } from '../../support/xml/refusal.js'
import {
  C14N,
  ENVELOPED,
  signatureTemplate,
  signTemplate,
  signValue,
  type TemplateReference,
} from '../../support/xml/sign-template.js'

describe('XML signature that stands alone', () => {
  const person = testAuthorities().person({ algorithm: 'p256' })
  const original = Buffer.from('<a><b></b></a>')
  const digestValue = createHash('sha256').update(original).digest('base64')
  const alone = (references: readonly TemplateReference[], objects = ''): string =>
    signTemplate(signatureTemplate(person, { references, objects, id: 's' }), person)
  const verdict = (xml: string): string => refusal(() => readXmlSignature(xml))

  it('says what the document must hash to, and keeps the element as received', () => {
    const { signature, data } = person.signXml('<a xmlns="urn:a"><b/></a>')
    const read = readXmlSignature(`<?xml version="1.0"?>\n${signature}\n`)
    expect(read.digests).to.deep.equal([
      { oid: '2.16.840.1.101.3.4.2.1', value: createHash('sha256').update(data).digest() },
    ])
    expect(Buffer.from(read.kept).toString('utf8')).to.equal(signature)
    expect(Buffer.from(read.signer.der).equals(person.certificate)).to.equal(true)
    expect(read.signatureValue).to.have.length(64)
    expect(read.timeStamp).to.equal(undefined)
    expect(read.ocsp).to.equal(undefined)
  })

  for (const uri of [' URI=""', '', ' URI="#document"', ' URI="#xpointer(/)"', ' URI="#xpointer(id(\'d\'))"']) {
    it(`takes the reference${uri === '' ? ' without URI' : uri} for the one to the document`, () => {
      const transforms = [ENVELOPED, C14N]
      const signed = signValue(signatureTemplate(person, { references: [{ uri, transforms, digestValue }] }), person)
      expect(readXmlSignature(signed).digests[0]?.value).to.deep.equal(Buffer.from(digestValue, 'base64'))
    })
  }

  it('checks references to its own parts', () => {
    const references = [{ digestValue }, { uri: ' URI="#o"' }]
    const signed = alone(references, '<ds:Object Id="o">note</ds:Object>')
    expect(verdict(signed)).to.equal('accepted')
    expect(verdict(signed.replace('note', 'nope'))).to.equal('invalidSignature digest')
  })

  it('has the same fingerprint whatever the signature value, another for another signer', () => {
    const template = signatureTemplate(person, { references: [{ digestValue }] })
    const [first, second] = [signValue(template, person), signValue(template, person)].map((xml) =>
      readXmlSignature(xml),
    )
    expect(first?.signatureValue).to.not.deep.equal(second?.signatureValue)
    expect(first?.fingerprint).to.deep.equal(second?.fingerprint)
  })

  it('refuses none and several references to the document', () => {
    expect(verdict(alone([{ uri: ' URI="#o"' }], '<ds:Object Id="o"/>'))).to.equal('signatureNotParsed enveloping')
    const keyAlone = signatureTemplate(person, { references: [{ uri: ' URI="#k"' }] })
    expect(verdict(signTemplate(keyAlone.replace('<ds:KeyInfo>', '<ds:KeyInfo Id="k">'), person))).to.equal(
      'signatureNotParsed documentReferenceMissing',
    )
    expect(verdict(alone([{ digestValue }, { digestValue }]))).to.equal('signatureNotParsed severalDocumentReferences')
    expect(verdict(alone([{ digestValue }, { uri: ' URI="#x"', digestValue }]))).to.equal(
      'signatureNotParsed severalDocumentReferences',
    )
  })

  it('refuses external references, and one to the signature itself', () => {
    expect(verdict(alone([{ uri: ' URI="http://localhost/"', digestValue }]))).to.equal(
      'signatureNotParsed externalReference',
    )
    expect(verdict(alone([{ digestValue }, { uri: ' URI="#s"', digestValue }]))).to.equal(
      'signatureNotParsed referenceToSignature',
    )
  })

  it('refuses anything but the Signature element', () => {
    const signed = alone([{ digestValue }])
    expect(verdict(person.signXml('<a/>').document)).to.equal('signatureNotParsed signatureMissing')
    expect(verdict(`<!-- x -->${signed}`)).to.equal('signatureNotParsed notSignatureAlone')
    expect(verdict(`${signed}<?p?>`)).to.equal('signatureNotParsed notSignatureAlone')
    expect(verdict(`${signed}${signed}`)).to.equal('signatureNotParsed notWellFormed')
    expect(verdict(signed.replaceAll('http://www.w3.org/2000/09/xmldsig#"', 'urn:x"'))).to.equal(
      'signatureNotParsed signatureMissing',
    )
    expect(verdict('')).to.equal('signatureNotParsed notWellFormed')
  })

  it('refuses one that is longer than what is kept', () => {
    expect(verdict(alone([{ digestValue }], `<ds:Object>${'x'.repeat(262_144)}</ds:Object>`))).to.equal(
      'signatureNotParsed tooLarge',
    )
  })

  it('refuses another value, another document digest and another signer', () => {
    const signed = alone([{ digestValue }])
    const other = createHash('sha256').update('other').digest('base64')
    expect(verdict(signed.replace(digestValue, other))).to.equal('invalidSignature signatureValue')
    expect(verdict(signed.replace(digestValue, 'AAAA'))).to.equal('signatureNotParsed digestLength')
  })
})
