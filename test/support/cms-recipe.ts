import { constants, createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { writeElement, writeOid, writeSetOf } from '#verifier/der/writer.js'

// A simple CMS writer with an option for each defect that a verifier must notice.

export const seq = (...parts: Uint8Array[]): Uint8Array => writeElement(0x30, ...parts)
export const set = (...parts: Uint8Array[]): Uint8Array => writeElement(0x31, ...parts)
export const octets = (bytes: Uint8Array): Uint8Array => writeElement(0x04, bytes)
export const integer = (...bytes: number[]): Uint8Array => writeElement(0x02, Uint8Array.from(bytes))
export const nul: Uint8Array = Uint8Array.of(5, 0)
export const oid = writeOid
export const algorithm = (dotted: string, parameters?: Uint8Array): Uint8Array =>
  seq(oid(dotted), ...(parameters === undefined ? [] : [parameters]))
export const attribute = (type: string, ...values: Uint8Array[]): Uint8Array => seq(oid(type), set(...values))

export const oids = {
  data: '1.2.840.113549.1.7.1',
  sha1: '1.3.14.3.2.26',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
  rsa: '1.2.840.113549.1.1.1',
  pss: '1.2.840.113549.1.1.10',
  mgf1: '1.2.840.113549.1.1.8',
  sha256WithRsa: '1.2.840.113549.1.1.11',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timeStamp: '1.2.840.113549.1.9.16.2.14',
  revocationValues: '1.2.840.113549.1.9.16.2.24',
} as const

const HASHES: Record<string, string> = {
  [oids.sha1]: 'sha1',
  [oids.sha256]: 'sha256',
  [oids.sha384]: 'sha384',
  [oids.sha512]: 'sha512',
}
export const hash = (digestOid: string, bytes: Uint8Array): Uint8Array =>
  createHash(HASHES[digestOid] as string)
    .update(bytes)
    .digest()

/** Somebody who signs: a key and a certificate that the key signed itself. */
export interface Signer {
  readonly privateKey: KeyObject
  readonly certificate: Uint8Array
  readonly issuer: Uint8Array
  readonly serial: Uint8Array
}

export const name = (text: string): Uint8Array =>
  seq(set(seq(oid('2.5.4.3'), writeElement(0x0c, Buffer.from(text, 'utf8')))))

export const keyPairs = {
  rsa: lazy(() => generateKeyPairSync('rsa', { modulusLength: 2048 })),
  weakRsa: lazy(() => generateKeyPairSync('rsa', { modulusLength: 1024 })),
  p256: lazy(() => generateKeyPairSync('ec', { namedCurve: 'P-256' })),
  p384: lazy(() => generateKeyPairSync('ec', { namedCurve: 'P-384' })),
  p521: lazy(() => generateKeyPairSync('ec', { namedCurve: 'P-521' })),
}

export interface SignerRecipe {
  readonly keys?: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  readonly name?: string
  readonly serial?: number
  readonly extensions?: readonly Uint8Array[]
}

export function newSigner({
  keys = keyPairs.rsa(),
  name: text = 'Signer',
  serial = 5,
  extensions,
}: SignerRecipe = {}): Signer {
  const isRsa = keys.privateKey.asymmetricKeyType === 'rsa'
  const signatureAlgorithm = isRsa ? algorithm(oids.sha256WithRsa, nul) : algorithm(oids.ecdsaWithSha256)
  const issuer = name(text)
  const time = (utc: string) => writeElement(0x17, Buffer.from(utc))
  const tbs = seq(
    writeElement(0xa0, integer(2)),
    integer(serial),
    signatureAlgorithm,
    issuer,
    seq(time('240101000000Z'), time('340101000000Z')),
    issuer,
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions === undefined ? [] : [writeElement(0xa3, seq(...extensions))]),
  )
  const value = sign('sha256', tbs, keys.privateKey)
  const certificate = seq(tbs, signatureAlgorithm, writeElement(0x03, Uint8Array.of(0), value))
  return { privateKey: keys.privateKey, certificate, issuer, serial: integer(serial) }
}

