import type { VerifiedDocument } from '@signed-registry/client'
import { day, moment } from './dates.js'
import { make, say } from './dom.js'
import { texts } from './texts.js'

type Proof = NonNullable<VerifiedDocument['proof']>

/**
 * Says what verifying a document again has found: that its signatures are good, since when they are proved, by what and
 * until when. Signatures that only the word of the registry dates are a warning, without a word of praise. `added` says what
 * was added besides.
 */
export function sayProof(
  place: HTMLElement,
  { signaturesTotal, verifiedAt, proof }: Pick<VerifiedDocument, 'signaturesTotal' | 'verifiedAt' | 'proof'>,
  added?: string,
): void {
  const verified = signaturesTotal === 0 ? [] : [texts.verifiedAgain(signaturesTotal)]
  const done = added === undefined ? [] : [added]
  const warning = proof && warningOf(proof, verifiedAt)
  const [first, ...others] =
    warning === undefined
      ? [...verified, ...proved(proof), ...done.map((one) => `${one} ${texts.nothingMore}`)]
      : [warning, texts.proofEndedNext, ...done]
  say(
    place,
    warning === undefined ? 'good' : 'warn',
    make('p', {}, make('strong', {}, first)),
    ...others.map((one) => make('p', {}, one)),
  )
}

/** Why a proof is none to others; `undefined` where it is one. */
function warningOf({ ended, holdsUntil }: Proof, now: number): string | undefined {
  if (ended > 0) return texts.proofEnded(ended)
  return holdsUntil !== undefined && holdsUntil <= now ? texts.proofOver(day(holdsUntil)) : undefined
}

function proved(proof: Proof | undefined): string[] {
  if (proof === undefined) return []
  const { since, by, stamps, holdsUntil } = proof
  return [
    by === 'timeStamp' ? texts.provedByStamps(moment(since)) : texts.provedByRecord(moment(since), stamps),
    ...(holdsUntil === undefined ? [] : [texts.proofHolds(day(holdsUntil))]),
  ]
}
