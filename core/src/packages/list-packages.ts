import { Timeline } from '../database/timeline.js'
import { assertAuthenticated, type Caller } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import { OrganizationGuard } from '../organizations/index.js'
import { packageItem } from './get-package.js'
import { listFor } from './package-lists.js'
import { PackageStore } from './package-store.js'
import type { PackageList } from './schema.js'

/** What a list of packages is asked for. */
export interface PackageListQuery {
  /** Milliseconds; packages registered from this time on. */
  readonly from?: number | undefined
  /** Milliseconds; packages registered before this time. */
  readonly until?: number | undefined
  /** The packages of the caller's organization in place of the caller's own. */
  readonly organization?: boolean | undefined
}

/**
 * Answers packages, newest first (specification, `GET /api/package`): those whose access rules name the caller, or those
 * of the caller's organization. Read on with `until` set to `storedAt` of the last one until `packages` is empty.
 */
export class ListPackages {
  static readonly inject = [PackageStore, OrganizationGuard, Timeline, Limits] as const

  constructor(
    private readonly packages: PackageStore,
    private readonly organizations: OrganizationGuard,
    private readonly timeline: Timeline,
    private readonly limits: Limits,
  ) {}

  async execute(caller: Caller, query: PackageListQuery = {}): Promise<PackageList> {
    const { from = 0, until = Number.MAX_SAFE_INTEGER, organization = false } = query
    assertAuthenticated(caller)
    if (organization) await this.organizations.assert(caller, 'packagesList')
    const list = listFor(caller, organization)
    if (list === undefined) return { packagesTotal: 0, packages: [] }

    const window = { from, until }
    const page = await this.timeline.page(list, window, this.limits.itemsPerPage)
    const found = new Map((await this.packages.getAll(page.map(({ item }) => item))).map((one) => [one.id, one]))
    return {
      packagesTotal: await this.timeline.total(list, window),
      packages: page.flatMap(({ item }) => {
        const one = found.get(item)
        return one === undefined ? [] : [packageItem(one)]
      }),
    }
  }
}
