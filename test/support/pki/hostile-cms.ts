import type { DevAuthorities, Subject } from '@signed-registry/dev-authorities'
import {
  type Attribute,
  contentType,
  messageDigest,
  revocationValues,
  signatureTimeStamp,
  signingCertificateV2,
} from '#dev-authorities/cms/attributes.js'
import { type BerForm, streamed, toBer } from '#dev-authorities/der/ber.js'
import { digestAlgorithm } from '#dev-authorities/hashes.js'
import { CMS } from '#dev-authorities/oids.js'
import { buildCms, honestAttributes, type SignerChange } from './build-cms.js'

/** What a verifier of CMS must refuse whoever the signer is: what is wrong, and the CMS (detached, DER). */
export function hostileCms(authorities: DevAuthorities, data: Uint8Array): ReadonlyMap<string, Buffer> {
  const signer = authorities.person()
  const rsa = authorities.person({ algorithm: 'rsa2048' })
  const stranger = authorities.person()
  const honest = signer.signCms(data)
  const one = (change: Partial<SignerChange>) => buildCms(data, { signers: [{ signer, ...change }] })
  const attributes = [...attributeLies(data, stranger)].map(
    ([lie, change]) => [lie, signer.signCms(data, { signedAttributes: change })] as const,
  )
  return new Map([
    ...attributes,
    ['no signer', buildCms(data, { signers: [] })],
    ['two signers', buildCms(data, { signers: [{ signer }, { signer: stranger }] })],
    ['the same signer twice', buildCms(data, { signers: [{ signer }, { signer }] })],
    ['no signed attributes', one({ signedAttributes: [] })],
    ['a digest algorithm that contradicts the signature algorithm', contradicting(data, signer)],
    ['a signature algorithm of another key', one({ signatureAlgorithm: rsa.key.signatureAlgorithm('sha256') })],
    ['no certificate', buildCms(data, { signers: [{ signer }], certificates: [] })],
    [
      'only the certificate of somebody else',
      buildCms(data, { signers: [{ signer }], certificates: [stranger.certificate] }),
    ],
    [
      'the certificate of somebody else as the signer',
      one({ signer: { certificate: stranger.certificate, key: signer.key } }),
    ],
    ['a content type other than data', buildCms(data, { signers: [{ signer }], contentType: CMS.tstInfo })],
    ['two time stamps', signer.signCms(data, { timeStamp: true, unsignedAttributes: twice })],
    ['two time stamps in one attribute', signer.signCms(data, { timeStamp: true, unsignedAttributes: twoValues })],
    ['two OCSP answers', signer.signCms(data, { ocsp: true, unsignedAttributes: twice })],
    [
      'two OCSP answers in one attribute',
      signer.signCms(data, { unsignedAttributes: () => [twoAnswers(authorities, signer)] }),
    ],
    ['trailing bytes', Buffer.concat([honest, Buffer.from([0])])],
    ['its last byte cut off', honest.subarray(0, -1)],
    ['its second half cut off', honest.subarray(0, honest.length >> 1)],
    ['signed attributes of an indefinite length (BER)', signedAttributesIn('indefinite', honest)],
    ['a length of the signed attributes that is not minimal (BER)', signedAttributesIn('longLength', honest)],
    ['an indefinite length without an end (BER)', streamed(honest).subarray(0, -2)],
    ['an absurd length', Buffer.from('3084ffffffff', 'hex')],
    ['deep nesting', nested(20_000)],
    ['nothing at all', Buffer.alloc(0)],
  ])
}

