import { type CheckpointTime, isOutside, type LogVerdict, proofFile } from '@signed-registry/verifier/evidence'
import { verifyLogProof } from '@signed-registry/verifier/log'
import type { Injected } from '../kernel/service.js'
import { ProveEntry } from '../log/index.js'
import type { RegisteredAt } from '../signatures/index.js'

/** Says what the log of this registry proves of its own signatures. */
export class LoggedSignatures {
  static readonly inject = { proving: ProveEntry }

  constructor(private readonly use: Injected<typeof LoggedSignatures.inject>) {}

  /** Of a signature that came in a file; nothing where the registry keeps no log. */
  async of(signature: string, { documentId, signId }: RegisteredAt): Promise<LogVerdict[]> {
    const found = await this.use.proving.of('signature', `${signId}`)
    const about = { documentId, signId, signature }
    if (found.state === 'off' || found.state === 'absent') return []
    if (found.state !== 'logged') return [{ ...about, state: found.state }]
    const { verifierKey } = found
    const { fields, origin, index, size, logKey, witnesses, trust, problems } = verifyLogProof(
      found.proof,
      verifierKey === undefined ? {} : { logKeys: [verifierKey] },
    )
    // The stamps were verified when the authority gave them.
    const [loggedBefore, notBefore] = [provedAt(found.checkpoint.stampedAt), provedAt(found.notBefore)]
    return [
      {
        ...about,
        ...{ state: 'logged', file: proofFile(`${signId}`), origin, index, size, logKey, witnesses, trust, problems },
        ...{ loggedBefore, notBefore, isOutside: isOutside(fields.get('storedAt'), notBefore, loggedBefore) },
      },
    ]
  }
}

const provedAt = (time: number | undefined): CheckpointTime =>
  time === undefined ? { state: 'none' } : { state: 'proved', time }
