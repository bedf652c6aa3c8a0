import { RegistryError } from '@signed-registry/verifier'
import type { TimeStamp } from '../signatures/index.js'
import type { RenewalProblem } from './renewal-tables.js'

/** Nothing was renewed that should have been; it is tried again by the next run. */
export class NotRenewed extends Error {
  constructor(
    readonly problem: RenewalProblem,
    options?: ErrorOptions,
  ) {
    super(problem.text, options)
  }

  static byAuthority(error: unknown): unknown {
    if (!(error instanceof RegistryError)) return error
    const text = `The time-stamping authority gave no time stamp that can be used: ${String(error.details?.reason ?? error.code)}`
    return new NotRenewed({ reason: 'authority', text }, { cause: error })
  }

  static notLater(genTime: number): NotRenewed {
    const text = `The authority dated a time stamp ${new Date(genTime).toISOString()}, which is not after the one that it renews`
    return new NotRenewed({ reason: 'time', text })
  }

  static notVerified(reason: string): NotRenewed {
    const text = `The evidence records of a batch cannot be verified: ${reason}. Where no root is missing and the policy of algorithms is right, "signed-registry admin renew" lets them begin anew`
    return new NotRenewed({ reason: 'record', text })
  }

  static endsSooner({ signer }: TimeStamp, until: number): NotRenewed {
    const day = new Date(until).toISOString().slice(0, 10)
    const text = `A time stamp by ${signer.subject} would hold until ${day} only, which is no longer than what it should renew: give the address of another authority (RENEWAL_TSP_URL)`
    return new NotRenewed({ reason: 'endsSooner', text })
  }
}
