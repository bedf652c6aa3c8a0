import { ViewableDocuments } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { anyone } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { type CheckedSigner, type DocumentVerdict, joinVerdicts, unreadable, worstOf } from '../signatures/index.js'
import { CheckSigned } from './check-signed.js'
import { CheckedFiles } from './checked-files.js'
import { CheckSignatureRequest, type FilesToCheck, filesToCheck } from './files-to-check.js'

/** Registered documents found by each kind of access, for each document given. */
const MAX_BY_EACH_ACCESS = 10

/** Judges signatures over documents, registered or not, to one verdict; stores nothing. */
export class CheckSignature {
  static readonly operation = operation({
    id: 'checkSignature',
    group: 'documents',
    at: 'POST /checkSignature',
    who: anyone(),
    summary: 'Judge signatures over documents, registered or not; nothing is kept',
    description:
      'The verifier alone judges, each signature over the document that it is of: by configured trust, by the evidence that a signature carries, and by what is kept of one that is registered, for whoever may view its document. No authority is asked, so what has no certificate status is never TOTAL-PASSED. Documents are not sent: their hashes are.',
    request: CheckSignatureRequest,
    json: { bytes: Number.POSITIVE_INFINITY },
    answer: CheckedFiles,
    refuses: ['signatureNotParsed'],
  })
  static readonly inject = { checking: CheckSigned, viewable: ViewableDocuments, clock: Clock }

  constructor(private readonly use: Injected<typeof CheckSignature.inject>) {}

  async execute(caller: Caller, { request }: Input<typeof CheckSignature.operation>): Promise<CheckedFiles> {
    const { signatures: given, documents } = filesToCheck(request)
    const signatures: CheckedSigner[] = []
    for (const one of given)
      signatures.push(...(await this.use.checking.check(caller, { ...one, documents })).signatures)
    const refusal = request.signature === undefined ? undefined : unreadable(signatures)
    if (refusal !== undefined) throw refusal
    const joined = joinVerdicts(signatures, documents)
    return {
      outcome: joined.outcome,
      ...worstOf(signatures),
      judgedAt: this.use.clock.now(),
      signatures,
      documents: await this.registered(caller, documents, joined.documents),
    }
  }

  /** Adds to each document where it is registered, as far as the caller may view that. */
  private async registered(
    caller: Caller,
    documents: FilesToCheck['documents'],
    judged: readonly DocumentVerdict[],
  ): Promise<CheckedFiles['documents']> {
    const found: CheckedFiles['documents'] = []
    for (const [at, { document }] of documents.entries()) {
      const one = judged[at]
      if (one === undefined) continue
      const registered = await this.use.viewable.withDigest(caller, [...document.values()], MAX_BY_EACH_ACCESS)
      found.push({ ...one, signatures: [...one.signatures], registered })
    }
    return found
  }
}
