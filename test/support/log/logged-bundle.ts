import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import type { Bundle, CheckpointInBundle, LogInBundle } from '@signed-registry/core'
import type { DevAuthorities } from '@signed-registry/dev-authorities'
import { readCms, readOcspResponse, readXmlSignature, signNote, verifierKey } from '@signed-registry/verifier'
import {
  checkpointText,
  growTree,
  leafHash,
  saltedEntry,
  TiledTree,
  writeLogProof,
} from '@signed-registry/verifier/log'
import { digestsFact, signatureFact } from '#core/documents/document-facts.js'
import { leafText } from '#core/log/logged-facts.js'
import { NOW } from '../pki/authorities.js'
import { privateKeyOf } from './note-keys.js'

const SALT = Buffer.alloc(32, 7)

/** The log of `loggedBundle`. */
export const LOG_NAME = 'registry.example/log'

/** How a log is to be like; honest where nothing is said. */
export interface LogOfBundle {
  /** Key that signs the checkpoints. */
  readonly key?: KeyObject
  /** The same for more lines under the note of the checkpoint, such as cosignatures. */
  readonly lines?: (note: string) => string
  /** When the checkpoint was stamped; `undefined` for no stamp. */
  readonly loggedBefore?: number | undefined
  /** Changes the text of an entry. */
  readonly change?: (text: string) => string
}

/** The verifier key of the log. */
export const logKeyOfBundle = (key: KeyObject = privateKeyOf(1)): string => verifierKey(LOG_NAME, createPublicKey(key))

/** A bundle with proofs of a log that has its signatures and hashes, behind one other entry. */
export async function loggedBundle(
  bundle: Bundle,
  authorities: DevAuthorities,
  log: LogOfBundle = {},
): Promise<Bundle> {
  const { key = privateKeyOf(1), lines = () => '', change = (text: string) => text } = log
  const { loggedBefore } = { loggedBefore: NOW, ...log }
  const texts = bundle.documents.flatMap((document) => [
    change(leafText('digests', digestsFact(fixed(document), document.digests).fields)),
    ...document.signatures.map((one) => change(signatureText(document, one))),
  ])
  const leaves = [Buffer.alloc(32), ...texts.map((text) => saltedEntry(SALT, text))].map(leafHash)
  const stamped = (size: number, at: number | undefined): CheckpointInBundle => {
    const { root } = growTree({ size: 0, edge: [] }, leaves.slice(0, size))
    const note = signNote(checkpointText({ origin: LOG_NAME, size, root }), LOG_NAME, key)
    const whole = note + lines(note)
    const stamp = at === undefined ? undefined : authorities.tsa.stamp(Buffer.from(whole), () => ({ genTime: at }))
    return { size, note: whole, stamp, stampedAt: at }
  }
  const checkpoint = stamped(leaves.length, loggedBefore)
  const tree = new TiledTree(leaves.length, async ({ width }) => Buffer.concat(leaves.slice(0, width)))
  let index = 0
  const proved = async (received?: Uint8Array): Promise<LogInBundle> => {
    const extra = Buffer.concat([SALT, Buffer.from(texts[index] ?? '')])
    index += 1
    const proof = writeLogProof({ extra, index, hashes: await tree.inclusion(index), checkpoint: checkpoint.note })
    return { state: 'logged', proof, logKey: logKeyOfBundle(key), received, checkpoint }
  }
  const documents: Bundle['documents'][number][] = []
  for (const document of bundle.documents) {
    const digests = await proved()
    const signatures: Bundle['documents'][number]['signatures'][number][] = []
    for (const one of document.signatures)
      signatures.push({ ...one, log: await proved(one.signType === 'cms' ? one.signed : undefined) })
    documents.push({ ...document, log: digests, signatures })
  }
  return { ...bundle, documents }
}

const fixed = ({ documentId, size, storedAt }: Bundle['documents'][number]) => ({
  id: documentId,
  storedAt,
  signedDataSize: size,
  digestsFixedAt: storedAt,
})

function signatureText(
  { documentId, storedAt: documentStoredAt }: Bundle['documents'][number],
  one: Bundle['documents'][number]['signatures'][number],
): string {
  const { signId, signType, storedAt, signed: signature, timeStamp, ocsp, crls } = one
  const { digests } =
    signType === 'cms'
      ? readCms(signature, { evidence: 'all' })
      : readXmlSignature(Buffer.from(signature).toString(), { evidence: 'all' })
  const { fields } = signatureFact({
    ...{ documentId, documentStoredAt, signId, storedAt, signature, timeStamp },
    ocsp: ocsp && readOcspResponse(ocsp).basic,
    crls: crls.length === 0 ? undefined : Buffer.concat(crls.map((crl) => createHash('sha256').update(crl).digest())),
    signedDigests: Object.fromEntries(digests.map(({ oid, value }) => [oid, Buffer.from(value).toString('base64')])),
  })
  return leafText('signature', fields)
}
