import { anonymous, type Caller, type Registry } from '@signed-registry/core'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import {
  ChangePackageSettings,
  ListPackages,
  type PackageListQuery,
  type PackageSettingsRequest,
  RegisterPackage,
} from '@signed-registry/core/packages'
import { expect } from 'chai'
import {
  BIN,
  employeeCaller,
  headCaller,
  personCaller,
  registryWithoutAuthorities,
  systemCaller,
} from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { UNTITLED } from '../../support/packages.js'
import { NOW, type TestClock, testClock } from '../../support/pki/authorities.js'
import { rejectionOf } from '../../support/refusal.js'

const IIN = 'IIN900101300010'
const LISTER = 'IIN900101300029'
/** Registers what the test says nothing else about. */
const REGISTRAR = 'IIN900101300045'

describe('GET /api/package', () => {
  forEachDatabase((open) => {
    let registry: Registry
    let clock: TestClock
    beforeEach(async () => {
      clock = testClock()
      registry = await registryWithoutAuthorities(await open(), { clock, limits: { itemsPerPage: 3 } })
    })
    afterEach(() => registry.close())

    const register = async (
      settings: PackageSettingsRequest,
      caller: Caller = personCaller(REGISTRAR),
      title = 'a',
    ) => {
      const { packageId } = await registry
        .get(RegisterPackage)
        .execute(caller, { request: { ...UNTITLED, title, documents: [{ ...UNTITLED, title: 'b' }], settings } })
      clock.time += 1
      return packageId
    }
    const list = (caller: Caller, query: PackageListQuery = {}) => registry.get(ListPackages).execute(caller, { query })
    const ids = async (caller: Caller, query: PackageListQuery = {}) => {
      const { packagesTotal, packages } = await list(caller, query)
      expect(packagesTotal).to.equal(packages.length)
      return packages.map(({ packageId }) => packageId)
    }

    it('answers packages as list items, with their documents and registrator', async () => {
      const certificate = Buffer.from('certificate').toString('base64')
      const packageId = await register({}, systemCaller({ certificate }), 'title')
      const { packagesTotal, packages } = await list(headCaller(), { organization: true })
      expect(packagesTotal).to.equal(1)
      expect(packages).to.deep.equal([
        {
          packageId,
          title: 'title',
          description: '',
          storedAt: NOW,
          documentsIds: packages[0]?.documentsIds,
          registrator: { businessId: BIN, certificate },
        },
      ])
      expect(packages[0]?.documentsIds.length).to.equal(1)
    })

    it('keeps a person, the same person as an employee, and the organization apart', async () => {
      const person = await register({ packageAccess: [{ iin: IIN }] })
      const employee = await register({ packageAccess: [{ iin: IIN, bin: BIN }] })
      const organization = await register({ packageAccess: [{ bin: BIN }] })
      const system = await register({ private: true }, systemCaller())
      await register({ packageSettings: [{ iin: IIN }, { bin: BIN }] })
      await register({}, personCaller(IIN))
      expect(await ids(personCaller(IIN))).to.deep.equal([person])
      expect(await ids(employeeCaller({ iin: IIN }))).to.deep.equal([employee])
      expect(await ids(headCaller({ iin: LISTER }))).to.deep.equal([])
      expect(await ids(headCaller({ iin: LISTER }), { organization: true })).to.deep.equal([
        system,
        organization,
        employee,
      ])
      expect(await ids(systemCaller())).to.deep.equal([])
    })

    it('shows packages of the organization to those who have packagesList there', async () => {
      await register({}, systemCaller())
      const packagesList = { authorities: ['1.2.398.3.3.4.1.2.2'], tlsCertificatesIndices: [], iins: [LISTER] }
      await registry.get(SaveOrganizationSettings).execute(headCaller(), { request: { packagesList } })
      const organization = { organization: true }
      const right = employeeCaller({ iin: IIN, authorities: ['1.2.398.3.3.4.1.2.2'] })
      for (const caller of [headCaller(), employeeCaller({ iin: LISTER }), right]) {
        expect((await ids(caller, organization)).length).to.equal(1)
      }
      const refused: [Caller, string][] = [
        [employeeCaller({ iin: IIN }), 'accessDenied'],
        [systemCaller(), 'accessDenied'],
        [personCaller(LISTER), 'notOrganization'],
        [anonymous, 'authenticationRequired'],
      ]
      for (const [caller, code] of refused) {
        expect((await rejectionOf(list(caller, organization))).code).to.equal(code)
      }
      expect((await rejectionOf(list(anonymous))).code).to.equal('authenticationRequired')
    })

    it('follows settings when they change, whatever the age of the package', async () => {
      const packageId = await register({ packageAccess: [{ iin: IIN }] }, systemCaller())
      clock.time += 24 * 60 * 60_000
      const change = (packageAccess: { iin?: string; bin?: string }[]) =>
        registry.get(ChangePackageSettings).execute(headCaller(), { packageId, request: { packageAccess } })
      await change([{ iin: LISTER }, { bin: BIN }])
      expect(await ids(personCaller(IIN))).to.deep.equal([])
      expect(await ids(personCaller(LISTER))).to.deep.equal([packageId])
      expect(await ids(headCaller(), { organization: true })).to.deep.equal([packageId])
      await change([])
      expect(await ids(personCaller(LISTER))).to.deep.equal([])
      // Its system registered it: that stays.
      expect(await ids(headCaller(), { organization: true })).to.deep.equal([packageId])
    })

    it('is read newest first to an empty page, and loses nothing that shares a millisecond', async () => {
      const expected: string[] = []
      const at = (time: number) => {
        clock.time = time
        return register({ packageAccess: [{ iin: IIN }] })
      }
      for (const time of [NOW, NOW + 1, NOW + 2, NOW + 2, NOW + 2, NOW + 2, NOW + 2, NOW + 3]) {
        expected.push(await at(time))
      }
      const seen: string[] = []
      const sizes: number[] = []
      for (let until: number | undefined; ; ) {
        const { packages, packagesTotal } = await list(personCaller(IIN), until === undefined ? {} : { until })
        if (until === undefined) expect(packagesTotal).to.equal(8)
        if (packages.length === 0) break
        sizes.push(packages.length)
        seen.push(...packages.map(({ packageId }) => packageId))
        expect(packages.map(({ storedAt }) => -storedAt)).to.deep.equal(
          packages.map(({ storedAt }) => -storedAt).sort((a, b) => a - b),
        )
        until = packages.at(-1)?.storedAt
      }
      expect(sizes).to.deep.equal([6, 2])
      expect([...seen].sort()).to.deep.equal([...expected].sort())
    })

    it('ends a page by its bytes, with at least one package, and loses nothing', async () => {
      const small = await registryWithoutAuthorities(await open(), { clock, limits: { pageBytes: 500 } })
      try {
        const made: string[] = []
        for (let n = 0; n < 5; n += 1) {
          const settings = { packageAccess: [{ iin: IIN }] }
          const request = { ...UNTITLED, title: 't'.repeat(200), documents: [UNTITLED], settings }
          made.push((await small.get(RegisterPackage).execute(personCaller(REGISTRAR), { request })).packageId)
          clock.time += 1
        }
        const pages: string[][] = []
        for (let until = clock.time; ; ) {
          const { packages, packagesTotal } = await small
            .get(ListPackages)
            .execute(personCaller(IIN), { query: { until } })
          expect(packagesTotal).to.equal(5 - pages.flat().length)
          if (packages.length === 0) break
          pages.push(packages.map(({ packageId }) => packageId))
          until = packages.at(-1)?.storedAt ?? 0
        }
        expect(pages.flat()).to.deep.equal(made.reverse())
        expect(pages.map(({ length }) => length)).to.deep.equal([2, 2, 1])
      } finally {
        await small.close()
      }
    })

    it('counts and shows what lies from `from` on, before `until`', async () => {
      const made = []
      for (let at = 0; at < 5; at += 1) made.push(await register({ packageAccess: [{ iin: IIN }] }))
      expect(await ids(personCaller(IIN), { from: NOW + 1, until: NOW + 3 })).to.deep.equal([made[2], made[1]])
      expect(await ids(personCaller(IIN), { from: NOW + 3, until: NOW + 1 })).to.deep.equal([])
    })

    it('takes as many access rules as settings may have', async () => {
      const packageAccess = Array.from({ length: 1000 }, (_, at) => ({
        iin: `IIN${String(at).padStart(12, '0')}`,
        bin: BIN,
      }))
      const packageId = await register({ packageAccess }, systemCaller())
      expect(await ids(employeeCaller({ iin: 'IIN000000000999' }))).to.deep.equal([packageId])
      clock.time += 24 * 60 * 60_000
      await registry.get(ChangePackageSettings).execute(headCaller(), { packageId, request: {} })
      expect(await ids(employeeCaller({ iin: 'IIN000000000999' }))).to.deep.equal([])
    })
  })
})
