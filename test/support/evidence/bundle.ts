import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { pem } from '@signed-registry/dev-authorities'
import {
  BLOCK,
  BUNDLE_TYPE,
  blockHeader,
  CONTAINER_TYPE,
  directoryOf,
  evidenceNoteText,
  type FileStatement,
  localRecord,
  recordBehind,
  STATEMENT_TYPE,
  STATEMENT_VERSION,
  statementText,
} from '#verifier/evidence/index.js'
import { joinCms, readCms, readXmlSignature, signNote, verifierKey } from '#verifier/index.js'
import { STATEMENT_KEY } from '../statement-key.js'

/** A document to make a bundle of; `signed` are CMS, or XML signature elements as text. */
export interface Bundled {
  readonly title: string
  readonly content: Uint8Array
  /** Whether its original goes along; true by default. */
  readonly inside?: boolean
  readonly signed: readonly (Uint8Array | string)[]
}

/** What a lying registry changes. */
export interface Lies {
  readonly origin?: string
  /** Files of the bundle before `evidence.json` is written about them. */
  readonly files?: (files: readonly StoredFile[]) => readonly StoredFile[]
  /** Files of the bundle once everything was hashed and signed. */
  readonly changed?: (files: readonly StoredFile[]) => readonly StoredFile[]
  readonly note?: 'none' | 'another'
  readonly version?: string
}

/** A file of a container; `streamed` is written in blocks, and `inside` are the files of a container in it. */
export interface StoredFile {
  readonly name: string
  readonly bytes: Uint8Array
  readonly streamed?: boolean
  readonly inside?: readonly StoredFile[]
}

const NAME = 'registry.example'
const SHA_256 = '2.16.840.1.101.3.4.2.1'
const TIME = '2026-06-01T12:00:00.000Z'

/** The statement key of the registry that makes the bundles. */
export const statementKey: string = verifierKey(NAME, createPublicKey(createPrivateKey(STATEMENT_KEY)))

/** Makes a bundle as a registry does, of signatures with a time stamp and an OCSP answer. */
export function makeBundle(
  documents: readonly Bundled[],
  certificates: readonly Uint8Array[],
  lies: Lies = {},
): Buffer {
  let signId = 0
  const made = documents.map(({ title, content, inside = true, signed }, index) => {
    const isXml = signed.every((one) => typeof one === 'string')
    const all = signed.map((one) => signatureFiles(one, ++signId))
    const documentId = `document-${index + 1}`
    const [file, container] = isXml ? [`original/${documentId}/${title}`, undefined] : [title, `${documentId}.asics`]
    return {
      files: all.flatMap(({ files }) => files),
      last: inside
        ? [isXml ? { name: file, bytes: content, streamed: true } : containerOf(documentId, title, content, signed)]
        : [],
      statement: {
        ...{ documentId, title, description: '', private: true, storedAt: TIME, size: content.length },
        digests: { [SHA_256]: sha256(content) },
        ...(inside && { original: { file, ...(container !== undefined && { container }) } }),
        signatures: all.map(({ statement }) => statement),
      },
    }
  })
  const pemOf = certificates.map((der) => pem('CERTIFICATE', Buffer.from(der))).join('')
  const honest: StoredFile[] = [
    { name: 'README.txt', bytes: Buffer.from('Read me\n') },
    { name: 'certificates.pem', bytes: Buffer.from(pemOf) },
    ...made.flatMap(({ files }) => files),
    ...made.flatMap(({ last }) => last),
  ]
  const files = lies.files?.(honest) ?? honest
  const origin = lies.origin ?? `https://${NAME}`
  const statement = Buffer.from(
    statementText({
      type: `${STATEMENT_TYPE};version=${lies.version ?? STATEMENT_VERSION}`,
      registry: { origin, name: 'A registry', statementKey },
      ...{ rules: 'signed-registry/rules/1', asOf: TIME },
      documents: made.map((one) => one.statement),
      hints: { anchors: [], timeStampPolicies: [] },
      files: files.map(fileStatement),
    }),
  )
  const about = lies.note === 'another' ? Buffer.from('{}') : statement
  const note = signNote(evidenceNoteText(origin, about), NAME, createPrivateKey(STATEMENT_KEY))
  const all: StoredFile[] = [
    { name: 'mimetype', bytes: Buffer.from(BUNDLE_TYPE) },
    { name: 'evidence.json', bytes: statement },
    ...(lies.note === 'none' ? [] : [{ name: 'evidence.json.sig', bytes: Buffer.from(note) }]),
    ...files,
  ]
  return zipOf(lies.changed?.(all) ?? all)
}

/** A file with other bytes. */
export const replaced =
  (name: string, bytes: Uint8Array) =>
  (files: readonly StoredFile[]): StoredFile[] =>
    files.map((file) => (file.name === name ? { name, bytes } : file))

function containerOf(
  documentId: string,
  name: string,
  bytes: Uint8Array,
  signed: readonly (Uint8Array | string)[],
): StoredFile {
  const cms = signed.filter((one) => typeof one !== 'string')
  const inside = [
    { name: 'mimetype', bytes: Buffer.from(CONTAINER_TYPE) },
    { name, bytes, streamed: true },
    { name: 'META-INF/signature.p7s', bytes: joinCms(undefined, cms) },
  ]
  return { name: `${documentId}.asics`, bytes: zipOf(inside), streamed: true, inside }
}

function signatureFiles(signed: Uint8Array | string, signId: number) {
  const { timeStamp, ocsp } = typeof signed === 'string' ? readXmlSignature(signed) : readCms(signed)
  if (timeStamp === undefined || ocsp === undefined) throw new Error('The signature has no evidence')
  const signType = typeof signed === 'string' ? ('xml' as const) : ('cms' as const)
  const signature = typeof signed === 'string' ? `xml/${signId}.xml` : `cms/${signId}.p7s`
  const own = { signature, timeStamp: `tst/${signId}.tst`, stamped: `tst/${signId}.bin`, ocsp: `ocsp/${signId}.ors` }
  const files: StoredFile[] = [
    { name: own.signature, bytes: Buffer.from(signed) },
    { name: own.timeStamp, bytes: timeStamp.token },
    { name: own.stamped, bytes: timeStamp.imprinted },
    { name: own.ocsp, bytes: ocsp },
  ]
  return { files, statement: { signId, signType, storedAt: TIME, ...own } }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const fileStatement = ({ name, bytes, inside }: StoredFile): FileStatement =>
  inside === undefined
    ? { name, size: bytes.length, sha256: sha256(bytes) }
    : {
        name,
        files: inside.slice(1).map((one) => ({ name: one.name, size: one.bytes.length, sha256: sha256(one.bytes) })),
      }

/** A container in the one form that is read. */
function zipOf(files: readonly StoredFile[]): Buffer {
  const entries = files.map(({ name, bytes, streamed = false }) => ({
    ...{ name, streamed },
    ...{ size: bytes.length, crc: crc32(bytes) },
  }))
  const written = entries.flatMap((entry, index) => {
    const bytes = files[index]?.bytes ?? new Uint8Array()
    return [localRecord(entry), ...(entry.streamed ? blocksOf(bytes) : [bytes]), recordBehind(entry)]
  })
  return Buffer.concat([...written, directoryOf(entries)])
}

function blocksOf(bytes: Uint8Array): Uint8Array[] {
  const blocks: Uint8Array[] = []
  for (let at = 0; at === 0 || at < bytes.length; at += BLOCK) {
    const block = bytes.subarray(at, at + BLOCK)
    blocks.push(blockHeader(block.length, at + BLOCK >= bytes.length), block)
  }
  return blocks
}
