import type { Injected } from '../kernel/service.js'
import type { Access, Way } from './access-table.js'
import { type Caller, organizationOf, refusal } from './caller.js'
import { OrganizationRights } from './organization-rights.js'

/** A rule that adds rights for a person, an employee or an organization (specification, "Access rule"). */
export interface AccessRule {
  readonly iin?: string | undefined
  readonly bin?: string | undefined
}

/** How access rules match a caller: as this person or employee, through the organization, or not at all. */
export function matchRules(rules: readonly AccessRule[], caller: Caller): 'self' | 'organization' | 'none' {
  if (caller.kind === 'anonymous') return 'none'
  let match: 'organization' | 'none' = 'none'
  for (const { iin, bin } of rules) {
    if (caller.kind === 'person' && iin === caller.iin && bin === undefined) return 'self'
    if (caller.kind === 'employee' && iin === caller.iin && bin === caller.bin) return 'self'
    // A rule for one employee lets colleagues in too, as far as their organization gives them the right.
    if (caller.kind !== 'person' && bin === caller.bin) match = 'organization'
  }
  return match
}

/** The facts about an object by which the ways of the access table are decided. */
export interface AccessFacts {
  readonly isPrivate: boolean
  /** True while the settings open the object to everyone. */
  openForNow(): boolean
  readonly accessRules: readonly AccessRule[]
  readonly settingsRules: readonly AccessRule[]
  /** BIN of the organization whose system registered the object. */
  readonly registrator: string | undefined
  /** True when the caller registered it, as this person or as this employee. */
  registeredBy(caller: Caller): Promise<boolean>
  /** True when the caller signed it, as this person or as this employee. */
  signedBy(caller: Caller): Promise<boolean>
  /** True when it was delivered to a person or an organization (IIN or BIN). */
  receivedBy(party: string): Promise<boolean>
  /** True when an employee of the organization signed it. */
  signedByOrganization(bin: string): Promise<boolean>
}

/** Decides by the access table. */
export class ObjectAccess {
  static readonly inject = { rights: OrganizationRights }

  constructor(private readonly use: Injected<typeof ObjectAccess.inject>) {}

  /** Throws `authenticationRequired` (anonymous callers) or `accessDenied` where no way grants access. */
  async assertMay(access: Access, caller: Caller, facts: AccessFacts): Promise<void> {
    if (!(await this.may(access, caller, facts))) throw refusal(caller)
  }

  async may(access: Access, caller: Caller, facts: AccessFacts): Promise<boolean> {
    const ways = access.authenticated && caller.kind === 'anonymous' ? (access.anonymousWays ?? []) : access.ways
    for (const way of ways) {
      const leads = this.leads(way, caller, facts)
      if (typeof leads === 'boolean' ? leads : await leads) return true
    }
    return false
  }

  private leads(way: Way, caller: Caller, facts: AccessFacts): boolean | Promise<boolean> {
    switch (way) {
      case 'public':
        return !facts.isPrivate
      case 'openForNow':
        return facts.openForNow()
      case 'signed':
        return facts.signedBy(caller)
      case 'registered':
        return facts.registeredBy(caller)
      case 'received':
        return caller.kind === 'person' && facts.receivedBy(caller.iin)
      case 'named':
        return matchRules(facts.accessRules, caller) === 'self'
      case 'namedForSettings':
        return matchRules(facts.settingsRules, caller) === 'self'
    }
    return this.leadsThrough(way, caller, facts)
  }

  private async leadsThrough(way: Exclude<Way, string>, caller: Caller, facts: AccessFacts): Promise<boolean> {
    const bin = organizationOf(caller)
    if (bin === undefined) return false
    return (await concerns(way.through, bin, caller, facts)) && this.use.rights.allow(caller, bin, way.right)
  }
}

async function concerns(
  through: Exclude<Way, string>['through'],
  bin: string,
  caller: Caller,
  facts: AccessFacts,
): Promise<boolean> {
  switch (through) {
    case 'registration':
      return facts.registrator === bin
    case 'signatureOrRegistration':
      return facts.registrator === bin || facts.signedByOrganization(bin)
    case 'delivery':
      return facts.receivedBy(bin)
    case 'rule':
      return matchRules(facts.accessRules, caller) === 'organization'
    case 'settingsRule':
      return matchRules(facts.settingsRules, caller) === 'organization'
  }
}
