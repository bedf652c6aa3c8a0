import { anonymous, type Caller, type Registry } from '@signed-registry/core'

import { FixDigests } from '@signed-registry/core/documents'
import { ListPackages, RegisterPackage, type RegisterPackageRequest } from '@signed-registry/core/packages'
import { expect } from 'chai'
import { packageDeviations } from '#core/deviations/packages.js'
import { IIN, personCaller, registryWithoutAuthorities } from '../support/core-registry.js'
import type { OpenDatabase } from '../support/databases.js'
import { UNTITLED } from '../support/packages.js'
import { rejectionOf } from '../support/refusal.js'
import { uploadOf } from '../support/registry.js'
import { deviate } from './deviate.js'

describe('deviations about packages', () => {
  const using = (test: (registry: Registry) => Promise<void>) => async (open: OpenDatabase) => {
    const registry = await registryWithoutAuthorities(await open())
    await test(registry)
    await registry.close()
  }
  const register = ({ get }: Registry, caller: Caller, fields: Partial<RegisterPackageRequest> = {}) =>
    get(RegisterPackage).execute(caller, { request: { ...UNTITLED, documents: [UNTITLED], ...fields } })
  const fix = ({ get }: Registry, caller: Caller, id = '', query = {}) =>
    get(FixDigests).execute(caller, { id, query, upload: uploadOf(Buffer.from('original')) })
  const naming: readonly Partial<RegisterPackageRequest>[] = [
    { settings: { packageAccess: [{ iin: IIN }] } },
    { settings: { packageSettings: [{ iin: IIN }] } },
    { documentsSettings: { documentAccess: [{ iin: IIN }] } },
  ]

  deviate(packageDeviations, {
    originalsNeedSecret: {
      ours: using(async (registry) => {
        const { documentsIds, dataSecret } = await register(registry, anonymous)
        for (const query of [{}, { dataSecret: 'guessed' }]) {
          const refused = await rejectionOf(fix(registry, anonymous, documentsIds[0], query))
          expect(refused).to.include({ code: 'authenticationRequired' })
        }
        expect(await fix(registry, anonymous, documentsIds[0], { dataSecret })).to.have.property('digests')
      }),
      asWritten: using(async (registry) => {
        const { documentsIds, dataSecret } = await register(registry, personCaller())
        expect(dataSecret).to.equal(undefined)
        expect(await fix(registry, personCaller(), documentsIds[0])).to.have.property('digests')
      }),
    },
    strangersNameNobody: {
      ours: using(async (registry) => {
        for (const fields of naming) {
          const refused = await rejectionOf(register(registry, anonymous, fields))
          expect(refused).to.include({ message: 'Authentication required' })
        }
        expect((await registry.get(ListPackages).execute(personCaller())).packagesTotal).to.equal(0)
      }),
      asWritten: using(async (registry) => {
        for (const fields of naming) await register(registry, personCaller('IIN900101300094'), fields)
        expect((await registry.get(ListPackages).execute(personCaller())).packagesTotal).to.equal(1)
      }),
    },
  })
})
