import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { expect } from 'chai'
import { defaultAlgorithmPolicy } from '#verifier/algorithms/policy.js'
import { type CmsOptions, readCms } from '#verifier/cms/read-cms.js'
import { writeElement } from '#verifier/der/writer.js'
import {
  algorithm,
  attribute,
  hash,
  integer,
  keyPairs,
  makeCms,
  name,
  newSigner,
  nul,
  octets,
  oid,
  oids,
  pssWithSha256,
  type Signer,
  seq,
  signPss,
  TEXT,
} from '../../support/cms-recipe.js'
import { expectRefusal } from '../../support/refusal.js'

const MD5 = '1.2.840.113549.2.5'
const SUBJECT_KEY_IDENTIFIER = '2.5.29.14'
const ess2 = (certificate: Uint8Array, ...issuerSerial: Uint8Array[]) =>
  attribute(oids.signingCertificateV2, seq(seq(seq(octets(hash(oids.sha256, certificate)), ...issuerSerial))))
const ess2By = (digestOid: string, name: string, certificate: Uint8Array) =>
  attribute(
    oids.signingCertificateV2,
    seq(seq(seq(algorithm(digestOid), octets(createHash(name).update(certificate).digest())))),
  )
const ess1 = (certificate: Uint8Array) =>
  attribute(oids.signingCertificate, seq(seq(seq(octets(hash(oids.sha1, certificate))))))
const issuerSerial = ({ issuer, serial }: Signer) => seq(seq(writeElement(0xa4, issuer)), serial)
const basicResponse = seq(seq(), algorithm(oids.sha256WithRsa, nul))
const ocspValues = (...answers: Uint8Array[]) => seq(writeElement(0xa1, seq(...answers)))

