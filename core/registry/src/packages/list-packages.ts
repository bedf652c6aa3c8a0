import Type, { type Static } from 'typebox'
import { Timeline } from '../database/timeline.js'
import { assertAuthenticated, type Caller, told } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import { type Input, operation } from '../kernel/operation.js'
import { pageOfBytes } from '../kernel/page-of-bytes.js'
import type { Injected } from '../kernel/service.js'
import { OrganizationGuard } from '../organizations/index.js'
import { packageItem } from './get-package.js'
import { listFor } from './package-lists.js'
import { PackageStore } from './package-store.js'
import { PackageListItem } from './schema.js'

/** Query of `GET /api/package`. */
export const PackageListQuery = Type.Object({
  from: Type.Optional(Type.Integer({ description: 'milliseconds; packages registered from this time on' })),
  until: Type.Optional(Type.Integer({ description: 'milliseconds; packages registered before this time' })),
  organization: Type.Optional(Type.Boolean({ description: 'the packages of the organization; false by default' })),
})
export type PackageListQuery = Static<typeof PackageListQuery>

/** Answer of `GET /api/package`. */
export const PackageList = Type.Object(
  { packagesTotal: Type.Integer(), packages: Type.Array(PackageListItem) },
  { $id: 'PackageList' },
)
export type PackageList = Static<typeof PackageList>

/**
 * Lists packages, newest first (specification, `GET /api/package`): those whose access rules name the caller, or those of
 * the caller's organization. For the next page set `until` to `storedAt` of the last one; an empty page is the end.
 */
export class ListPackages {
  static readonly operation = operation({
    id: 'listPackages',
    group: 'packages',
    at: 'GET /package',
    who: told('packages that name them: people and employees; of the organization: who has `packagesList`'),
    summary: 'List packages, newest first; read on with until set to the last storedAt until packages is empty',
    description:
      'Those whose access rules name the caller; with `organization=true` who has the right `packagesList` gets those of the organization.',
    query: PackageListQuery,
    answer: PackageList,
    refuses: ['accessDenied', 'authenticationRequired', 'notOrganization'],
  })
  static readonly inject = {
    packages: PackageStore,
    organizations: OrganizationGuard,
    timeline: Timeline,
    limits: Limits,
  }

  constructor(private readonly use: Injected<typeof ListPackages.inject>) {}

  async execute(caller: Caller, { query = {} }: Input<typeof ListPackages.operation> = {}): Promise<PackageList> {
    const { from = 0, until = Number.MAX_SAFE_INTEGER, organization = false } = query
    assertAuthenticated(caller)
    if (organization) await this.use.organizations.assert(caller, 'packagesList')
    const list = listFor(caller, organization)
    if (list === undefined) return { packagesTotal: 0, packages: [] }

    const window = { from, until }
    const page = await this.use.timeline.page(list, window, this.use.limits.itemsPerPage)
    const found = await this.use.packages.list(page.map(({ item }) => item))
    return {
      packagesTotal: await this.use.timeline.total(list, window),
      packages: await pageOfBytes(found, this.use.limits.pageBytes, ({ storedAt }) => storedAt, packageItem),
    }
  }
}
