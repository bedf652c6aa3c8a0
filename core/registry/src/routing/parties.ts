import {
  assertAuthenticated,
  type Caller,
  type OrganizationRight,
  OrganizationRights,
  refusal,
} from '../identity/index.js'
import type { Injected } from '../kernel/service.js'

/** Who sends, receives and comments: a person, or an organization through those whom it lets. */
export class Parties {
  static readonly inject = { rights: OrganizationRights }

  constructor(private readonly use: Injected<typeof Parties.inject>) {}

  /** IIN of the person, or BIN of the organization that lets the caller; refuses all others. */
  async assert(caller: Caller, right: OrganizationRight): Promise<string> {
    assertAuthenticated(caller)
    const party = await this.of(caller, right)
    if (party === undefined) throw refusal(caller)
    return party
  }

  /** As `assert`, but `undefined` for those whom it would refuse. */
  async of(caller: Caller, right: OrganizationRight): Promise<string | undefined> {
    if (caller.kind === 'anonymous') return undefined
    if (caller.kind === 'person') return caller.iin
    return (await this.use.rights.allow(caller, caller.bin, right)) ? caller.bin : undefined
  }
}
