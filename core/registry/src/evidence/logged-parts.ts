import {
  type LoggedDocument,
  type LoggedSignature,
  type LogStatement,
  type OpenLog,
  type OpenStamped,
  proofFile,
  signatureFile,
  statedTime,
} from '@signed-registry/verifier/evidence'
import type { DocumentRecord } from '../documents/index.js'
import type { Digests } from '../originals/index.js'
import { statedCoverage } from '../signatures/index.js'
import type { StoredSignature } from './bundle-signatures.js'
import type { BundledLog } from './bundled-log.js'
import type { CheckpointInBundle, LogInBundle } from './ports.js'

/** A document with its signatures, and what the log has of them. */
interface LoggedPart {
  readonly document: Pick<DocumentRecord, 'id' | 'storedAt' | 'signedDataSize'>
  readonly digests: Digests
  readonly signatures: readonly StoredSignature[]
  readonly log: BundledLog
}

/** What a report judges of the log, as readers of the bundle will; `undefined` where there is nothing. */
export function asLogged({ document, digests, signatures, log }: LoggedPart) {
  if (log.digests === undefined && log.signatures.size === 0) return undefined
  const hashes = [...digests].map(([oid, value]) => [oid, Buffer.from(value).toString('hex')])
  const proof = open(log.digests?.log, 'digests')
  const statement = {
    documentId: document.id,
    storedAt: statedTime(document.storedAt),
    size: document.signedDataSize,
    digests: Object.fromEntries(hashes),
  }
  const logged: LoggedDocument = { statement: { ...statement, log: proof.statement }, log: proof.log }
  const all = [log.digests, ...log.signatures.values()].map((one) => one?.log)
  return {
    document: logged,
    signatures: signatures.map((one) => signature(one, log.signatures.get(one.signId)?.log)),
    logKeys: [...new Set(all.flatMap((one) => (one?.state === 'logged' ? (one.logKey ?? []) : [])))],
  }
}

function signature({ signId, storedAt, facts, signed, evidence }: StoredSignature, log?: LogInBundle): LoggedSignature {
  const proof = open(log, `${signId}`)
  const { timeStamp, ocsp, crls } = evidence
  const file = signatureFile({ signId, signType: facts.signType })
  const coverage = evidence.coverage && statedCoverage(evidence.coverage)
  return {
    statement: { signId, storedAt: statedTime(storedAt), signature: file, coverage, log: proof.statement },
    ...{ signed, timeStamp, ocsp, crls, log: proof.log },
  }
}

function open(
  log: LogInBundle | undefined,
  name: string,
): { readonly statement: LogStatement | undefined; readonly log: OpenLog | undefined } {
  if (log?.state !== 'logged') return { statement: log && { state: log.state }, log: undefined }
  const checkpoint = stamped(log.checkpoint)
  const files = { proof: proofFile(name), checkpoint: checkpoint.files }
  return {
    statement: { state: 'logged', ...files },
    log: { statement: files, proof: Buffer.from(log.proof), received: log.received, checkpoint },
  }
}

const stamped = ({ size, note, stamp }: CheckpointInBundle): OpenStamped => ({
  files: { note: `checkpoints/${size}.note`, stamp: stamp && `checkpoints/${size}.tst` },
  note: Buffer.from(note),
  stamp,
})
