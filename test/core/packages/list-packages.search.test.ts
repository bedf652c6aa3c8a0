import { ListPackages, type PackageListQuery, RegisterPackage } from '@signed-registry/core/packages'
import { expect } from 'chai'
import { personCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { rejectionOf } from '../../support/refusal.js'
import { type RoutingTest, routingTest } from '../../support/routing.js'

const me = personCaller()

describe('searchQuery of GET /api/package', () => {
  forEachDatabase((open) => {
    let test: RoutingTest
    beforeEach(async () => {
      test = await routingTest(open, { limits: { itemsPerPage: 2, searchedPackages: 4 } })
    })
    afterEach(() => test.registry.close())

    const register = async (title: string, description = '') => {
      test.clock.time += 1
      const settings = { packageAccess: [{ iin: me.iin }], packageSettings: [] }
      const request = { title, description, settings, documents: [{ title: '', description: '' }] }
      return (await test.registry.get(RegisterPackage).execute(me, { request })).packageId
    }
    const list = (query: PackageListQuery) => test.registry.get(ListPackages).execute(me, { query })
    /** What a search finds along its cursors. */
    const following = async (query: PackageListQuery): Promise<string[]> => {
      const { packages, searchCursor } = await list(query)
      const ids = packages.map(({ packageId }) => packageId)
      return searchCursor === undefined ? ids : [...ids, ...(await following({ ...query, searchCursor }))]
    }
    const search = async (searchQuery: string, until?: number) => {
      const query = { searchQuery, ...(until !== undefined && { until }) }
      const { packages, packagesTotal } = await list(query)
      return { ids: packages.map(({ packageId }) => packageId), total: packagesTotal, last: packages.at(-1)?.storedAt }
    }

    it('finds words of title and description, in any case and order', async () => {
      const found = await register('Заказы ноября', 'бумага')
      await register('Договор')
      expect((await search('БУМАГА заказ')).ids).to.deep.equal([found])
      expect((await search('бумага договор')).ids).to.deep.equal([])
    })

    it('is read on with until, and counts what was found', async () => {
      const ids = [await register('Order 1'), await register('Order 2'), await register('Order 3')].reverse()
      const first = await search('order')
      expect(first).to.deep.include({ ids: ids.slice(0, 2), total: 3 })
      expect((await search('order', first.last)).ids).to.deep.equal(ids.slice(2))
    })

    it('is read on with its cursor to the end of the list, also from a page without any', async () => {
      const found = await register('Paper')
      for (let n = 0; n < 9; n++) await register('Order')
      const first = await list({ searchQuery: 'paper' })
      expect(first).to.deep.include({ packages: [], packagesTotal: 0 })
      expect(await following({ searchQuery: 'paper' })).to.deep.equal([found])
      expect(new Set(await following({ searchQuery: 'order' })).size).to.equal(9)
    })

    it('asks for nothing where it is blank', async () => {
      const [first, second] = [await register('Order 1'), await register('Order 2')]
      expect((await search('  ')).ids).to.deep.equal([second, first])
    })

    it('looks at the whole list where nothing limits it', async () => {
      const unlimited = await routingTest(open, { limits: { searchedPackages: 0 } })
      const answer = await unlimited.registry.get(ListPackages).execute(me, { query: { searchQuery: 'paper' } })
      await unlimited.registry.close()
      expect(answer).to.deep.equal({ packages: [], packagesTotal: 0 })
    })

    it('is refused where it is too long, and where its cursor is none, or has no query', async () => {
      expect((await rejectionOf(search('x'.repeat(256)))).code).to.equal('requestFieldTooLarge')
      for (const query of [{ searchQuery: 'x', searchCursor: 'x' }, { searchCursor: 'p0.5' }])
        expect((await rejectionOf(list(query))).code).to.equal('invalidQueryParameter')
    })
  })
})
