import type { CarriedEvidence, ReadSignature } from './signature.js'

/** When somebody else is proved to have seen a signature (EN 319 102-1, proof of existence), and what of its evidence. */
export interface Seen {
  /** Milliseconds since the epoch. */
  readonly existedAt: number
  readonly by: 'archiveTimeStamp' | 'evidenceRecord'
  /** Whether a piece of evidence was seen with it; absent where all was, also what is given beside the signature. */
  covers?(octets: Uint8Array): boolean
}

/** A signature with those pieces of its evidence alone that were seen with it. */
export function asSeen(signature: ReadSignature, covers: (octets: Uint8Array) => boolean): ReadSignature {
  const { signer } = signature
  return {
    ...signature,
    certificates: signature.certificates.filter((one) => one === signer || covers(one.der)),
    carried: seenEvidence(signature.carried, covers),
  }
}

/** What of carried evidence was seen; content time stamps were signed. */
const seenEvidence = (carried: CarriedEvidence, covers: (octets: Uint8Array) => boolean): CarriedEvidence => ({
  ...carried,
  timeStamps: carried.timeStamps.filter(({ token }) => covers(token)),
  answers: carried.answers.filter(covers),
  crls: carried.crls.filter(covers),
})
