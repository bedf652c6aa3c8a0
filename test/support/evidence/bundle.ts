import { createPrivateKey } from 'node:crypto'
import { ocspResponseOf, readCms, readXmlSignature, signNote } from '@signed-registry/verifier'
import { EVIDENCE_NOTE, STATEMENT_TYPE } from '@signed-registry/verifier/evidence'
import { type FileInside, saying, unzipped, withContent, zipped } from '../containers.js'
import { builtBytes, digestsOf, ownRegistry } from '../evidence-bundle.js'
import { STATEMENT_KEY } from '../statement-key.js'

/** A document to make a bundle of; `signed` are CMS, or XML signature elements as text. */
export interface Bundled {
  readonly title: string
  readonly content: Uint8Array
  /** Whether its original goes along; true by default. */
  readonly inside?: boolean
  readonly signed: readonly (Uint8Array | string)[]
}

/** What a lying registry says, or somebody changes. */
export interface Lies {
  readonly origin?: string
  /** The files, once everything was hashed and signed. */
  readonly changed?: (files: readonly FileInside[]) => readonly FileInside[]
  readonly note?: 'none' | 'another'
  readonly version?: string
}

const TIME = Date.UTC(2026, 5, 1, 12)

/** The statement key of the registry that makes the bundles. */
export const statementKey: string = ownRegistry().statementKey

/** Makes a bundle as a registry does, of signatures with a time stamp and an OCSP answer. */
export async function makeBundle(
  documents: readonly Bundled[],
  certificates: readonly Uint8Array[],
  { origin = 'https://registry.example', note, version, changed }: Lies = {},
): Promise<Buffer> {
  const { sign } = ownRegistry()
  const other = () => signNote(`${EVIDENCE_NOTE}\nabout another\n`, 'registry.example', createPrivateKey(STATEMENT_KEY))
  let signId = 0
  const about = { packageId: 'package-1', title: 'All of it', description: '', storedAt: TIME }
  const built = await builtBytes({
    registry: { origin, name: 'A registry', statementKey },
    sign: note === 'another' ? other : sign,
    ...{ rules: 'signed-registry/rules/1', asOf: TIME },
    package: documents.length > 1 ? about : undefined,
    documents: documents.map(({ title, content, inside = true, signed }, index) => ({
      ...{ documentId: `document-${index + 1}`, title, description: '', isPrivate: true, storedAt: TIME },
      size: content.length,
      digests: digestsOf(content),
      original: inside ? { name: title, bytes: () => piecesOf(content) } : undefined,
      signatures: signed.map((one) => {
        signId += 1
        return { signId, ...signatureOf(one) }
      }),
    })),
    certificates,
    ...{ anchors: [], timeStampPolicies: [] },
    reports: { html: { kk: '<html>kk', ru: '<html>ru', en: '<html>en' }, xml: '<report/>' },
  })
  if (note !== 'none' && version === undefined && changed === undefined) return built
  const all = unzipped(built).filter(({ name }) => note !== 'none' || name !== 'evidence.json.sig')
  const versioned =
    version === undefined
      ? all
      : saying(all, (said) => Object.assign(said, { type: `${STATEMENT_TYPE};version=${version}` }), ownRegistry())
  return zipped(changed?.(versioned) ?? versioned)
}

/** A file with other bytes. */
export const replaced =
  (name: string, bytes: Uint8Array) =>
  (files: readonly FileInside[]): FileInside[] =>
    withContent(files, name, Buffer.from(bytes))

function signatureOf(signed: Uint8Array | string) {
  const { timeStamp, ocsp } = typeof signed === 'string' ? readXmlSignature(signed) : readCms(signed)
  if (timeStamp === undefined || ocsp === undefined) throw new Error('The signature has no evidence')
  return {
    signType: typeof signed === 'string' ? ('xml' as const) : ('cms' as const),
    ...{ storedAt: TIME, stampedAt: TIME, signer: 'ТЕСТОВ ТЕСТ', signed: Buffer.from(signed), crls: [] },
    ...{ timeStamp: timeStamp.token, stamped: timeStamp.imprinted, ocsp: ocspResponseOf(ocsp) },
  }
}

async function* piecesOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += PIECE) yield content.subarray(at, at + PIECE)
}
const PIECE = 1024 * 1024
