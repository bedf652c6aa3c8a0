import { expect } from 'chai'
import { type Attribute, algorithmProtection } from '#dev-authorities/cms/attributes.js'
import { NULL, oid, sequence, time } from '#dev-authorities/der/writer.js'
import { digestAlgorithm } from '#dev-authorities/hashes.js'
import type { CmsOptions } from '#dev-authorities/index.js'
import { CMS, GOST } from '#dev-authorities/oids.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { readSignedData } from '#verifier/cms/signed-data.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'
import { expectRefusal } from '../../support/refusal.js'

const TEXT = Buffer.from('a contract')
const SINGLE = [CMS.contentType, CMS.messageDigest, CMS.signingTime, CMS.signingCertificateV2]

describe('the signed attributes of a CMS', () => {
  const authorities = testAuthorities()
  const signer = authorities.person()
  const rsa = authorities.person({ algorithm: 'rsa2048' })
  const read = (options: CmsOptions, by = signer) => readCms(by.signCms(TEXT, options))
  const changed = (type: string, change: (one: Attribute) => Attribute) =>
    read({ signedAttributes: (honest) => honest.map((one) => (one.oid === type ? change(one) : one)) })

  describe('have one value each (RFC 5652 section 11)', () => {
    for (const type of SINGLE) {
      it(`refuses ${type} with no value`, () =>
        void expectRefusal('invalidSignature', 'signedAttributeValues', () =>
          changed(type, (one) => ({ ...one, values: [] })),
        ))
      it(`refuses ${type} with two values, other or alike`, () => {
        for (const more of [time(NOW), undefined])
          expectRefusal('invalidSignature', 'signedAttributeValues', () =>
            changed(type, (one) => ({ ...one, values: [...one.values, ...(more ? [more] : one.values)] })),
          )
      })
    }
    const added = (values: Buffer[], type = '1.2.3.4') =>
      read({ signedAttributes: (honest) => [...honest, { oid: type, values }] })
    it('but those that may have several', () => {
      expect(added([NULL, time(NOW)]).signType).to.equal('cms')
      expect(added([NULL]).signType).to.equal('cms')
      expectRefusal('invalidSignature', 'signedAttributeValues', () => added([]))
      expectRefusal('invalidSignature', 'signedAttributeValues', () =>
        added([NULL, time(NOW)], '1.2.840.113549.1.9.16.2.15'),
      )
    })
  })

  describe('protect the algorithms where they say which were used (RFC 6211)', () => {
    const [RSA_SHA256, PSS] = ['1.2.840.113549.1.1.11', '1.2.840.113549.1.1.10']
    const sha256 = digestAlgorithm('sha256')
    const protectedBy = (digest: Buffer, signature: Buffer) =>
      read({ signedAttributes: (honest) => [...honest, algorithmProtection(digest, signature)] }, rsa)
    const right = sequence(oid(RSA_SHA256), NULL)

    it('accepts those that were used, however they are written', () => {
      for (const digest of [sha256, sequence(oid('2.16.840.1.101.3.4.2.1'))])
        for (const signature of [right, sequence(oid(RSA_SHA256)), sequence(oid('1.2.840.113549.1.1.1'), NULL)])
          expect(protectedBy(digest, signature).signAlgorithm).to.equal(RSA_SHA256)
    })

    it('refuses others, and what names none', () => {
      const refused = (digest: Buffer, signature: Buffer) =>
        expectRefusal('invalidSignature', 'algorithmProtection', () => protectedBy(digest, signature))
      refused(digestAlgorithm('sha512'), right)
      refused(sha256, sequence(oid('1.2.840.113549.1.1.13'), NULL))
      refused(sha256, sequence(oid('1.2.840.10045.4.3.2')))
      refused(sha256, sequence(oid(PSS)))
      refused(sha256, sequence(oid('1.2.3')))
      const other = { oid: CMS.algorithmProtection, values: [sequence(sha256)] }
      expectRefusal('invalidSignature', 'algorithmProtection', () =>
        read({ signedAttributes: (honest) => [...honest, other] }, rsa),
      )
    })
  })

  describe('may stand unsorted', () => {
    const reversed = (honest: readonly Attribute[]) => [...honest].reverse()

    it('signed in DER, as RFC 5652 section 5.4 has it, or as they stand', () => {
      for (const unsorted of ['signedInDer', 'signedAsListed'] as const)
        expect(read({ signedAttributes: reversed, unsorted }).signType).to.equal('cms')
      expectRefusal('invalidSignature', 'signatureValue', () => {
        const cms = signer.signCms(TEXT, { signedAttributes: reversed, unsorted: 'signedInDer' })
        const value = Buffer.from(readCms(cms).signatureValue)
        const at = cms.indexOf(value)
        cms[at + value.length - 1] = (cms[at + value.length - 1] ?? 0) ^ 1
        return readCms(cms)
      })
    })

    it('and are the same signature in every order when signed in DER', () => {
      const cms = signer.signCms(TEXT, { signedAttributes: reversed, unsorted: 'signedInDer' })
      const { signerInfos } = readSignedData(cms)
      const sorted = Buffer.from(signerInfos[0]?.signedAttributes?.sorted ?? [])
      const received = Buffer.from(signerInfos[0]?.signedAttributes?.received ?? [])
      expect(sorted.equals(received)).to.equal(false)
      const at = cms.indexOf(received.subarray(1))
      const inOrder = Buffer.concat([cms.subarray(0, at), sorted.subarray(1), cms.subarray(at + sorted.length - 1)])
      expect(Buffer.from(readCms(inOrder).fingerprint).equals(readCms(cms).fingerprint)).to.equal(true)
    })
  })

  describe('of GOST may be signed by an algorithm that is named as the key is (KalkanCrypt)', () => {
    const gost = authorities.person({ algorithm: 'gost512' })
    const curve = sequence(oid(GOST.curve), oid('1.2.398.3.10.1.3.3'))

    it('which means the one of that key, with no parameters, NULL or the key’s', () => {
      for (const parameters of [[], [NULL], [curve]])
        expect(read({ signatureAlgorithm: sequence(oid(GOST.key), ...parameters) }, gost).signAlgorithm).to.equal(
          GOST.signature,
        )
    })

    it('and not that of another key, or with other parameters', () => {
      const refused = (reason: string, signatureAlgorithm: Buffer, by = gost) =>
        expectRefusal('signatureAlgorithmNotSupported', reason, () => read({ signatureAlgorithm }, by))
      refused('parameters', sequence(oid(GOST.key), sequence(oid('1.2.398.3.10.1.1.2.2.2'))))
      refused('digestContradicts', sequence(oid('1.2.398.3.10.1.1.2.1')))
      refused('digestContradicts', sequence(oid('1.2.398.3.10.1.1.1.1')))
      refused('digestContradicts', sequence(oid(GOST.key)), signer)
    })
  })
})
