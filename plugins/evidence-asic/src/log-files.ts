import { createHash } from 'node:crypto'
import type {
  Bundle,
  CheckpointInBundle,
  DocumentInBundle,
  LogInBundle,
  ProofInBundle,
  SignatureInBundle,
} from '@signed-registry/core'
import { type CheckpointFiles, type LogStatement, proofFile } from '@signed-registry/verifier/evidence'

/** A file that proves something about the log. */
export interface LogFile {
  readonly name: string
  readonly content: Uint8Array | string
}

/** The log files of bundles: README.txt and evidence.json ask for them again and again. */
const known = new WeakMap<object, LogFiles>()

/** The log files of a bundle. */
export function logFilesOf(bundle: Bundle): LogFiles {
  const found = known.get(bundle) ?? new LogFiles(bundle)
  known.set(bundle, found)
  return found
}

/** Where the proofs of a bundle stand, and the checkpoints that they share. */
class LogFiles {
  private readonly checkpoints = new Map<string, CheckpointFiles>()
  private readonly shared: LogFile[] = []

  constructor(private readonly bundle: Pick<Bundle, 'package' | 'documents'>) {
    for (const { log } of logged(bundle)) {
      if (log?.state !== 'logged') continue
      this.add(log.checkpoint)
    }
  }

  /** Every file: proofs in the order of documents and signatures, then checkpoints. */
  all(): LogFile[] {
    const proofs = this.bundle.documents.flatMap((one) => [
      ...proofFiles(this.nameOfDigests(one), one.log),
      ...one.signatures.flatMap((own) => proofFiles(nameOfSignature(own), own.log)),
    ])
    return [...proofs, ...this.shared]
  }

  /** What `evidence.json` says of a signature. */
  signature(one: SignatureInBundle): LogStatement | undefined {
    return this.statement(nameOfSignature(one), one.log)
  }

  /** What `evidence.json` says of the hashes of a document. */
  digests(one: DocumentInBundle): LogStatement | undefined {
    return this.statement(this.nameOfDigests(one), one.log)
  }

  /** The files of a checkpoint of the bundle. */
  checkpointOf(checkpoint: CheckpointInBundle): CheckpointFiles {
    const found = this.checkpoints.get(keyOf(checkpoint))
    if (found === undefined) throw new TypeError('The checkpoint is not in the bundle')
    return found
  }

  private statement(name: string, log: LogInBundle | undefined): LogStatement | undefined {
    if (log?.state !== 'logged') return log && { state: log.state }
    return {
      state: 'logged',
      proof: proofFile(name),
      ...(log.received !== undefined && { received: receivedOf(name) }),
      checkpoint: this.checkpointOf(log.checkpoint),
    }
  }

  private nameOfDigests({ documentId }: DocumentInBundle): string {
    return this.bundle.package === undefined ? 'digests' : `${documentId}/digests`
  }

  /** Checkpoints of several logs may be of one size. */
  private add(checkpoint: CheckpointInBundle): void {
    const key = keyOf(checkpoint)
    if (this.checkpoints.has(key)) return
    const { size, note, stamp } = checkpoint
    const isTaken = (name: string) => this.shared.some((one) => one.name === `${name}.note`)
    let name = `checkpoints/${size}`
    for (let number = 2; isTaken(name); number += 1) name = `checkpoints/${size}-${number}`
    const files = { note: `${name}.note`, ...(stamp !== undefined && { stamp: `${name}.tst` }) }
    this.checkpoints.set(key, files)
    this.shared.push({ name: files.note, content: note })
    if (stamp !== undefined) this.shared.push({ name: `${name}.tst`, content: stamp })
  }
}

/** Verifier keys of the logs that a bundle has proofs of, each once. */
export const logKeysOf = (bundle: Pick<Bundle, 'documents'>): string[] => [
  ...new Set(logged(bundle).flatMap(({ log }) => (log?.state === 'logged' && log.logKey ? [log.logKey] : []))),
]

const logged = ({ documents }: Pick<Bundle, 'documents'>): readonly { readonly log?: LogInBundle | undefined }[] =>
  documents.flatMap((one) => [one, ...one.signatures])

const nameOfSignature = ({ signId }: SignatureInBundle): string => `${signId}`

const receivedOf = (name: string): string => `proofs/${name}.p7s`

const proofFiles = (name: string, log: LogInBundle | undefined): LogFile[] =>
  log?.state === 'logged' ? filesOf(name, log) : []

const filesOf = (name: string, { proof, received }: ProofInBundle): LogFile[] => [
  { name: proofFile(name), content: proof },
  ...(received === undefined ? [] : [{ name: receivedOf(name), content: received }]),
]

const keyOf = ({ note, stamp }: CheckpointInBundle): string => {
  const hash = createHash('sha256').update(note).update('\0')
  return hash.update(stamp ?? '').digest('hex')
}
