import { Timeline } from '../database/timeline.js'
import { type Caller, organizationOf } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import type { StoredPackage } from './package-store.js'

/** The list of packages whose access rules name a person, or an employee of this organization. */
const personalList = (iin: string, bin?: string): string => `packages ${iin}${bin === undefined ? '' : `/${bin}`}`

/** The list of packages whose access rules name an organization, or that its systems registered. */
const organizationList = (bin: string): string => `packages ${bin}`

/** The list that a caller asks for; `undefined` where it is always empty. */
export function listFor(caller: Caller, organization: boolean): string | undefined {
  const bin = organizationOf(caller)
  if (organization) return bin === undefined ? undefined : organizationList(bin)
  return caller.kind === 'person' || caller.kind === 'employee' ? personalList(caller.iin, bin) : undefined
}

type Listed = Pick<StoredPackage, 'id' | 'storedAt' | 'settings' | 'registrator'>

/** Keeps the lists of packages, in the transaction that changes the package. */
export class PackageLists {
  static readonly inject = { timeline: Timeline }

  constructor(private readonly use: Injected<typeof PackageLists.inject>) {}

  /** Adds a new package to its lists. */
  async add(added: Listed): Promise<void> {
    await this.use.timeline.addNew([...listsOf(added)].map((list) => ({ list, ...itemOf(added) })))
  }

  /** In the transaction that forgets the package. */
  async forget(forgotten: Listed): Promise<void> {
    await this.use.timeline.remove([...listsOf(forgotten)], itemOf(forgotten))
  }

  /** Follows a change of settings. */
  async move(before: Listed, after: Listed): Promise<void> {
    const [left, entered] = [listsOf(before), listsOf(after)]
    await this.use.timeline.remove(
      [...left].filter((list) => !entered.has(list)),
      itemOf(before),
    )
    await this.use.timeline.add(
      [...entered].filter((list) => !left.has(list)),
      itemOf(after),
    )
  }
}

const itemOf = ({ id, storedAt }: Listed) => ({ at: storedAt, item: id })

function listsOf({ settings, registrator }: Listed): Set<string> {
  const lists = new Set(registrator ? [organizationList(registrator.bin)] : [])
  for (const { iin, bin } of settings.packageAccess) {
    if (iin !== undefined) lists.add(personalList(iin, bin))
    if (bin !== undefined) lists.add(organizationList(bin))
  }
  return lists
}
