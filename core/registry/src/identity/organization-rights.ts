import { port } from '../kernel/port.js'
import type { Injected } from '../kernel/service.js'
import type { Caller } from './caller.js'

/** Who of an organization has a right (specification, "Access control object"). */
export interface AccessControl {
  /** OIDs of extended key usages; any one suffices. */
  readonly authorities: readonly string[]
  /** Positions in `tlsCertificatesList`. */
  readonly tlsCertificatesIndices: readonly number[]
  /** IINs of employees. */
  readonly iins: readonly string[]
}

/** What an organization grants to its employees and systems (specification, "Organization settings"). */
export type OrganizationRight =
  | 'documentsAccess'
  | 'documentsList'
  | 'documentsSettings'
  | 'packagesAccess'
  | 'packagesList'
  | 'packagesSettings'
  | 'organizationSettings'
  | 'documentsPackagesRoute'
  | 'routedDocumentsPackagesView'

/** Tells the access control objects of organizations to whoever may see them; the organizations area provides it. */
export interface OrganizationControls {
  /** Who has a right of the organization of this BIN (`BIN…`); `undefined` where it has granted nothing. */
  find(bin: string, right: OrganizationRight): Promise<AccessControl | undefined>
}
export const OrganizationControls = port<OrganizationControls>('OrganizationControls', 'defaulted')

/** First heads, by the national authority and by BTSD: they have every right of their organization. */
const FIRST_HEADS: ReadonlySet<string> = new Set(['1.2.398.3.3.4.1.2.1', '1.2.398.3.17.3.3'])

/** True for an employee whose certificate says that they are the first head. */
const isFirstHead = (caller: Caller): boolean =>
  caller.kind === 'employee' && caller.authorities.some((oid) => FIRST_HEADS.has(oid))

/** Decides what employees and systems of an organization may do in its name. */
export class OrganizationRights {
  static readonly inject = { controls: OrganizationControls }

  constructor(private readonly use: Injected<typeof OrganizationRights.inject>) {}

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
