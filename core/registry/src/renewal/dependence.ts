import type { SignatureRecord } from '../documents/index.js'

/** Signatures whose proofs end together: of one time-stamping certificate, by the same algorithms and issuers. */
export interface Dependence {
  /** Who made the time stamps, in words. */
  readonly authority: string
  /** Tells them apart: the certificate of the authority, the issuer of the signers, and all algorithms. */
  readonly key: string
  /** When the certificate of the authority expires, milliseconds. */
  readonly until: number
  readonly signatures: number
  /** A few of them: what is found out of one is so of all. */
  readonly samples: readonly number[]
}

const MAX_SAMPLES = 3

/** What a signature depends on, as a group of its own. */
export function dependenceOf({ signId, facts }: Pick<SignatureRecord, 'signId' | 'facts'>): Dependence {
  const { tsp, ocsp } = facts
  const algorithms = [facts, tsp, ocsp].map((one) => one && `${one.signAlgorithm} ${one.certSignAlgorithm}`)
  return {
    authority: tsp?.subject ?? '',
    key: JSON.stringify([tsp?.issuer, tsp?.serialNumber, facts.issuer, facts.signType, ...algorithms]),
    until: tsp?.until ?? 0,
    signatures: 1,
    samples: [signId],
  }
}

/** Groups with others added to them. */
export function joined(groups: readonly Dependence[], added: readonly Dependence[]): Dependence[] {
  const all = new Map(groups.map((one) => [one.key, one]))
  for (const one of added) {
    const known = all.get(one.key)
    const samples = [...(known?.samples ?? []), ...one.samples].slice(0, MAX_SAMPLES)
    all.set(one.key, { ...one, ...known, signatures: (known?.signatures ?? 0) + one.signatures, samples })
  }
  return [...all.values()]
}
