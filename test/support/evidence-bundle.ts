import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { Bundle, DocumentInBundle, SignatureInBundle } from '@signed-registry/core'
import type { DevAuthorities, Subject } from '@signed-registry/dev-authorities'
import {
  digest,
  digestAlgorithms,
  longTermCms,
  ocspResponseOf,
  signNote,
  verifierKey,
  verify,
} from '@signed-registry/verifier'
import { AsicEvidence } from '#evidence-asic/asic-evidence.js'
import type { OtherRegistry } from './containers.js'
import { NOW } from './pki/authorities.js'
import { timeStamper, tokenOf, tstInfo } from './pki/tokens.js'
import { trustOf } from './pki/trust.js'
import { STATEMENT_KEY } from './statement-key.js'

export const SHA_256 = '2.16.840.1.101.3.4.2.1'
/** What a registry fixes for documents that are signed by RSA, ECDSA and GOST. */
const FIXED = new Set([SHA_256, '1.2.398.3.10.1.3.3'])
const NAME = 'registry.example'

/** What a document of a bundle is to be like; the rest is honest. */
export interface BundledFile {
  readonly content: Uint8Array | string
  readonly signers: readonly (Subject | { readonly by: Subject; readonly as: 'xml' | 'crl' })[]
  readonly documentId?: string
  readonly title?: string
  readonly withoutOriginal?: boolean
  /** When the signatures were stamped; now unless given. */
  readonly stampedAt?: number
  /** Until when the certificate of the time-stamping authority is valid; that of the development authorities unless given. */
  readonly stampsEnd?: number
  /** When it and its signatures were registered, as the registry says. */
  readonly storedAt?: number
}

/** Honest input for a builder over documents that people of these authorities signed, as a registry would give it. */
export function bundleOf(
  authorities: DevAuthorities,
  files: readonly BundledFile[],
  changes: Partial<Bundle> = {},
): Bundle {
  const { statementKey, sign } = ownRegistry()
  const { hierarchy } = authorities
  const others = hierarchy.jurisdictions().map(({ responder }) => responder().certificate)
  const counter = { signId: 100 }
  const documents = files.map((file) => documentOf(authorities, file, counter))
  return {
    registry: { origin: `https://${NAME}`, name: 'Registry of tests', statementKey },
    sign,
    rules: '1',
    asOf: NOW,
    package:
      files.length > 1 ? { packageId: 'P'.repeat(16), title: 'All of it', description: '', storedAt: NOW } : undefined,
    documents,
    certificates: [
      ...files.flatMap(({ signers }) => signers.map((one) => ('by' in one ? one.by : one).certificate)),
      ...authorities.intermediates,
      ...authorities.anchors,
      hierarchy.timeStamping.certificate,
      ...others,
    ],
    anchors: authorities.anchors.map((der) => createHash('sha256').update(der).digest('hex')),
    timeStampPolicies: ['1.2.398.3.3.2.6.4'],
    reports: { html: { kk: '<html>kk', ru: '<html>ru', en: '<html>en' }, xml: '<report/>' },
    ...changes,
  }
}

/** The registry that `bundleOf` makes bundles in the name of. */
export function ownRegistry(): OtherRegistry {
  const key = createPrivateKey(STATEMENT_KEY)
  return { statementKey: verifierKey(NAME, createPublicKey(key)), sign: (text) => signNote(text, NAME, key) }
}

/** A registry of a key of its own. */
export function otherRegistry(): OtherRegistry {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { statementKey: verifierKey(NAME, publicKey), sign: (text) => signNote(text, NAME, privateKey) }
}

/** The hashes that a registry fixes. */
export const digestsOf = (content: Uint8Array): ReadonlyMap<string, Uint8Array> =>
  new Map(digestAlgorithms.filter(({ oid }) => FIXED.has(oid)).map(({ oid }) => [oid, digest(oid, content)]))

/** The bytes of a built bundle. */
export async function builtBytes(bundle: Bundle): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of new AsicEvidence().build(bundle).bytes()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function documentOf(authorities: DevAuthorities, file: BundledFile, counter: { signId: number }): DocumentInBundle {
  const content = Buffer.from(file.content)
  const { title = 'contract.txt', documentId = 'D'.repeat(16), storedAt = NOW, stampedAt, stampsEnd } = file
  return {
    documentId,
    title,
    description: 'Described',
    isPrivate: false,
    storedAt,
    size: content.length,
    digests: digestsOf(content),
    original: file.withoutOriginal
      ? undefined
      : {
          name: title,
          async *bytes() {
            yield content
          },
        },
    signatures: file.signers.map((one) => {
      counter.signId += 1
      const { by, as = undefined } = 'by' in one ? one : { by: one }
      return {
        signId: counter.signId,
        ...signatureOf(authorities, content, by, { as, stampedAt, stampsEnd }),
        storedAt,
      }
    }),
  }
}

interface SigningTimes {
  readonly stampedAt: number | undefined
  readonly stampsEnd: number | undefined
}

function signatureOf(
  authorities: DevAuthorities,
  content: Buffer,
  signer: Subject,
  { as, stampedAt, stampsEnd }: SigningTimes & { readonly as: 'xml' | 'crl' | undefined },
): Omit<SignatureInBundle, 'signId' | 'storedAt'> {
  const given = as === 'xml' ? signer.signXml(content.toString()).signature : signer.signCms(content)
  const [judged] = verify(given, { trust: trustOf(authorities), at: NOW, document: content }).signatures
  if (judged?.signature === undefined) throw new TypeError('The signature cannot be read')
  const { kept, signatureValue } = judged.signature
  const timeStamp =
    stampsEnd === undefined
      ? authorities.tsa.stamp(signatureValue, stampedAt === undefined ? undefined : () => ({ genTime: stampedAt }))
      : tokenOf(timeStamper(authorities, { notAfter: stampsEnd }), tstInfo(signatureValue))
  const answer = as === 'crl' ? undefined : authorities.ocsp.status(signer.certificate, signer.issuer)
  const { family } = signer.key
  const crls = as === 'crl' ? [authorities.crl(family === 'eddsa' ? 'ecdsa' : family)] : []
  const certificates = [signer.issuer]
  return {
    signType: as === 'xml' ? 'xml' : 'cms',
    signer: signer.identity.name,
    signed: as === 'xml' ? kept : longTermCms(kept, { timeStamp, ocsp: answer, crls, certificates }),
    timeStamp,
    stampedAt: stampedAt ?? NOW,
    stamped: signatureValue,
    ocsp: answer && ocspResponseOf(answer),
    crls,
  }
}
