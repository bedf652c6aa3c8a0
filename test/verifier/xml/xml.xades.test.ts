import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { Certificate } from '#verifier/x509/certificate.js'
import { DEFAULT_CANONICALIZATION } from '#verifier/xml/canonicalization-method.js'
import { canonicalize } from '#verifier/xml/canonicalize.js'
import { parseXml } from '#verifier/xml/parse-xml.js'
import { readXmlSignature } from '#verifier/xml/read-xml-signature.js'
import { verifyXmlDocument } from '#verifier/xml/verify-xml-document.js'
import { testAuthorities } from '../../support/pki/authorities.js'
import { refusal } from '../../support/xml/refusal.js'
import {
  C14N,
  DSIG,
  descendants,
  ENVELOPED,
  EXC_C14N,
  SHA256,
  signatureTemplate,
  signTemplate,
  x509Data,
} from '../../support/xml/sign-template.js'

const XADES = 'http://uri.etsi.org/01903/v1.3.2#'
const SIGNED_PROPERTIES = 'http://uri.etsi.org/01903#SignedProperties'

describe('XAdES', () => {
  const authorities = testAuthorities()
  const person = authorities.person({ algorithm: 'p256' })
  const twin = authorities.person({ key: person.key })
  const certificate = Certificate.parse(person.certificate)
  const hash = (der: Uint8Array): string => createHash('sha256').update(der).digest('base64')
  const serial = BigInt(`0x${certificate.serialNumber}`)
  const issuerName = certificate.issuer.toString()

  interface Parts {
    readonly signed?: string
    readonly unsigned?: string
    readonly target?: string
    readonly type?: string
    readonly uri?: string
    readonly keyInfo?: string
    readonly extra?: string
    readonly namespace?: string
  }

  const certDigest = (der: Uint8Array): string =>
    `<xades:CertDigest><ds:DigestMethod Algorithm="${SHA256}"/><ds:DigestValue>${hash(der)}</ds:DigestValue></xades:CertDigest>`
  const v2 = (der: Uint8Array, issuerSerial = ''): string =>
    `<xades:SigningCertificateV2><xades:Cert>${certDigest(der)}${issuerSerial}</xades:Cert></xades:SigningCertificateV2>`
  const v1 = (der: Uint8Array, name: string, number: bigint): string =>
    `<xades:SigningCertificate><xades:Cert>${certDigest(der)}<xades:IssuerSerial><ds:X509IssuerName>${name.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</ds:X509IssuerName>` +
    `<ds:X509SerialNumber>${number}</ds:X509SerialNumber></xades:IssuerSerial></xades:Cert></xades:SigningCertificate>`

  function document(parts: Parts = {}): string {
    const signed = `<xades:SignedProperties Id="p"><xades:SignedSignatureProperties>${parts.signed ?? ''}</xades:SignedSignatureProperties></xades:SignedProperties>`
    const objects =
      `<ds:Object><xades:QualifyingProperties xmlns:xades="${parts.namespace ?? XADES}" Target="${parts.target ?? '#s'}">${signed}` +
      `${parts.unsigned ?? ''}</xades:QualifyingProperties></ds:Object>${parts.extra ?? ''}`
    const references = [
      { transforms: [ENVELOPED, C14N] },
      { uri: parts.uri ?? ' URI="#p"', type: parts.type ?? SIGNED_PROPERTIES, transforms: [EXC_C14N] },
    ]
    const options = { id: 's', references, objects, ...(parts.keyInfo === undefined ? {} : { keyInfo: parts.keyInfo }) }
    return signTemplate(`<a>${signatureTemplate(person, options)}</a>`, person)
  }

  const verdict = (xml: string): string => refusal(() => verifyXmlDocument(xml))
  const alone = (xml: string): string => xml.replace(/^<a>|<\/a>$/g, '')

  it('checks SignedProperties in a document and in a signature that stands alone', () => {
    const signed = document({ signed: '<xades:SigningTime>2026-06-01T12:00:00Z</xades:SigningTime>' })
    expect(verifyXmlDocument(signed).covers).to.equal('document')
    expect(readXmlSignature(alone(signed)).digests).to.have.length(1)
    const changed = signed.replace('2026', '2025')
    expect(verdict(changed)).to.equal('invalidSignature digest')
    expect(refusal(() => readXmlSignature(alone(changed)))).to.equal('invalidSignature digest')
  })

  describe('refuses wrapping of SignedProperties', () => {
    it('properties that no reference covers', () => {
      const extra = '<ds:Object><x Id="other"/></ds:Object>'
      expect(verdict(document({ uri: ' URI="#other"', type: 'urn:x', extra }))).to.equal(
        'invalidSignature signedPropertiesNotSigned',
      )
    })

    it('a reference of that type to something else', () => {
      const extra = '<ds:Object><x Id="other"/></ds:Object>'
      expect(verdict(document({ uri: ' URI="#other"', extra }))).to.equal('invalidSignature signedPropertiesMisplaced')
    })

    it('properties moved aside and replaced', () => {
      const signed = document({ signed: v2(person.certificate) })
      const properties = /<xades:SignedProperties.*<\/xades:SignedProperties>/.exec(signed)?.[0] ?? ''
      const forged = signed
        .replace(properties, properties.replace(' Id="p"', ' Id="q"'))
        .replace('</ds:Signature>', `<ds:Object xmlns:xades="${XADES}">${properties}</ds:Object></ds:Signature>`)
      expect(verdict(forged)).to.not.equal('accepted')
    })

    it('properties taken out of an enveloping signature, to be the document that it is over', () => {
      const object = '<ds:Object Id="o">a contract</ds:Object>'
      const enveloping = (type: string): string => {
        const properties = `<ds:Object><xades:QualifyingProperties xmlns:xades="${XADES}" Target="#s"><xades:SignedProperties Id="p"/></xades:QualifyingProperties></ds:Object>`
        const references = [{ uri: ' URI="#o"' }, { uri: ' URI="#p"', type, transforms: [EXC_C14N] }]
        return signTemplate(signatureTemplate(person, { id: 's', references, objects: object + properties }), person)
      }
      const without = (xml: string): string => xml.replace(/<ds:Object><xades.*<\/ds:Object>/, '')
      const alone = (type: string): string => refusal(() => readXmlSignature(without(enveloping(type))))
      expect(verifyXmlDocument(enveloping(SIGNED_PROPERTIES), { covers: 'element' }).contents).to.have.length(1)
      expect(alone(SIGNED_PROPERTIES)).to.equal('invalidSignature signedPropertiesMisplaced')
      expect(alone(SIGNED_PROPERTIES.replace('01903', '01903/v1.1.1'))).to.equal(
        'invalidSignature signedPropertiesMisplaced',
      )
      expect(alone(`${DSIG}Manifest`)).to.equal('signatureNotParsed manifest')
      expect(alone(`${DSIG}SignatureProperties`)).to.equal('signatureNotParsed documentReferenceMissing')
    })

    it('a reference of that type to something outside', () => {
      const bytes = Buffer.from('properties')
      const digestValue = createHash('sha256').update(bytes).digest('base64')
      const references = [{ uri: ' URI="p.xml"', type: SIGNED_PROPERTIES, digestValue }]
      const signed = signTemplate(signatureTemplate(person, { references }), person)
      const outcome = refusal(() => verifyXmlDocument(signed, { resolve: () => bytes }))
      expect(outcome).to.equal('invalidSignature signedPropertiesMisplaced')
    })

    it('properties about another signature, and several of them', () => {
      expect(verdict(document({ target: '#other' }))).to.equal('invalidSignature qualifyingPropertiesTarget')
      const extra = `<ds:Object><xades:QualifyingProperties xmlns:xades="${XADES}" Target="#s"/></ds:Object>`
      expect(verdict(document({ extra }))).to.equal('signatureNotParsed severalQualifyingProperties')
    })
  })

  describe('compares the signing certificate', () => {
    it('takes the right hash, alone or with the right issuer and serial number', () => {
      expect(verdict(document({ signed: v2(person.certificate) }))).to.equal('accepted')
      expect(verdict(document({ signed: v1(person.certificate, issuerName, serial) }))).to.equal('accepted')
    })

    it('takes the digest in the namespace of XAdES, as 1.1.1 and 1.2.2 have it', () => {
      const own = (property: string): string => property.replaceAll(/ds:(Digest(?:Method|Value))/g, 'xades:$1')
      for (const version of ['v1.1.1', 'v1.2.2', 'v1.3.2']) {
        const dated = (property: string) =>
          verdict(document({ signed: own(property), namespace: XADES.replace('v1.3.2', version) }))
        expect(dated(v1(person.certificate, issuerName, serial))).to.equal('accepted')
        expect(dated(v1(twin.certificate, issuerName, serial))).to.equal('badSignerCertificate signingCertificate')
      }
    })

    it('takes the issuer in other spellings', () => {
      const spellings = [
        issuerName.split(',').reverse().join(', '),
        issuerName.toLowerCase().replaceAll(',', ' ,  '),
        issuerName.replaceAll(/(^|,)([A-Z]+)=([^,]*)/g, '$1$2="$3"'),
        issuerName.replace('CN=', 'OID.2.5.4.3='),
        issuerName.replace('CN=', '2.5.4.3=').replaceAll(',', ';'),
      ]
      for (const spelling of spellings) {
        expect(verdict(document({ signed: v1(person.certificate, spelling, serial) })), spelling).to.equal('accepted')
      }
    })

    it('refuses a signer that was swapped: same key, other certificate', () => {
      const keyInfo = x509Data(twin)
      expect(verdict(document({ keyInfo, signed: '' }))).to.equal('accepted')
      expect(verdict(document({ keyInfo, signed: v2(person.certificate) }))).to.equal(
        'badSignerCertificate signingCertificate',
      )
    })

    it('tells two certificates of one key apart', () => {
      const keyInfo = x509Data(twin, person)
      const { signature } = verifyXmlDocument(document({ keyInfo, signed: v2(person.certificate) }))
      expect(Buffer.from(signature.signer.der).equals(person.certificate)).to.equal(true)
    })

    it('refuses a wrong issuer or serial number beside the right hash', () => {
      const wrong = 'badSignerCertificate signingCertificateIssuer'
      expect(verdict(document({ signed: v1(person.certificate, issuerName, serial + 1n) }))).to.equal(wrong)
      for (const name of ['CN=x', `${issuerName},C=KZ`, '', 'CN', '#'])
        expect(verdict(document({ signed: v1(person.certificate, name, serial) })), name).to.equal(wrong)
      const issuerSerial = (der: Buffer): string =>
        `<xades:IssuerSerialV2>${der.toString('base64')}</xades:IssuerSerialV2>`
      expect(
        verdict(document({ signed: v2(person.certificate, issuerSerial(issuerSerialDer(certificate))) })),
      ).to.equal('accepted')
      expect(
        verdict(
          document({
            signed: v2(person.certificate, issuerSerial(issuerSerialDer(Certificate.parse(twin.certificate)))),
          }),
        ),
      ).to.equal(wrong)
      expect(verdict(document({ signed: v2(person.certificate, issuerSerial(Buffer.from('3000', 'hex'))) }))).to.equal(
        wrong,
      )
    })

    it('refuses a SHA-1 hash, several properties and numbers that are none', () => {
      const sha1 = v2(person.certificate).replace(SHA256, `${DSIG}sha1`)
      expect(verdict(document({ signed: sha1 }))).to.equal('algorithmNotTrusted digest')
      expect(
        verdict(document({ signed: v2(person.certificate) + v1(person.certificate, issuerName, serial) })),
      ).to.equal('signatureNotParsed severalSigningCertificates')
      const hex = v1(person.certificate, issuerName, serial).replace(`>${serial}<`, '>0x1<')
      expect(verdict(document({ signed: hex }))).to.equal('signatureNotParsed serialNumber')
    })
  })

  describe('takes evidence out', () => {
    const unsigned = (content: string): string =>
      `<xades:UnsignedProperties><xades:UnsignedSignatureProperties>${content}</xades:UnsignedSignatureProperties></xades:UnsignedProperties>`
    const stamp = (content: string): string =>
      unsigned(`<xades:SignatureTimeStamp>${content}</xades:SignatureTimeStamp>`)
    const token = '<xades:EncapsulatedTimeStamp>AQID</xades:EncapsulatedTimeStamp>'
    const valueElement = (xml: string) => {
      const found = descendants(parseXml(xml).root).find((element) => element.is(DSIG, 'SignatureValue'))
      if (found === undefined) throw new TypeError('no SignatureValue')
      return found
    }

    it('a time stamp, with the canonical SignatureValue that it must be over', () => {
      const exclusive = `<ds:CanonicalizationMethod Algorithm="${EXC_C14N}"/>`
      const signed = document({ unsigned: stamp(exclusive + token) })
      const { timeStamp, signatureValue } = verifyXmlDocument(signed).signature
      expect(timeStamp?.token).to.deep.equal(Buffer.from([1, 2, 3]))
      const imprinted = `<ds:SignatureValue xmlns:ds="${DSIG}">${Buffer.from(signatureValue).toString('base64')}</ds:SignatureValue>`
      expect(Buffer.from(timeStamp?.imprinted ?? []).toString('utf8')).to.equal(imprinted)
      const inclusive = document({ unsigned: stamp(token) }).replace('<a>', '<a xmlns:n="urn:n" xml:lang="kk">')
      const resigned = signTemplate(inclusive.replace(/(<ds:(?:Digest|Signature)Value>)[^<]*/g, '$1'), person)
      expect(Buffer.from(verifyXmlDocument(resigned).signature.timeStamp?.imprinted ?? []).toString('utf8')).to.equal(
        canonicalize(valueElement(resigned), DEFAULT_CANONICALIZATION).toString(),
      )
    })

    it('refuses several time stamps, and other forms of them', () => {
      const one = `<xades:SignatureTimeStamp>${token}</xades:SignatureTimeStamp>`
      expect(verdict(document({ unsigned: unsigned(one + one) }))).to.equal('invalidTspTimeStamp severalTimeStamps')
      expect(verdict(document({ unsigned: stamp(token + token) }))).to.equal('invalidTspTimeStamp severalTimeStamps')
      expect(verdict(document({ unsigned: stamp('') }))).to.equal('invalidTspTimeStamp severalTimeStamps')
      expect(verdict(document({ unsigned: stamp('<xades:XMLTimeStamp/>') }))).to.equal(
        'invalidTspTimeStamp timeStampForm',
      )
      expect(verdict(document({ unsigned: stamp(`<xades:Include URI="#s"/>${token}`) }))).to.equal(
        'invalidTspTimeStamp timeStampForm',
      )
      const ber = token.replace('>', ' Encoding="http://uri.etsi.org/01903/v1.2.2#BER">')
      expect(verdict(document({ unsigned: stamp(ber) }))).to.equal('invalidTspTimeStamp timeStampForm')
    })

    const revocation = (...answers: readonly Uint8Array[]): string =>
      unsigned(
        `<xades:RevocationValues><xades:OCSPValues>${answers
          .map(
            (der) =>
              `<xades:EncapsulatedOCSPValue>${Buffer.from(der).toString('base64')}</xades:EncapsulatedOCSPValue>`,
          )
          .join('')}</xades:OCSPValues></xades:RevocationValues>`,
      )
    const basic = Buffer.from('30023000', 'hex')
    const wrapped = Buffer.from('30170a0100a012301006092b06010505073001010403', 'hex')

    it('an OCSP answer, out of its envelope', () => {
      expect(verifyXmlDocument(document({ unsigned: revocation(basic) })).signature.ocsp).to.deep.equal(basic)
      const response = Buffer.concat([Buffer.from('30180a0100a013301106092b06010505073001010404', 'hex'), basic])
      expect(verifyXmlDocument(document({ unsigned: revocation(response) })).signature.ocsp).to.deep.equal(basic)
    })

    it('refuses several OCSP answers, failures and rubbish', () => {
      expect(verdict(document({ unsigned: revocation(basic, basic) }))).to.equal('invalidOcspData severalAnswers')
      for (const der of [
        Buffer.from('30030a0103', 'hex'),
        wrapped,
        Buffer.from('30', 'hex'),
        Buffer.from('0000', 'hex'),
      ])
        expect(verdict(document({ unsigned: revocation(der) }))).to.equal('invalidOcspData answerForm')
    })

    it('certificates for the path', () => {
      const values = unsigned(
        `<xades:CertificateValues><xades:EncapsulatedX509Certificate>${person.issuer.toString('base64')}</xades:EncapsulatedX509Certificate></xades:CertificateValues>`,
      )
      const { certificates } = verifyXmlDocument(document({ unsigned: values })).signature
      expect(certificates.map(({ der }) => Buffer.from(der))).to.deep.equal([person.certificate, person.issuer])
    })
  })
})

/** IssuerSerial (RFC 5035, section 3) of a certificate. */
function issuerSerialDer({ issuer, serialBytes }: Certificate): Buffer {
  const element = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
    const content = Buffer.concat(contents)
    const length =
      content.length < 0x80
        ? [content.length]
        : content.length < 0x100
          ? [0x81, content.length]
          : [0x82, content.length >> 8, content.length & 0xff]
    return Buffer.concat([Buffer.from([tag, ...length]), content])
  }
  return element(0x30, element(0x30, element(0xa4, issuer.der)), element(0x02, serialBytes))
}