/** Signatures that are right in every way but the strength of an algorithm: which one, and the CMS (detached, DER). */
export function weakCms(authorities: DevAuthorities, data: Uint8Array): ReadonlyMap<string, Buffer> {
  const rsa = authorities.person({ algorithm: 'rsa2048' })
  return new Map([
    ['SHA-1 with ECDSA', authorities.person().signCms(data, { hash: 'sha1' })],
    ['SHA-1 with RSA', rsa.signCms(data, { hash: 'sha1' })],
    ['MD5 with RSA', rsa.signCms(data, { hash: 'md5' })],
    ['an RSA key of 1024 bits', authorities.person({ algorithm: 'rsa1024' }).signCms(data)],
    ['a certificate signed with SHA-1', authorities.person({ hash: 'sha1' }).signCms(data)],
    ['a certificate signed with MD5', authorities.person({ issuer: 'rsa', hash: 'md5' }).signCms(data)],
  ])
}

type AttributeChange = (honest: readonly Attribute[]) => readonly Attribute[]

/** Changes of the signed attributes that leave the signature value right and the meaning wrong. */
function attributeLies(data: Uint8Array, stranger: Subject): ReadonlyMap<string, AttributeChange> {
  const drop =
    (type: string): AttributeChange =>
    (honest) =>
      honest.filter(({ oid }) => oid !== type)
  const double =
    (type: string): AttributeChange =>
    (honest) => [...honest, ...honest.filter(({ oid }) => oid === type)]
  const replace =
    (other: Attribute): AttributeChange =>
    (honest) =>
      honest.map((attribute) => (attribute.oid === other.oid ? other : attribute))
  const otherDigest = messageDigest(Buffer.from('other data'), 'sha256')
  const shortDigest = messageDigest(data, 'sha1')
  return new Map([
    ['no content type', drop(CMS.contentType)],
    ['two content types', double(CMS.contentType)],
    ['another content type', replace(contentType(CMS.signedData))],
    ['no message digest', drop(CMS.messageDigest)],
    ['two message digests', double(CMS.messageDigest)],
    [
      'two values of the message digest',
      (honest) => honest.map((one) => withValue(one, CMS.messageDigest, otherDigest)),
    ],
    ['a message digest of another length', replace(shortDigest)],
    ['two signing times', double(CMS.signingTime)],
    ['two signing certificates', double(CMS.signingCertificateV2)],
    ['the signing certificate of somebody else', replace(signingCertificateV2(stranger.certificate))],
  ])
}

const contradicting = (data: Uint8Array, signer: Subject) => {
  const sha512 = digestAlgorithm('sha512')
  const change = { signedAttributes: honestAttributes(data, signer, 'sha512'), digestAlgorithm: sha512 }
  return buildCms(data, { signers: [{ signer, ...change }], digestAlgorithms: [digestAlgorithm('sha256'), sha512] })
}

const withValue = (attribute: Attribute, type: string, more: Attribute): Attribute =>
  attribute.oid === type ? { ...attribute, values: [...attribute.values, ...more.values] } : attribute

const twice = (honest: readonly Attribute[]) => [...honest, ...honest]
const twoValues = (honest: readonly Attribute[], signatureValue: Buffer) =>
  honest.map((one) => withValue(one, CMS.timeStampToken, signatureTimeStamp(signatureValue)))
const twoAnswers = (authorities: DevAuthorities, { certificate, issuer }: Subject) => {
  const answer = authorities.ocsp.status(certificate, issuer)
  return revocationValues(answer, answer)
}

/** Only the signed attributes in BER, which must be DER. */
const signedAttributesIn = (form: BerForm, der: Buffer) =>
  toBer(der, (place) => (`${place}` === '1,0,4,0,3' ? form : 'der'))

/** A SEQUENCE inside a SEQUENCE, `depth` times. */
export function nested(depth: number): Buffer {
  const headers: Buffer[] = []
  for (let length = 0, level = 0; level < depth; level += 1) {
    const header =
      length < 0x80
        ? Buffer.from([0x30, length])
        : Buffer.from([0x30, 0x83, length >> 16, (length >> 8) & 255, length & 255])
    headers.push(header)
    length += header.length
  }
  return Buffer.concat(headers.reverse())
}
