import { type Caller, OrganizationRights } from '../identity/index.js'
import { guard } from '../kernel/operation.js'

/** People, for themselves; employees and systems who may send for their organization. `execute` gets the IIN or BIN as `owner`. */
export const ofOwner = guard({
  words:
    'people, about their own; employees and systems with `documentsPackagesRoute`, about those of the organization',
  refuses: ['accessDenied', 'authenticationRequired'],
  inject: { rights: OrganizationRights },
  check:
    ({ rights }) =>
    async (caller: Caller) => ({ owner: await rights.partyOf(caller, 'documentsPackagesRoute') }),
})
