import type { Injected } from '../kernel/service.js'
import { type ProvedEntry, ProveEntry, type PublishedCheckpoint, type SaltedKind } from '../log/index.js'
import type { StoredSignature } from './bundle-signatures.js'
import type { CheckpointInBundle, LogInBundle } from './ports.js'

/** What the log has of a document and its signatures. */
export interface BundledLog {
  readonly digests: Logged | undefined
  readonly signatures: ReadonlyMap<number, Logged>
}

/** What the log has of something, and when that last changed. */
export interface Logged {
  readonly log: LogInBundle
  /** Milliseconds; `undefined` without a checkpoint. */
  readonly changedAt: number | undefined
}

/** Takes proofs of the log along. What the log cannot prove now is said, and keeps no bundle from being made. */
export class BundledLogs {
  static readonly inject = { proving: ProveEntry }

  constructor(private readonly use: Injected<typeof BundledLogs.inject>) {}

  async of(documentId: string, signatures: readonly StoredSignature[]): Promise<BundledLog> {
    const logged = new Map<number, Logged>()
    for (const { signId, facts, received } of signatures) {
      const isOtherForm = facts.signType === 'cms'
      const found = await this.find('signature', `${signId}`, isOtherForm ? received : undefined)
      if (found !== undefined) logged.set(signId, found)
    }
    return { digests: await this.find('digests', documentId), signatures: logged }
  }

  private async find(kind: SaltedKind, ref: string, received?: Uint8Array): Promise<Logged | undefined> {
    const found = await this.use.proving.of(kind, ref)
    const { state } = found
    if (state === 'off' || state === 'absent') return undefined
    return state === 'logged' ? proved(found, received) : { log: { state }, changedAt: undefined }
  }
}

function proved(found: Extract<ProvedEntry, { state: 'logged' }>, received: Uint8Array | undefined): Logged {
  const { proof, verifierKey: logKey, checkpoint: covering } = found
  return {
    log: {
      ...{ state: 'logged', proof, logKey, received },
      checkpoint: checkpoint(covering),
    },
    changedAt: covering.stampedAt ?? covering.signedAt,
  }
}

const checkpoint = ({ size, note, stamp, stampedAt }: PublishedCheckpoint): CheckpointInBundle => ({
  ...{ size, note, stamp, stampedAt },
})
