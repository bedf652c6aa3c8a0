import { ArchiveStore, anonymous, type Caller, provideValue, type RegistryOptions } from '@signed-registry/core'

import {
  FixDigests,
  GetDocument,
  ListDocuments,
  RegisterDocument,
  type RegisterDocumentRequest,
} from '@signed-registry/core/documents'
import { vehicleRegistration } from '@signed-registry/vehicle-registration'
import { expect } from 'chai'
import { documentDeviations } from '#core/deviations/documents.js'
import { headCaller, personCaller, systemCaller } from '../support/core-registry.js'
import type { OpenDatabase } from '../support/databases.js'
import { MemoryStore } from '../support/memory-store.js'
import { rejectionOf } from '../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../support/registry.js'
import { until } from '../support/until.js'
import { VehicleAuthority } from '../support/vehicle-authority.js'
import { deviate } from './deviate.js'

const original = Buffer.alloc(1000, 'original')
const DAY = 24 * 60 * 60_000
const DIGITS = '900101300010'

type Options = Pick<RegistryOptions, 'limits' | 'shares'>

describe('deviations about documents', () => {
  /** A test with a registry that keeps originals in memory. */
  const using =
    (
      test: (registry: TestRegistry) => Promise<void>,
      options: Options = {},
      plugins: RegistryOptions['plugins'] = [],
    ) =>
    async (open: OpenDatabase) => {
      const archive = { name: 'memory', provides: [provideValue(ArchiveStore, new MemoryStore())] }
      const opened = await testRegistry(await open(), { ...options, plugins: [archive, ...plugins] })
      await test(opened)
      await opened.registry.close()
    }
  const preregister = async ({ registry }: TestRegistry, request: RegisterDocumentRequest = {}) =>
    (await registry.get(RegisterDocument).execute(systemCaller(), { request })).documentId
  const register = async ({ registry, authorities }: TestRegistry, more: RegisterDocumentRequest = {}) => {
    const signature = authorities.person({ iin: DIGITS }).signCms(original).toString('base64')
    const request = { signature, ...more }
    return (await registry.get(RegisterDocument).execute(anonymous, { request })).documentId
  }
  const fix = ({ registry }: TestRegistry, id: string, by: Caller = anonymous) =>
    registry.get(FixDigests).execute(by, { id, upload: uploadOf(original) })
  const read = ({ registry }: TestRegistry, id: string) => registry.get(GetDocument).execute(anonymous, { id })

  /** Registers and completes a contract that is to be forwarded. */
  const forward = async (test: TestRegistry) => {
    const integrationRegisterAuto = { documentTypeCode: 'vehicleSaleContract', signers: ['seller'] }
    const id = await register(test, { settings: { forceArchive: true }, integrationRegisterAuto })
    await fix(test, id)
    return id
  }

  /** Brings an original without a name whose settings ask for three days; it is there a little after a day, or not. */
  const thereAfterADay = (isThere: boolean) => async (test: TestRegistry) => {
    const id = await register(test, { settings: { tempStorageAfterRegistration: 3 * DAY } })
    await fix(test, id)
    test.clock.time += DAY + 1
    expect((await read(test, id)).tempStorage).to.equal(isThere)
  }

  /** Searches for a word that each of ten documents has, and for two that half of them have each, and none together. */
  const search = async (test: TestRegistry) => {
    for (let n = 0; n < 10; n += 1) {
      test.clock.time += 1000
      await preregister(test, { title: n % 2 === 0 ? 'fruit apple' : 'fruit pear' })
    }
    const find = (searchQuery: string) =>
      test.registry.get(ListDocuments).execute(headCaller(), { query: { organization: true, searchQuery } })
    const outcome = await find('apple pear').then(
      ({ documents, searchCursor }) => `found ${documents.length}${searchCursor === undefined ? '' : ' so far'}`,
      ({ message }) => message,
    )
    return { total: (await find('fruit')).documentsTotal, outcome }
  }

  /** What becomes of an original that is to be archived whoever signs. */
  const archived = (isArchived: boolean) => async (test: TestRegistry) => {
    const id = await preregister(test, { settings: { forceArchive: true } })
    expect((await fix(test, id, systemCaller())).dataArchived).to.equal(isArchived)
  }

  deviate(documentDeviations, {
    forwardingNeedsAuthority: {
      ours: using(async (test) => {
        expect(await rejectionOf(forward(test))).to.include({ message: 'Request field is not supported' })
      }),
      asWritten: async (open) => {
        const authority = await VehicleAuthority.start()
        const plugins = [vehicleRegistration(authority.options)]
        const forwarded = async (test: TestRegistry) => {
          const id = await forward(test)
          test.registry.start()
          await until(async () => authority.got.length > 0)
          expect(authority.got.map(({ registration }) => registration.documentId)).to.deep.equal([id])
        }
        await using(forwarded, {}, plugins)(open)
        await authority.close()
      },
    },
    onlyRegistratorVouches: {
      ours: using(async (test) => {
        const refused = await rejectionOf(fix(test, await preregister(test)))
        expect(refused).to.include({ message: 'Authentication required' })
      }),
      asWritten: using(async (test) => {
        expect(await fix(test, await register(test))).to.have.property('digests')
        expect(await fix(test, await preregister(test), systemCaller())).to.have.property('digests')
      }),
    },
    profilesForSignerAlone: {
      ours: using(async (test) => {
        expect(await fix(test, await register(test))).not.to.have.property('automaticallyCreatedUserSettings')
      }),
      asWritten: using(async (test) => {
        const iin = `IIN${DIGITS}`
        const { automaticallyCreatedUserSettings } = await fix(test, await register(test), personCaller(iin))
        expect(automaticallyCreatedUserSettings).to.include({ userId: iin })
      }),
    },
    forcedArchiveHasQuota: {
      ours: using(archived(false), { limits: { archiveQuota: 999 } }),
      asWritten: using(archived(true)),
    },
    strangersStoreShortly: {
      ours: using(thereAfterADay(false)),
      asWritten: using(thereAfterADay(true), { limits: { strangersTempStorageMs: 31 * DAY } }),
    },
    temporaryStorageHasShares: {
      ours: using(
        async (test) => {
          const id = await register(test, { settings: { tempStorageAfterRegistration: DAY } })
          expect(await rejectionOf(fix(test, id))).to.include({ code: 'shareTaken' })
          expect((await read(test, id)).signedDataSize).to.equal(0)
        },
        { shares: { temporaryStorage: { stranger: 999 } } },
      ),
      asWritten: using(
        async (test) => {
          const id = await register(test, { settings: { tempStorageAfterRegistration: DAY } })
          expect((await fix(test, id)).tempStorage).to.equal(true)
        },
        { shares: { temporaryStorage: { stranger: 0, strangers: 0, whole: 0 } } },
      ),
    },
    longestTemporaryStorage: {
      ours: using(async (test) => {
        const settings = { tempStorageAfterRegistration: 31 * DAY + 1 }
        expect(await rejectionOf(register(test, { settings }))).to.include({ code: 'invalidDocumentSettings' })
      }),
      asWritten: using(
        async (test) => {
          const id = await register(test, { settings: { tempStorageAfterRegistration: 400 * DAY } })
          await fix(test, id, personCaller())
          test.clock.time += 399 * DAY
          expect((await read(test, id)).tempStorage).to.equal(true)
        },
        { limits: { tempStorageMs: Number.MAX_SAFE_INTEGER } },
      ),
    },
    boundedSearch: {
      ours: using(
        async (test) => {
          const { total, outcome } = await search(test)
          expect(total).to.be.within(1, 9)
          expect(outcome).to.equal('found 0 so far')
        },
        { limits: { searchedDocuments: 3 } },
      ),
      asWritten: using(
        async (test) => {
          expect(await search(test)).to.deep.equal({ total: 10, outcome: 'found 0' })
        },
        { limits: { searchedDocuments: 0 } },
      ),
    },
  })
})
