import { type Caller, OrganizationRights } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import type { StoredItem } from './item-store.js'

/** Who looks at a thread. */
export interface ThreadViewer {
  /** IIN or BIN whose items they may view. */
  readonly party: string | undefined
  /** Whether they may decide about its items. */
  readonly mayDecide: boolean
  /** False for strangers, who see it only because it is open to everybody. */
  readonly isParty: boolean
  /** As whom they sign; `undefined` for systems and anonymous callers. */
  readonly signer: Signatory | undefined
  /** Roles that the certificate of an employee confirms. */
  readonly authorities: readonly string[]
}

/** A person, or an employee where there is a BIN. */
export interface Signatory {
  readonly userId: string
  readonly businessId: string | undefined
}

/** Finds out who looks at a thread. */
export class ThreadViewers {
  static readonly inject = { rights: OrganizationRights }

  constructor(private readonly use: Injected<typeof ThreadViewers.inject>) {}

  async of(caller: Caller, isParty: boolean): Promise<ThreadViewer> {
    const party = await this.use.rights.findParty(caller, 'routedDocumentsPackagesView')
    const decides = party !== undefined && (await this.use.rights.findParty(caller, 'documentsPackagesRoute'))
    return {
      party,
      mayDecide: decides === party && party !== undefined,
      isParty,
      signer: signatoryOf(caller),
      authorities: caller.kind === 'employee' ? caller.authorities : [],
    }
  }
}

function signatoryOf(caller: Caller): Signatory | undefined {
  if (caller.kind === 'person') return { userId: caller.iin, businessId: undefined }
  return caller.kind === 'employee' ? { userId: caller.iin, businessId: caller.bin } : undefined
}

/** The side of an item that a party is on, if any. */
export const sideOf = (item: StoredItem, party: string | undefined): 'sender' | 'receiver' | undefined => {
  if (party === undefined) return undefined
  if (item.sender === party) return 'sender'
  return item.receiver === party ? 'receiver' : undefined
}