describe('reading a CMS', () => {
  let signer: Signer
  let other: Signer
  before(() => {
    signer = newSigner()
    other = newSigner({ name: 'Other', serial: 6 })
  })

  describe('of the accepted profile', () => {
    it('gives what a detached CMS signs', () => {
      const der = makeCms({ signer })
      const read = readCms(der)
      expect(read.signAlgorithm).to.equal(oids.sha256WithRsa)
      expect(read.digests).to.deep.equal([{ oid: oids.sha256, value: new Uint8Array(hash(oids.sha256, TEXT)) }])
      expect(Buffer.from(read.signer.der)).to.deep.equal(Buffer.from(signer.certificate))
      expect(read.kept).to.equal(der)
      for (const absent of ['content', 'timeStamp', 'ocsp'] as const) expect(read[absent]).to.equal(undefined)
    })

    it('takes the data out and keeps every other octet', () => {
      const recipe = { signer, signed: (right: readonly Uint8Array[]) => [...right].reverse(), unsorted: true }
      const read = readCms(makeCms({ ...recipe, attached: true }))
      expect(Buffer.from(read.content ?? [])).to.deep.equal(TEXT)
      expect(Buffer.from(read.kept)).to.deep.equal(Buffer.from(makeCms(recipe)))
      expect(readCms(read.kept).fingerprint).to.deep.equal(read.fingerprint)
    })

    it('leaves the given bytes as they were', () => {
      const der = Buffer.from(makeCms({ signer }))
      const before = Buffer.from(der)
      readCms(der)
      readCms(der)
      expect(der).to.deep.equal(before)
    })

    for (const [curve, digestOid, algorithmOid] of [
      ['p256', oids.sha256, oids.ecdsaWithSha256],
      ['p384', oids.sha384, '1.2.840.10045.4.3.3'],
      ['p521', oids.sha512, '1.2.840.10045.4.3.4'],
    ] as const)
      it(`accepts ECDSA on ${curve}`, () => {
        const keys = keyPairs[curve]()
        const read = readCms(
          makeCms({ signer: newSigner({ keys }), digestOid, signatureAlgorithm: algorithm(algorithmOid) }),
        )
        expect(read.scheme.family).to.equal('ecdsa')
      })

    it('accepts RSA-PSS', () => {
      const recipe = { signer, sign: signPss(signer.privateKey, 'sha256', 32) }
      expect(readCms(makeCms({ ...recipe, signatureAlgorithm: pssWithSha256 })).scheme.family).to.equal('pss')
    })

    it('finds the signer by subject key identifier', () => {
      const identifier = octets(Uint8Array.of(1, 2, 3))
      const withId = newSigner({ extensions: [seq(oid(SUBJECT_KEY_IDENTIFIER), octets(identifier))] })
      const der = makeCms({
        signer: withId,
        sid: writeElement(0x80, Uint8Array.of(1, 2, 3)),
        signerVersion: 3,
        version: 3,
        certificates: [other.certificate, withId.certificate],
      })
      expect(Buffer.from(readCms(der).signer.der)).to.deep.equal(Buffer.from(withId.certificate))
    })

    it('hands out a time stamp and an OCSP answer as received, and names what it does not understand', () => {
      const token = seq(oid('1.2.3'))
      const read = readCms(
        makeCms({
          signer,
          unsigned: [
            attribute(oids.timeStamp, token),
            attribute(oids.revocationValues, ocspValues(basicResponse)),
            attribute('1.2.3.4', nul),
          ],
        }),
      )
      expect(Buffer.from(read.timeStamp?.token ?? [])).to.deep.equal(Buffer.from(token))
      expect(read.timeStamp?.imprinted).to.deep.equal(read.signatureValue)
      expect(Buffer.from(read.ocsp ?? [])).to.deep.equal(Buffer.from(basicResponse))
      expect(read.ignoredAttributes).to.deep.equal(['1.2.3.4'])
    })

    it('distinguishes two signatures of one signer over one document only by what is signed', () => {
      const ecdsa = newSigner({ keys: keyPairs.p256() })
      const first = readCms(makeCms({ signer: ecdsa }))
      const again = readCms(makeCms({ signer: ecdsa }))
      expect(first.signatureValue).not.to.deep.equal(again.signatureValue)
      expect(first.fingerprint).to.deep.equal(again.fingerprint)
      const elsewhere = readCms(makeCms({ signer: ecdsa, content: Buffer.from('another') }))
      expect(elsewhere.fingerprint).not.to.deep.equal(first.fingerprint)
    })
  })

  it('knows an ECDSA signature again when its value was changed into the other right one (malleability)', () => {
    const ecdsa = newSigner({ keys: keyPairs.p256() })
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
    const sign256 = (bytes: Uint8Array) => sign('sha256', bytes, { key: ecdsa.privateKey, dsaEncoding: 'ieee-p1363' })
    const number = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
    const unsigned = (value: bigint) => {
      const hex = value.toString(16)
      const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
      return integer(...(bytes.readUInt8(0) < 0x80 ? [] : [0]), ...bytes)
    }
    const values: Uint8Array[] = []
    const right = readCms(
      makeCms({
        signer: ecdsa,
        sign: (bytes) => {
          const raw = sign256(bytes)
          const [r, s] = [number(raw.subarray(0, 32)), number(raw.subarray(32))]
          values.push(seq(unsigned(r), unsigned(order - s)))
          return seq(unsigned(r), unsigned(s))
        },
      }),
    )
    const other = readCms(makeCms({ signer: ecdsa, sign: () => values[0] as Uint8Array }))
    expect(other.signatureValue).not.to.deep.equal(right.signatureValue)
    expect(other.fingerprint).to.deep.equal(right.fingerprint)
  })

  describe('refuses', () => {
    const refuse = (
      title: string,
      code: string,
      reason: string | undefined,
      der: () => Uint8Array,
      options?: Parameters<typeof readCms>[1],
    ) => it(title, () => void expectRefusal(code, reason, () => readCms(der(), options)))

    refuse('a CMS without a signer', 'invalidSignature', 'notExactlyOneSigner', () =>
      makeCms({ signer, signerInfos: () => [] }),
    )
    refuse('a CMS with two signers', 'invalidSignature', 'notExactlyOneSigner', () =>
      makeCms({ signer, signerInfos: (right) => [right, right] }),
    )
    refuse('a signer without signed attributes', 'invalidSignature', 'signedAttributesMissing', () =>
      makeCms({ signer, signed: () => undefined, attached: true }),
    )
    refuse('empty signed attributes', 'signatureNotParsed', 'notDer', () => makeCms({ signer, signed: () => [] }))
    refuse('a missing message digest', 'invalidSignature', 'messageDigest', () =>
      makeCms({ signer, signed: ([contentType]) => [contentType as Uint8Array] }),
    )
    refuse('a missing content type', 'invalidSignature', 'contentType', () =>
      makeCms({ signer, signed: ([, messageDigest]) => [messageDigest as Uint8Array] }),
    )
    refuse('a doubled message digest', 'invalidSignature', 'signedAttributeDoubled', () =>
      makeCms({ signer, signed: (right) => [...right, attribute(oids.messageDigest, octets(Buffer.alloc(32)))] }),
    )
    refuse('any signed attribute type that is doubled', 'invalidSignature', 'signedAttributeDoubled', () =>
      makeCms({ signer, signed: (right) => [...right, attribute('1.2.3', nul), attribute('1.2.3', integer(1))] }),
    )
    refuse('a message digest with two values', 'invalidSignature', 'signedAttributeValues', () =>
      makeCms({
        signer,
        signed: ([contentType]) => [
          contentType as Uint8Array,
          attribute(oids.messageDigest, octets(hash(oids.sha256, TEXT)), octets(Buffer.alloc(32))),
        ],
      }),
    )
    refuse('a message digest that is not of the data it carries', 'invalidSignature', 'messageDigest', () =>
      makeCms({
        signer,
        attached: true,
        signed: ([contentType]) => [contentType as Uint8Array, attribute(oids.messageDigest, octets(Buffer.alloc(32)))],
      }),
    )
    refuse('a message digest of the wrong length', 'invalidSignature', 'messageDigest', () =>
      makeCms({
        signer,
        signed: ([contentType]) => [contentType as Uint8Array, attribute(oids.messageDigest, octets(Buffer.alloc(20)))],
      }),
    )
    refuse('a content type that contradicts the content', 'invalidSignature', 'contentType', () =>
      makeCms({
        signer,
        signed: ([, messageDigest]) => [attribute(oids.contentType, oid('1.2.3')), messageDigest as Uint8Array],
      }),
    )
    refuse('content that is not data, such as a time stamp', 'invalidSignature', 'contentNotData', () =>
      makeCms({ signer, contentType: '1.2.840.113549.1.9.16.1.4', version: 3 }),
    )
    refuse(
      'content that is the signed attributes of another signature (lamps-cms-euf-cma)',
      'invalidSignature',
      'contentLooksLikeSignedAttributes',
      () =>
        makeCms({
          signer,
          attached: true,
          content: writeElement(
            0x31,
            attribute(oids.contentType, oid(oids.data)),
            attribute(oids.messageDigest, octets(Buffer.alloc(32))),
          ),
        }),
    )
    refuse(
      'a digest algorithm that contradicts the signature algorithm (DSS-1419)',
      'signatureAlgorithmNotSupported',
      'digestContradicts',
      () =>
        makeCms({
          signer,
          digestOid: oids.sha512,
          signatureAlgorithm: algorithm(oids.sha256WithRsa, nul),
          sign: (bytes) => sign('sha256', bytes, signer.privateKey),
        }),
    )
    refuse('a digest algorithm that the CMS does not list', 'invalidSignature', 'digestAlgorithmNotListed', () =>
      makeCms({ signer, digestAlgorithms: [] }),
    )
    refuse('junk parameters of the digest algorithm', 'digestAlgorithmNotSupported', 'parameters', () =>
      makeCms({ signer, digestAlgorithm: algorithm(oids.sha256, integer(1)) }),
    )
    refuse('junk parameters of the signature algorithm', 'signatureAlgorithmNotSupported', 'parameters', () =>
      makeCms({ signer, signatureAlgorithm: algorithm(oids.sha256WithRsa, integer(1)) }),
    )
    refuse('an unknown digest algorithm', 'digestAlgorithmNotSupported', 'unknown', () =>
      makeCms({ signer, digestAlgorithm: algorithm('1.2.3') }),
    )
    refuse('an unknown signature algorithm', 'signatureAlgorithmNotSupported', 'unknown', () =>
      makeCms({ signer, signatureAlgorithm: algorithm('1.2.3') }),
    )
    refuse('a signature algorithm of another kind of key', 'signatureAlgorithmNotSupported', 'keyOfAnotherKind', () =>
      makeCms({ signer, signatureAlgorithm: algorithm(oids.ecdsaWithSha256) }),
    )
    refuse('a wrong signature value', 'invalidSignature', 'signatureValue', () =>
      makeCms({ signer, sign: () => Buffer.alloc(256, 1) }),
    )
    refuse('a signature made by another key', 'invalidSignature', 'signatureValue', () => {
      const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })
      return makeCms({ signer, sign: (bytes) => sign('sha256', bytes, stranger.privateKey) })
    })
    refuse('a signature without the certificate of its signer', 'badSignerCertificate', 'certificateMissing', () =>
      makeCms({ signer, certificates: [other.certificate] }),
    )
    refuse('two certificates that the signer could mean', 'badSignerCertificate', 'certificateAmbiguous', () => {
      const twin = newSigner({ extensions: [seq(oid(SUBJECT_KEY_IDENTIFIER), octets(octets(Uint8Array.of(1))))] })
      return makeCms({ signer, certificates: [signer.certificate, twin.certificate] })
    })
    refuse('a key that is not a key', 'signatureNotParsed', 'notDer', () =>
      makeCms({ signer, certificates: [seq(seq(), seq())] }),
    )
    refuse('another version of the signer than its identifier needs', 'signatureNotParsed', 'notDer', () =>
      makeCms({ signer, signerVersion: 3 }),
    )
    refuse('another version of the CMS than its parts need', 'signatureNotParsed', 'notDer', () =>
      makeCms({ signer, version: 4 }),
    )
    refuse('two time stamps', 'invalidTspTimeStamp', 'notExactlyOne', () =>
      makeCms({ signer, unsigned: [attribute(oids.timeStamp, seq()), attribute(oids.timeStamp, seq(nul))] }),
    )
    refuse('two time stamps in one attribute', 'invalidTspTimeStamp', 'notExactlyOne', () =>
      makeCms({ signer, unsigned: [attribute(oids.timeStamp, seq(), seq(nul))] }),
    )
    refuse('two OCSP answers', 'invalidOcspData', 'notExactlyOne', () =>
      makeCms({ signer, unsigned: [attribute(oids.revocationValues, ocspValues(basicResponse, basicResponse))] }),
    )
    refuse('two attributes with OCSP answers', 'invalidOcspData', 'notExactlyOne', () =>
      makeCms({
        signer,
        unsigned: [
          attribute(oids.revocationValues, ocspValues(basicResponse)),
          attribute(oids.revocationValues, ocspValues()),
        ],
      }),
    )
    refuse('revocation values that are something else', 'invalidOcspData', 'notParsed', () =>
      makeCms({ signer, unsigned: [attribute(oids.revocationValues, integer(1))] }),
    )
    refuse('a CMS above the size limit', 'signatureNotParsed', 'tooLarge', () => makeCms({ signer }), {
      maxKeptOctets: 100,
    })
    refuse('more certificates than the limit', 'signatureNotParsed', 'overLimit', () =>
      makeCms({ signer, certificates: Array.from({ length: 33 }, () => signer.certificate) }),
    )
    refuse('more attributes than the limit', 'signatureNotParsed', 'overLimit', () =>
      makeCms({ signer, unsigned: Array.from({ length: 65 }, (_, i) => attribute(`1.2.3.${i}`, nul)) }),
    )
    refuse('trailing bytes', 'signatureNotParsed', 'notDer', () =>
      Buffer.concat([makeCms({ signer }), Uint8Array.of(0)]),
    )
    refuse('bytes that are no CMS at all', 'signatureNotParsed', 'notDer', () => Buffer.from('hello'))
    refuse('nothing', 'signatureNotParsed', 'notDer', () => Buffer.alloc(0))
    refuse('deep nesting', 'signatureNotParsed', 'overLimit', () => {
      let nested: Uint8Array = seq()
      for (let i = 0; i < 2_000; i += 1) nested = seq(nested)
      return nested
    })
    refuse('an absurd length', 'signatureNotParsed', 'notDer', () => Uint8Array.of(0x30, 0x84, 0xff, 0xff, 0xff, 0xff))
  })

  describe('order of the elements of a SET', () => {
    const unsorted = () => makeCms({ signer, signed: (right) => [...right].reverse(), unsorted: true })

    it('is tolerated as received by default', () => void readCms(unsorted()))
    it('is checked in strict mode', () => {
      const refusal = expectRefusal('setOrderNonconforming', 'setOrder', () =>
        readCms(unsorted(), { strictSetOrder: true }),
      )
      expect(refusal.message).to.equal('Nonconforming order of elements in one of ASN.1 SET tags of the signature')
      readCms(makeCms({ signer }), { strictSetOrder: true })
    })
    it('matters to the signature: sorting what was signed unsorted breaks it', () => {
      let value: Uint8Array = Buffer.alloc(0)
      const reversed = (right: readonly Uint8Array[]) => [...right].reverse()
      makeCms({
        signer,
        signed: reversed,
        unsorted: true,
        sign: (bytes) => {
          value = sign('sha256', bytes, signer.privateKey)
          return value
        },
      })
      expectRefusal('invalidSignature', 'signatureValue', () =>
        readCms(makeCms({ signer, signed: reversed, sign: () => value })),
      )
    })
  })

  describe('reference to the signing certificate', () => {
    const withAttribute = (made: Uint8Array) => makeCms({ signer, signed: (right) => [...right, made] })

    const isNamed = (made: Uint8Array, options: CmsOptions = {}) =>
      readCms(withAttribute(made), options).certificateNamed
    const trusting = (days: Record<string, number>): CmsOptions => ({
      algorithms: { ...defaultAlgorithmPolicy, digestsTrustedUntil: days },
      at: 1000,
    })

    it('is accepted when it names the certificate, in version 2 or 1', () => {
      expect(isNamed(ess2(signer.certificate, issuerSerial(signer)))).to.equal(true)
      expect(isNamed(ess2By(oids.sha512, 'sha512', signer.certificate))).to.equal(true)
      const both = makeCms({
        signer,
        signed: (right) => [...right, ess2(signer.certificate), ess1(signer.certificate)],
      })
      expect(readCms(both).certificateNamed).to.equal(true)
      expect(readCms(makeCms({ signer })).certificateNamed).to.equal(false)
    })
    it('names nothing by a digest that is not trusted: MD5, SHA-1, or one that has fallen', () => {
      const weak = [
        ess1(signer.certificate),
        ess2By(oids.sha1, 'sha1', signer.certificate),
        ess2By(MD5, 'md5', signer.certificate),
      ]
      for (const named of weak) expect(isNamed(named)).to.equal(false)
      for (const named of weak.slice(0, 2)) expect(isNamed(named, trusting({ [oids.sha1]: 1001 }))).to.equal(true)
      for (const named of weak) expect(isNamed(named, trusting({ [oids.sha1]: 1000 }))).to.equal(false)
      expect(isNamed(ess2(signer.certificate), trusting({ [oids.sha256]: 1000 }))).to.equal(false)
      expect(isNamed(ess2(signer.certificate), trusting({ [oids.sha256]: 1001 }))).to.equal(true)
    })
    it('is refused when it differs by such a digest too', () => {
      for (const wrong of [ess2By(oids.sha1, 'sha1', other.certificate), ess2By(MD5, 'md5', other.certificate)])
        expectRefusal('invalidSignature', 'signingCertificate', () => readCms(withAttribute(wrong)))
    })
    it('refuses a certificate swapped for another one of the same key', () => {
      const swapped = newSigner({ extensions: [seq(oid(SUBJECT_KEY_IDENTIFIER), octets(octets(Uint8Array.of(1))))] })
      const der = makeCms({
        signer: swapped,
        signed: (right) => [...right, ess2(signer.certificate, issuerSerial(signer))],
      })
      expectRefusal('invalidSignature', 'signingCertificate', () => readCms(der))
    })
    it('refuses another issuer or serial number with a matching hash', () => {
      for (const wrong of [
        seq(seq(writeElement(0xa4, name('Impostor'))), signer.serial),
        seq(seq(writeElement(0xa4, signer.issuer)), integer(99)),
      ])
        expectRefusal('invalidSignature', 'signingCertificate', () =>
          readCms(withAttribute(ess2(signer.certificate, wrong))),
        )
    })
    it('refuses one of version 1 that names another certificate', () => {
      expectRefusal('invalidSignature', 'signingCertificate', () => readCms(withAttribute(ess1(other.certificate))))
    })
    it('refuses one that is malformed', () => {
      expectRefusal('invalidSignature', 'signingCertificate', () =>
        readCms(withAttribute(attribute(oids.signingCertificateV2, integer(1)))),
      )
    })
  })
})
