import Type, { type Static } from 'typebox'
import { queryWords, type Scanned, scanList } from '../database/scan-list.js'
import {
  askedSearch,
  cursorBefore,
  searchCursorField,
  searchCursorOf,
  searchCursorParameter,
  windowLeft,
} from '../database/search-cursor.js'
import { Timeline, type TimelineWindow } from '../database/timeline.js'
import { assertAuthenticated, type Caller, told } from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import { type Input, operation } from '../kernel/operation.js'
import { pageOfBytes } from '../kernel/page-of-bytes.js'
import type { Injected } from '../kernel/service.js'
import { OrganizationGuard } from '../organizations/index.js'
import { packageItem } from './get-package.js'
import { PackageLimits } from './limits.js'
import { listFor } from './package-lists.js'
import { PackageStore } from './package-store.js'
import { PackageListItem } from './schema.js'

/** Query of `GET /api/package`. */
export const PackageListQuery = Type.Object({
  from: Type.Optional(Type.Integer({ description: 'milliseconds; packages registered from this time on' })),
  until: Type.Optional(Type.Integer({ description: 'milliseconds; packages registered before this time' })),
  organization: Type.Optional(Type.Boolean({ description: 'the packages of the organization; false by default' })),
  searchQuery: Type.Optional(
    Type.String({ description: 'words of the title or description, of which 2,000 are looked at for a page; ours' }),
  ),
  ...searchCursorParameter,
})
export type PackageListQuery = Static<typeof PackageListQuery>

/** Answer of `GET /api/package`. */
export const PackageList = Type.Object(
  { packagesTotal: Type.Integer(), packages: Type.Array(PackageListItem), ...searchCursorField },
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
    summary:
      'List packages, newest first; read on with until set to the last storedAt until packages is empty, in a search with searchCursor until there is none',
    description:
      'Those whose access rules name the caller; with `organization=true` who has the right `packagesList` gets those of the organization.',
    query: PackageListQuery,
    answer: PackageList,
    refuses: ['accessDenied', 'authenticationRequired', 'notOrganization', 'requestFieldTooLarge'],
  })
  static readonly inject = {
    packages: PackageStore,
    organizations: OrganizationGuard,
    timeline: Timeline,
    limits: Limits,
    packageLimits: PackageLimits,
  }

  constructor(private readonly use: Injected<typeof ListPackages.inject>) {}

  async execute(caller: Caller, { query = {} }: Input<typeof ListPackages.operation> = {}): Promise<PackageList> {
    const { from = 0, until = Number.MAX_SAFE_INTEGER, organization = false } = query
    const search = askedSearch(query)
    assertAuthenticated(caller)
    if (organization) await this.use.organizations.assert(caller, 'packagesList')
    const list = listFor(caller, organization)
    if (list === undefined) return { packagesTotal: 0, packages: [] }

    const window = windowLeft({ from, until }, search?.cursor)
    const { ids, total, next } = await this.find(list, window, search?.query)
    const found = await this.use.packages.list(ids)
    const packages = await pageOfBytes(found, this.use.limits.pageBytes, ({ storedAt }) => storedAt, packageItem)
    const last = packages.at(-1)
    const isCut = last !== undefined && search !== undefined && packages.length < found.length
    return { packagesTotal: total, packages, ...searchCursorOf(isCut ? cursorBefore(last.storedAt) : next) }
  }

  private async find(list: string, window: TimelineWindow, query: string | undefined): Promise<Scanned> {
    const { timeline, limits, packageLimits } = this.use
    const limit = limits.itemsPerPage
    if (query === undefined) {
      const page = await timeline.page(list, window, limit)
      return { ids: page.map(({ item }) => item), total: await timeline.total(list, window), next: undefined }
    }
    const terms = queryWords(query)
    const bounds = { timeline, list, window, limit, most: packageLimits.searchedPackages }
    return scanList(bounds, async (page) => {
      const packages = await this.use.packages.list(page.map(({ item }) => item))
      const wordsOf = ({ title, description }: (typeof packages)[number]) => `${title} ${description}`.toLowerCase()
      const matches = packages.filter((one) => terms.every((term) => wordsOf(one).includes(term)))
      return new Set(matches.map(({ id }) => id))
    })
  }
}
