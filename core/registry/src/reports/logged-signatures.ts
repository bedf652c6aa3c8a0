import { type CheckpointTime, isOutside, type LogVerdict, proofFile } from '@signed-registry/verifier/evidence'
import { verifyLogProof } from '@signed-registry/verifier/log'
import { SignatureStore } from '../documents/index.js'
import type { Injected } from '../kernel/service.js'
import { ProveEntry } from '../log/index.js'
import { evidenceTime, type RegisteredAt } from '../signatures/index.js'

/** Says what the log of this registry proves of its own signatures. */
export class LoggedSignatures {
  static readonly inject = { proving: ProveEntry, signatures: SignatureStore }

  constructor(private readonly use: Injected<typeof LoggedSignatures.inject>) {}

  /** Of a signature that came in a file; nothing where the registry keeps no log. */
  async of(signature: string, { documentId, signId, storedAt }: RegisteredAt): Promise<LogVerdict[]> {
    const found = await this.use.proving.of('signature', `${signId}`)
    const about = { documentId, signId, signature }
    if (found.state === 'off' || found.state === 'absent') return []
    if (found.state !== 'logged') return [{ ...about, state: found.state }]
    const { verifierKey } = found
    const { fields, origin, index, size, logKey, witnesses, trust, problems } = verifyLogProof(
      found.proof,
      verifierKey === undefined ? {} : { logKeys: [verifierKey] },
    )
    // Time stamps and answers were verified when authorities gave them.
    const loggedBefore = provedAt(found.checkpoint.stampedAt)
    const signatures = this.use.signatures
    // The evidence is for those alone who may view the document, who are told when it was registered.
    const loggedAfter =
      storedAt === undefined ? undefined : evidenceTime((await signatures.get(documentId, signId)).facts)
    return [
      {
        ...about,
        ...{ state: 'logged', file: proofFile(`${signId}`), origin, index, size, logKey, witnesses, trust, problems },
        ...{ loggedAfter, loggedBefore, isOutside: isOutside(fields.get('storedAt'), loggedAfter, loggedBefore) },
        notLogged: [],
      },
    ]
  }
}

const provedAt = (time: number | undefined): CheckpointTime =>
  time === undefined ? { state: 'none' } : { state: 'proved', time }