/** Every part of a CMS; omitted parts are correct. */
export interface CmsRecipe {
  readonly signer: Signer
  readonly content?: Uint8Array
  readonly attached?: boolean
  readonly contentType?: string
  readonly digestOid?: string
  readonly digestAlgorithms?: readonly Uint8Array[]
  readonly digestAlgorithm?: Uint8Array
  readonly signatureAlgorithm?: Uint8Array
  readonly version?: number
  readonly signerVersion?: number
  readonly sid?: Uint8Array
  readonly certificates?: readonly Uint8Array[]
  /** Given the right signed attributes; `undefined` leaves signed attributes out. */
  readonly signed?: (right: readonly Uint8Array[]) => readonly Uint8Array[] | undefined
  readonly unsorted?: boolean
  readonly unsigned?: readonly Uint8Array[]
  readonly sign?: (bytes: Uint8Array) => Uint8Array
  /** Given the right SignerInfo. */
  readonly signerInfos?: (right: Uint8Array) => readonly Uint8Array[]
}

export const TEXT = Buffer.from('a document to sign')

export function makeCms(recipe: CmsRecipe): Uint8Array {
  const { signer, content = TEXT, digestOid = oids.sha256, contentType = oids.data } = recipe
  const digestAlgorithm = recipe.digestAlgorithm ?? algorithm(digestOid, nul)
  const right = [
    attribute(oids.contentType, oid(contentType)),
    attribute(oids.messageDigest, octets(hash(digestOid, content))),
  ]
  const attributes = recipe.signed === undefined ? right : recipe.signed(right)
  const write =
    recipe.unsorted === true ? (tag: number, all: readonly Uint8Array[]) => writeElement(tag, ...all) : writeSetOf
  const signedBytes = attributes === undefined ? content : write(0x31, attributes)
  const info = seq(
    integer(recipe.signerVersion ?? 1),
    recipe.sid ?? seq(signer.issuer, signer.serial),
    digestAlgorithm,
    ...(attributes === undefined ? [] : [write(0xa0, attributes)]),
    recipe.signatureAlgorithm ?? defaultAlgorithm(signer),
    octets((recipe.sign ?? ((bytes) => sign(HASHES[digestOid] as string, bytes, signer.privateKey)))(signedBytes)),
    ...(recipe.unsigned === undefined ? [] : [writeSetOf(0xa1, recipe.unsigned)]),
  )
  const signedData = seq(
    integer(recipe.version ?? 1),
    writeSetOf(0x31, recipe.digestAlgorithms ?? [digestAlgorithm]),
    seq(oid(contentType), ...(recipe.attached === true ? [writeElement(0xa0, octets(content))] : [])),
    writeElement(0xa0, ...(recipe.certificates ?? [signer.certificate])),
    set(...(recipe.signerInfos?.(info) ?? [info])),
  )
  return seq(oid('1.2.840.113549.1.7.2'), writeElement(0xa0, signedData))
}

const defaultAlgorithm = ({ privateKey }: Signer): Uint8Array =>
  privateKey.asymmetricKeyType === 'rsa' ? algorithm(oids.rsa, nul) : algorithm(oids.ecdsaWithSha256)

/** RSA-PSS with SHA-256 and a salt of 32 octets. */
export const pssWithSha256 = algorithm(
  oids.pss,
  seq(
    writeElement(0xa0, algorithm(oids.sha256)),
    writeElement(0xa1, algorithm(oids.mgf1, algorithm(oids.sha256))),
    writeElement(0xa2, integer(32)),
  ),
)

/** RSA-PSS as `node:crypto` signs it: one digest for message and mask. */
export const signPss =
  (key: KeyObject, digest: string, saltLength: number) =>
  (bytes: Uint8Array): Uint8Array =>
    sign(digest, bytes, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength })

function lazy<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
