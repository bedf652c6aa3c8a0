import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import type { SignatureFacts } from '../signatures/index.js'
import type { DocumentRecord } from './document-store.js'
import type { DocumentSettings } from './schema.js'
import { SignatureStore } from './signature-store.js'
import { meetsRequirement, type SignerRequirement } from './signer-requirements.js'

/** A requirement to signers that no signature meets yet. */
export type AwaitedSigner = SignerRequirement & {
  /** Its place from 1, where signers sign in order. */
  readonly order?: number
  /** Whether its signer may sign now: it is their turn, and not too late. */
  readonly next: boolean
}

/** What has been signed of a document, and the time. */
export interface SigningState {
  readonly signaturesTotal: number
  readonly signers: readonly SignatureFacts[]
  readonly now: number
}

/** The requirements that are still to be met; none where no more signatures are allowed. */
export function awaitedSigners(
  settings: DocumentSettings,
  { signaturesTotal, signers, now }: SigningState,
): AwaitedSigner[] {
  const { signersRequirements = [], sequentialSignersRequirements = false, signaturesLimit = 0, signUntil } = settings
  if (signaturesLimit > 0 && signaturesTotal >= signaturesLimit) return []
  const inTime = signUntil === undefined || now < signUntil
  if (!sequentialSignersRequirements) {
    return unmet(signersRequirements, signers).map((rule) => ({ ...rule, next: inTime }))
  }
  return signersRequirements
    .slice(signaturesTotal)
    .map((rule, at) => ({ ...rule, order: signaturesTotal + at + 1, next: inTime && at === 0 }))
}

/** The requirements that none of these signers meets. */
const unmet = <R extends SignerRequirement>(rules: readonly R[], signers: readonly SignatureFacts[]): R[] =>
  rules.filter((rule) => !signers.some((facts) => meetsRequirement(facts, rule)))

const SIGNERS_AT_ONCE = 100
/** Signatures that are looked at: without limit and order, somebody who meets a requirement may sign any number of times. */
const SIGNERS = 300

/** Says who is awaited to sign a document. */
export class AwaitedSigners {
  static readonly inject = { signatures: SignatureStore, clock: Clock }

  constructor(private readonly use: Injected<typeof AwaitedSigners.inject>) {}

  /** As `awaitedSigners`, of the signatures that the document has. */
  async of({ id, settings, signaturesTotal }: DocumentRecord): Promise<AwaitedSigner[]> {
    let left = awaitedSigners(settings, { signaturesTotal, signers: [], now: this.use.clock.now() })
    if (settings.sequentialSignersRequirements) return left
    for (let after = 0, seen = 0; seen < SIGNERS && left.length > 0; ) {
      const page = await this.use.signatures.page(id, after, SIGNERS_AT_ONCE)
      left = unmet(
        left,
        page.map(({ facts }) => facts),
      )
      seen += page.length
      const last = page.at(-1)
      if (last === undefined || page.length < SIGNERS_AT_ONCE) break
      after = last.signId
    }
    return left
  }
}
