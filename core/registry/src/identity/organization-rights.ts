import { port } from '../kernel/port.js'
import type { Injected } from '../kernel/service.js'
import type { OrganizationRight } from './access-table.js'
import { type Caller, refusal } from './caller.js'

/** Who of an organization has a right (specification, "Access control object"). */
export interface AccessControl {
  /** OIDs of extended key usages; one is enough. */
  readonly authorities: readonly string[]
  /** Positions in `tlsCertificatesList`. */
  readonly tlsCertificatesIndices: readonly number[]
  /** IINs of employees. */
  readonly iins: readonly string[]
}

/** Finds the access control objects of organizations; the organizations area provides it. */
export interface OrganizationControls {
  /** Who has a right of the organization of this BIN (`BIN…`); `undefined` where it has granted nothing. */
  find(bin: string, right: OrganizationRight): Promise<AccessControl | undefined>
}
export const OrganizationControls = port<OrganizationControls>('OrganizationControls', 'defaulted')

/** OIDs of first heads (National Certification Authority, BTSD), who have every right of their organization. */
const FIRST_HEADS: ReadonlySet<string> = new Set(['1.2.398.3.3.4.1.2.1', '1.2.398.3.17.3.3'])

/** True for an employee whose certificate says that they are the first head. */
const isFirstHead = (caller: Caller): boolean =>
  caller.kind === 'employee' && caller.authorities.some((oid) => FIRST_HEADS.has(oid))

/** Decides what employees and systems of an organization may do in its name. */
export class OrganizationRights {
  static readonly inject = { controls: OrganizationControls }

  constructor(private readonly use: Injected<typeof OrganizationRights.inject>) {}

  /** The party that a caller sends and receives for: their IIN, or the BIN of the organization that permits it. Refuses others. */
  async partyOf(caller: Caller, right: OrganizationRight): Promise<string> {
    const party = await this.findParty(caller, right)
    if (party === undefined) throw refusal(caller)
    return party
  }

  /** As `partyOf`, but `undefined` where that refuses. */
  async findParty(caller: Caller, right: OrganizationRight): Promise<string | undefined> {
    if (caller.kind === 'anonymous') return undefined
    if (caller.kind === 'person') return caller.iin
    return (await this.allow(caller, caller.bin, right)) ? caller.bin : undefined
  }

  /** True when the caller belongs to the organization and has its right. */
  async allow(caller: Caller, bin: string, right: OrganizationRight): Promise<boolean> {
    if ((caller.kind !== 'employee' && caller.kind !== 'system') || caller.bin !== bin) return false
    if (isFirstHead(caller)) return true
    const control = await this.use.controls.find(bin, right)
    if (control === undefined) return false
    if (caller.kind === 'system') return control.tlsCertificatesIndices.includes(caller.certificateIndex)
    return control.iins.includes(caller.iin) || caller.authorities.some((oid) => control.authorities.includes(oid))
  }
}
