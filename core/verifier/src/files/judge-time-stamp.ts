import { digest } from '../algorithms/digest.js'
import { RegistryError } from '../error.js'
import { timeStampRefusal } from '../evidence-refusal.js'
import type { SignedFile, TimeStampInFile } from '../signed-file.js'
import { EvidencePool } from '../status/evidence-pool.js'
import { type TimeStamp, type TimeStampContext, verifyTimeStampToken } from '../timestamp/verify-time-stamp.js'

/** A time stamp over a file: good, or the refusal. */
export interface JudgedTimeStamp {
  readonly name: string
  readonly documents: readonly string[]
  readonly stamp: TimeStamp | undefined
  readonly refusal: RegistryError | undefined
}

/** Judges a time stamp that is over a file, or a part of it, itself. It dates the file, and makes no signature better. */
export function judgeTimeStamp(file: SignedFile, one: TimeStampInFile, context: TimeStampContext): JudgedTimeStamp {
  const { name, token, over } = one
  const documents = over.of === 'manifest' ? over.documents.map(({ document }) => document) : [over.document]
  try {
    const { trust, now, algorithms, candidates } = context
    const rules = { trust, now, algorithms, candidates }
    const evidence = EvidencePool.empty().with([{ answers: file.beside.responses, crls: file.beside.crls }], rules)
    const stamp = verifyTimeStampToken(token, { ...context, evidence })
    const { imprint } = stamp.info
    const due = digestOver(file, over, imprint.digestOid)
    if (due === undefined || Buffer.compare(due, imprint.value) !== 0) throw timeStampRefusal('imprint')
    return { name, documents, stamp, refusal: undefined }
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    return { name, documents, stamp: undefined, refusal: error }
  }
}

function digestOver(file: SignedFile, over: TimeStampInFile['over'], oid: string): Uint8Array | undefined {
  if (over.of === 'manifest') return digest(oid, over.manifest)
  return over.of === 'ranges'
    ? over.digests.get(oid)
    : file.documents.find(({ name }) => name === over.document)?.digests.get(oid)
}
