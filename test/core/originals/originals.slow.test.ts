import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import {
  ArchiveFull,
  ArchiveStore,
  anonymous,
  type Caller,
  EventObserver,
  provideValue,
  type RegistryEvent,
} from '@signed-registry/core'
import {
  AddSignature,
  type DocumentSettings,
  FixDigests,
  GetDocument,
  GetDocumentData,
  ListDocuments,
  RegisterDocument,
  VerifyDocument,
} from '@signed-registry/core/documents'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { GetPackage, RegisterPackage, SignPackage } from '@signed-registry/core/packages'
import { GetUserSettings, SaveUserSettings } from '@signed-registry/core/settings'
import type { DevAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { Subscriptions } from '#core/organizations/index.js'
import { CheckArchive } from '#core/originals/check-archive.js'
import { SweepOriginals, TellExpiredQuotas } from '#core/originals/index.js'
import { ArchiveAccounts } from '#core/settings/index.js'
import { employeeCaller, headCaller, personCaller, systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { MemoryStore } from '../../support/memory-store.js'
import { UNTITLED } from '../../support/packages.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'

type Signer = ReturnType<DevAuthorities['person']>
const MIB = 1024 * 1024
const DAY = 24 * 60 * 60 * 1000
const original = randomBytes(1000)
const codeOf = async (call: Promise<unknown>) => (await rejectionOf(call)).code

describe('originals', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    let store: MemoryStore
    let warnings: string[]
    let happened: RegistryEvent[]

    const openTest = async () => {
      store = new MemoryStore()
      warnings = []
      happened = []
      const heard = (event: RegistryEvent) => void happened.push(event)
      const log = (message: string) => void warnings.push(message)
      test = await testRegistry(await open(), {
        plugins: [
          { name: 'memory', provides: [provideValue(ArchiveStore, store), provideValue(EventObserver, { heard })] },
        ],
        logger: { info: () => undefined, warn: log, error: log },
        limits: { archiveQuota: 10_000 },
      })
    }
    const use = () => {
      const { registry } = test
      const execute = {
        register: async (signer: Signer, bytes: Uint8Array = original, settings: DocumentSettings = {}) => {
          // The same signature of the same moment is the same signature.
          test.clock.time += 1000
          const signature = signer.signCms(bytes).toString('base64')
          return (await registry.get(RegisterDocument).execute(anonymous, { request: { signature, settings } }))
            .documentId
        },
        fix: (id: string, bytes: Uint8Array = original, size = bytes.length) =>
          registry.get(FixDigests).execute(anonymous, { id, upload: uploadOf(bytes, size) }),
        verify: (id: string, bytes: Uint8Array = original) =>
          registry.get(VerifyDocument).execute(anonymous, { id, upload: uploadOf(bytes) }),
        sign: (id: string, signer: Signer, bytes: Uint8Array = original) =>
          registry
            .get(AddSignature)
            .execute(anonymous, { id, request: { signature: signer.signCms(bytes).toString('base64') } }),
        get: (id: string) => registry.get(GetDocument).execute(anonymous, { id }),
        data: (id: string, caller: Caller = personCaller()) => registry.get(GetDocumentData).execute(caller, { id }),
        sweep: () => registry.get(SweepOriginals).run(),
        quota: (owner: string, bytes: number, expires?: number) =>
          registry.get(ArchiveAccounts).setQuota(owner, { bytes, expires }, 'admin'),
        usage: async (iin: string) => (await registry.get(GetUserSettings).execute(personCaller(iin))).dataArchiveUsage,
        events: async (type: string) => happened.filter((event) => event.type === type),
      }
      return {
        ...execute,
        read: async (id: string) => buffer((await execute.data(id)).bytes()),
        registered: async (signer: Signer, bytes: Uint8Array = original, settings: DocumentSettings = {}) => {
          const id = await execute.register(signer, bytes, settings)
          return { id, ...(await execute.fix(id, bytes)) }
        },
      }
    }
    /** A person, with archiving on. */
    const archivist = async (isOn = true) => {
      const digits = String(Math.random()).slice(2, 14).padEnd(12, '7')
      const person = test.authorities.person({ iin: digits })
      const iin = `IIN${digits}`
      const request = { dataArchiveEnabled: isOn, dataArchiveContactEmail: 'archive@example.kz' }
      await test.registry.get(SaveUserSettings).execute(personCaller(iin), { request })
      return { person, iin }
    }

    before(openTest)
    after(() => test.registry.close())
    afterEach(() => {
      store.failure = undefined
    })

    it('are not stored unless somebody asks for it', async () => {
      const { registered, data, get } = use()
      const { person } = await archivist(false)
      const { id, dataArchived, tempStorage } = await registered(person)
      expect({ dataArchived, tempStorage }).to.deep.equal({ dataArchived: false, tempStorage: false })
      expect(await get(id)).to.include({ dataArchived: false, tempStorage: false, canBeArchived: false })
      expect(await codeOf(data(id))).to.equal('archiveNotFound')
      expect(store.objects.size).to.equal(0)
    })

    it('are archived for a signer who has archiving on, and charged once', async () => {
      const { registered, get, read, verify, sign, usage } = use()
      const { person, iin } = await archivist()
      const { id, dataArchived } = await registered(person)
      expect(dataArchived).to.equal(true)
      expect(await get(id)).to.include({ dataArchived: true, tempStorage: false, canBeArchived: false })
      expect((await read(id)).equals(original)).to.equal(true)
      const second = await archivist()
      expect(await sign(id, second.person)).to.include({ dataArchived: true, canBeArchived: false })
      expect(await verify(id)).to.include({ dataArchived: true })
      expect([await usage(iin), await usage(second.iin)]).to.deep.equal([1000, 0])
    })

    it('are archived for a later signer when they are uploaded again', async () => {
      const { registered, get, verify, sign, usage } = use()
      const { id } = await registered((await archivist(false)).person)
      const { person, iin } = await archivist()
      expect(await sign(id, person)).to.include({ dataArchived: false, canBeArchived: true })
      expect(await get(id)).to.include({ canBeArchived: true })
      expect(await verify(id)).to.include({ dataArchived: true })
      expect(await get(id)).to.include({ dataArchived: true, canBeArchived: false })
      expect(await usage(iin)).to.equal(1000)
    })

    it('are read in ranges, and of any size', async () => {
      const { registered, data, quota } = use()
      const { person, iin } = await archivist()
      await quota(iin, 20 * MIB)
      for (const size of [0, 1, MIB, 2 * MIB + 5]) {
        const bytes = randomBytes(size)
        const { id } = await registered(person, bytes)
        const found = await data(id)
        expect(found.size).to.equal(size)
        expect((await buffer(found.bytes())).equals(bytes)).to.equal(true)
        for (const [start, end] of [
          [0, 0],
          [0, size],
          [Math.min(MIB - 3, size), Math.min(MIB + 3, size)],
        ] as const) {
          expect((await buffer(found.bytes({ start, end }))).equals(bytes.subarray(start, end))).to.equal(true)
        }
      }
    })

    it('stay in temporary storage for their time and are then reliably deleted', async () => {
      const { registered, get, read, data, sweep, usage } = use()
      const { person, iin } = await archivist(false)
      const before = store.objects.size
      const { id, tempStorage } = await registered(person, original, { tempStorageAfterRegistration: DAY })
      expect(tempStorage).to.equal(true)
      expect(await usage(iin)).to.equal(0)
      test.clock.time += DAY - 1
      await sweep()
      expect((await read(id)).equals(original)).to.equal(true)
      test.clock.time += 1
      // Also before anything has swept.
      expect(await codeOf(data(id))).to.equal('archiveNotFound')
      expect(await get(id)).to.include({ tempStorage: false })
      expect(store.objects.size).to.equal(before + 1)
      await sweep()
      expect(store.objects.size).to.equal(before)
    })

    it('kept for two reasons are one copy, which outlives one of the reasons', async () => {
      const { registered, get, read, sweep, usage, verify, sign } = use()
      const { person, iin } = await archivist()
      const before = store.objects.size
      const { id } = await registered(person, original, { tempStorageAfterRegistration: DAY })
      expect(await get(id)).to.include({ dataArchived: true, tempStorage: true })
      const other = await registered((await archivist(false)).person, original, { tempStorageAfterRegistration: DAY })
      await sign(other.id, person)
      expect(await verify(other.id)).to.include({ dataArchived: true, tempStorage: true })
      expect(store.objects.size).to.equal(before + 2)
      test.clock.time += DAY
      await sweep()
      for (const one of [id, other.id]) {
        expect(await get(one)).to.include({ dataArchived: true, tempStorage: false })
        expect((await read(one)).equals(original)).to.equal(true)
      }
      expect(await usage(iin)).to.equal(2000)
    })

    it('with forceArchive are archived at the cost of the first signer, whoever that is', async () => {
      const { registered, usage } = use()
      const { person, iin } = await archivist(false)
      expect(await registered(person, original, { forceArchive: true })).to.include({ dataArchived: true })
      expect(await usage(iin)).to.equal(1000)
    })

    it('are archived for the organization whose employee signed, and at its cost', async () => {
      const { registered, data } = use()
      const [bin, iin] = ['BIN900540000019', 'IIN870101300015']
      const request = { dataArchiveEnabled: true, dataArchiveContactEmail: 'archive@example.kz' }
      await test.registry.get(SaveOrganizationSettings).execute(headCaller({ bin }), { request })
      const employee = test.authorities.employee({ bin: bin.slice(3), iin: iin.slice(3) })
      const { id, dataArchived } = await registered(employee)
      expect(dataArchived).to.equal(true)
      expect((await data(id, employeeCaller({ bin, iin }))).size).to.equal(1000)
      const used = async (owner: string) => (await test.registry.get(ArchiveAccounts).get(owner)).dataArchiveUsage
      expect([await used(bin), await used(iin)]).to.deep.equal([1000, 0])
      // What the employee signs as a person is not the organization's.
      expect(await registered(test.authorities.person({ iin: iin.slice(3) }))).to.include({ dataArchived: false })
      await test.registry.get(Subscriptions).change(bin, { disable: ['documentsArchive'] }, 'admin')
      expect(await registered(employee)).to.include({ dataArchived: false })
    })

    it('with forceArchive are archived at the cost of the organization whose system registered them', async () => {
      const bin = 'BIN900640000018'
      const system = systemCaller({ bin })
      const signature = test.authorities.person().signCms(original).toString('base64')
      const { documentId: id } = await test.registry
        .get(RegisterDocument)
        .execute(system, { request: { signature, settings: { forceArchive: true } } })
      const upload = uploadOf(original)
      expect(await test.registry.get(FixDigests).execute(system, { id, upload })).to.include({ dataArchived: true })
      expect((await test.registry.get(ArchiveAccounts).get(bin)).dataArchiveUsage).to.equal(1000)
    })

    it('are registered without being archived when the quota is exceeded, which is reported once', async () => {
      const { registered, get, verify, usage, quota, events } = use()
      const { person, iin } = await archivist()
      await quota(iin, 2500)
      const ids: string[] = []
      for (const expected of [true, true, false, false]) {
        const { id, dataArchived } = await registered(person)
        expect(dataArchived).to.equal(expected)
        ids.push(id)
      }
      expect(await usage(iin)).to.equal(2000)
      expect(await get(ids[3] ?? '')).to.include({ canBeArchived: false })
      const told = async () =>
        (await events('archiveQuotaExceeded')).filter((event) => 'owner' in event && event.owner === iin)
      expect(await told()).to.have.length(1)
      await quota(iin, 3000)
      expect(await get(ids[3] ?? '')).to.include({ canBeArchived: true })
      expect(await verify(ids[3] ?? '')).to.include({ dataArchived: true })
      expect(await verify(ids[2] ?? '')).to.include({ dataArchived: false })
      expect(await told()).to.have.length(2)
    })

    it('that are not genuine report no exceeded quota, and use none of it', async () => {
      const { register, registered, fix, verify, usage, events, sign } = use()
      const { person, iin } = await archivist()
      const told = async () =>
        (await events('archiveQuotaExceeded')).filter((event) => 'owner' in event && event.owner === iin)
      const id = await register(person)
      const huge = randomBytes(20_000)
      expect(await codeOf(fix(id, huge))).to.equal('signatureDoesNotCorrespond')
      expect(await codeOf(fix(id, original, 20_000))).to.equal('processedSizeDiffers')
      const { id: hashed } = await registered((await archivist(false)).person)
      await sign(hashed, person)
      const upload = {
        size: 5000,
        async *stream() {
          expect(await usage(iin)).to.equal(0)
          yield randomBytes(5000)
        },
      }
      const request = { id: hashed, upload: { size: upload.size, stream: upload.stream() } }
      expect(await codeOf(test.registry.get(VerifyDocument).execute(anonymous, request))).to.equal(
        'signatureDoesNotCorrespond',
      )
      expect(await told()).to.deep.equal([])
      expect(await verify(hashed)).to.include({ dataArchived: true })
    })

    it('are charged to the next signer when the first has no room', async () => {
      const { registered, verify, sign, usage, quota } = use()
      const [first, second] = [await archivist(), await archivist()]
      await quota(first.iin, 10)
      const { id } = await registered(first.person)
      await sign(id, second.person)
      expect(await verify(id)).to.include({ dataArchived: true })
      expect([await usage(first.iin), await usage(second.iin)]).to.deep.equal([0, 1000])
    })

    it('that race for the last bytes of a quota are archived while there is room, and all registered', async () => {
      const { register, fix, usage, quota } = use()
      const { person, iin } = await archivist()
      await quota(iin, 1999)
      const ids = await Promise.all(Array.from({ length: 4 }, () => register(person)))
      const fixed = await Promise.all(ids.map((id) => fix(id)))
      expect(fixed.filter(({ dataArchived }) => dataArchived)).to.have.length(1)
      expect(await usage(iin)).to.equal(1000)
    })

    it('of an expired additional quota are reported once', async () => {
      const { registered, quota, usage, events } = use()
      const { person, iin } = await archivist()
      await quota(iin, 1_000_000, test.clock.time + DAY)
      const tell = () => test.registry.get(TellExpiredQuotas).run()
      const told = async () =>
        (await events('archiveQuotaExpired')).filter((event) => 'owner' in event && event.owner === iin)
      await tell()
      expect(await told()).to.have.length(0)
      expect(await registered(person, randomBytes(20_000))).to.include({ dataArchived: true })
      test.clock.time += DAY
      await tell()
      await tell()
      expect(await told()).to.have.length(1)
      expect(await registered(person)).to.include({ dataArchived: false })
      expect(await usage(iin)).to.equal(20_000)
    })

    it('of one document that are uploaded twice concurrently are stored by only one request', async () => {
      const { register, fix, usage } = use()
      const { person, iin } = await archivist()
      const id = await register(person)
      const results = await Promise.allSettled([fix(id), fix(id), fix(id)])
      expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
      const codes = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
      for (const code of codes) expect(code).to.be.oneOf(['archivalStarted', 'documentDigestsAlreadyKnown'])
      expect(await usage(iin)).to.equal(1000)
    })

    it('leave nothing behind when the upload is invalid', async () => {
      const { register, fix, usage, verify } = use()
      const { person, iin } = await archivist()
      const id = await register(person)
      const before = store.objects.size
      const other = randomBytes(1000)
      const attempts: [() => Promise<unknown>, string][] = [
        [() => fix(id, other), 'signatureDoesNotCorrespond'],
        [() => fix(id, original, 999), 'processedSizeDiffers'],
        [() => fix(id, original, 1001), 'processedSizeDiffers'],
      ]
      for (const [attempt, code] of attempts) expect(await codeOf(attempt())).to.equal(code)
      expect([store.objects.size, await usage(iin)]).to.deep.equal([before, 0])
      expect(await fix(id)).to.include({ dataArchived: true })
      expect(await codeOf(verify(id, other))).to.equal('signatureDoesNotCorrespond')
      expect([store.objects.size, await usage(iin)]).to.deep.equal([before + 1, 1000])
    })

    it('are registered without being archived where the store fails, unless their settings demand a copy', async () => {
      const { register, fix, get, usage, verify } = use()
      const { person, iin } = await archivist()
      const before = store.objects.size
      for (const [error, code] of [
        [new ArchiveFull(), 'archiveFull'],
        [new Error('gone'), 'archiveFailed'],
      ] as const) {
        for (const after of [0, 500]) {
          store.failure = { error, after }
          const wished = await register(person)
          expect(await fix(wished)).to.include({ dataArchived: false })
          expect(await get(wished)).to.include({ canBeArchived: true })
          for (const settings of [{ forceArchive: true }, { tempStorageAfterRegistration: DAY }]) {
            const demanded = await register(person, original, settings)
            expect(await codeOf(fix(demanded))).to.equal(code)
            expect(await usage(iin)).to.equal(0)
            store.failure = undefined
            expect((await fix(demanded)).dataArchived).to.equal(true)
            await test.registry.get(ArchiveAccounts).release(iin, 1000)
            store.failure = { error, after }
          }
          store.failure = undefined
          expect(await verify(wished)).to.include({ dataArchived: true })
          await test.registry.get(ArchiveAccounts).release(iin, 1000)
        }
      }
      expect(store.objects.size).to.equal(before + 12)
      expect(warnings).to.include('An original was not kept: the archive store failed')
    })

    it('that come with their registration are stored by the same rules, and fix the hashes at once', async () => {
      const { get, read, usage, events } = use()
      const comeTogether = async (signer: Signer, settings: DocumentSettings = {}, caller: Caller = anonymous) => {
        test.clock.time += 1000
        const request = { signature: signer.signCms(original).toString('base64'), settings }
        return test.registry.get(RegisterDocument).execute(caller, { request, upload: uploadOf(original) })
      }
      const { person, iin } = await archivist()
      const { documentId, signId, ...answer } = await comeTogether(person)
      expect(signId).to.be.a('number')
      expect(answer).to.include({ dataArchived: true, tempStorage: false, signedDataSize: 1000 })
      expect(Object.keys(answer.digests ?? {})).to.have.length(1)
      expect((await read(documentId)).equals(original)).to.equal(true)
      expect(await get(documentId)).to.include({ dataArchived: true, signedDataSize: 1000 })
      expect(await usage(iin)).to.equal(1000)

      const passing = await comeTogether((await archivist(false)).person, { tempStorageAfterRegistration: DAY })
      expect(passing).to.include({ dataArchived: false, tempStorage: true })
      const forced = await archivist(false)
      expect(await comeTogether(forced.person, { forceArchive: true })).to.include({ dataArchived: true })
      expect(await usage(forced.iin)).to.equal(1000)
      const hashed = await comeTogether((await archivist(false)).person)
      expect(hashed).to.include({ dataArchived: false, tempStorage: false })
      expect(await events('documentCompleted')).to.have.length.at.least(4)

      // For an organization, by what its employee signed; and preregistered by its system, without a signature.
      const [bin, registrar] = ['BIN900140000053', 'BIN900140000054']
      for (const one of [bin, registrar]) {
        await test.registry.get(Subscriptions).change(one, { enable: ['documentsArchive'] }, 'admin')
      }
      const head = { data: { dataArchiveEnabled: true, dataArchiveContactEmail: 'a@example.kz' } }
      await test.registry.get(SaveOrganizationSettings).execute(headCaller({ bin }), { request: head.data })
      const employee = test.authorities.employee({ bin: bin.slice(3) })
      expect(await comeTogether(employee)).to.include({ dataArchived: true })
      const system = systemCaller({ bin: registrar })
      const preregistered = await test.registry.get(RegisterDocument).execute(system, {
        request: { settings: { forceArchive: true } },
        upload: uploadOf(original),
      })
      expect(preregistered).to.include({ dataArchived: true })
      expect(preregistered).to.not.have.property('signId')
      const { accounts } = { accounts: test.registry.get(ArchiveAccounts) }
      for (const one of [bin, registrar]) expect((await accounts.get(one)).dataArchiveUsage).to.equal(1000)
    })

    it('that come with a failing registration leave nothing behind', async () => {
      const { usage, quota } = use()
      const { person, iin } = await archivist()
      const known = async () => ({
        used: await usage(iin),
        documents: (await test.registry.get(ListDocuments).execute(personCaller(iin), {})).documentsTotal,
        objects: store.objects.size,
      })
      const comeTogether = (upload: ReturnType<typeof uploadOf>, settings: DocumentSettings = {}) => {
        test.clock.time += 1000
        const request = { signature: person.signCms(original).toString('base64'), settings }
        return test.registry.get(RegisterDocument).execute(anonymous, { request, upload })
      }
      const before = await known()
      expect(await codeOf(comeTogether(uploadOf(randomBytes(1000))))).to.equal('signatureDoesNotCorrespond')
      expect(await codeOf(comeTogether(uploadOf(original, 1001)))).to.equal('processedSizeDiffers')
      expect(await codeOf(comeTogether(uploadOf(original, 999)))).to.equal('processedSizeDiffers')
      store.failure = { error: new ArchiveFull(), after: 500 }
      expect(await codeOf(comeTogether(uploadOf(original), { forceArchive: true }))).to.equal('archiveFull')
      store.failure = undefined
      await use().sweep()
      expect(await known()).to.deep.equal(before)

      await quota(iin, before.used)
      expect(await comeTogether(uploadOf(original))).to.include({ dataArchived: false })
      expect(await usage(iin)).to.equal(before.used)
      expect((await known()).documents).to.equal(before.documents + 1)
    })

    for (const [when, passed] of [
      ['after a minute', 61_000],
      ['and when the clock was put back by days', -3 * 24 * 60 * 60_000],
    ] as const) {
      it(`that an interrupted upload began to store are swept away, with what they took of the quota, ${when}`, async () => {
        const { register, fix, usage, sweep } = use()
        const { person, iin } = await archivist()
        const id = await register(person)
        const before = store.objects.size
        let [hang, resume] = [() => undefined as unknown, () => undefined as unknown]
        const hanging = new Promise<void>((resolve) => {
          hang = resolve
        })
        const going = new Promise<void>((resolve) => {
          resume = resolve
        })
        async function* slow() {
          yield original.subarray(0, 10)
          hang()
          await going
          yield original.subarray(10)
        }
        const upload = { size: original.length, stream: slow() }
        const late = test.registry.get(FixDigests).execute(anonymous, { id, upload })
        late.catch(() => undefined)
        await hanging
        expect(await usage(iin)).to.equal(1000)
        expect(await codeOf(fix(id))).to.equal('archivalStarted')
        await sweep()
        expect(await usage(iin)).to.equal(1000)
        test.clock.time += passed
        await sweep()
        expect(await usage(iin)).to.equal(0)
        expect(await fix(id)).to.include({ dataArchived: true })
        resume()
        expect(await codeOf(late)).to.be.oneOf(['archivalStarted', 'documentDigestsAlreadyKnown'])
        await sweep()
        expect([store.objects.size, await usage(iin)]).to.deep.equal([before + 1, 1000])
      })
    }

    it('are not given out when the store has altered bytes', async () => {
      const { registered, data, quota } = use()
      const { person, iin } = await archivist()
      await quota(iin, 10 * MIB)
      const bytes = randomBytes(2 * MIB + 100)
      const keys = new Set(store.objects.keys())
      const { id } = await registered(person, bytes)
      const [key = ''] = [...store.objects.keys()].filter((one) => !keys.has(one))
      const right = Buffer.from(store.at(key))
      const flipped = Buffer.from(right)
      flipped.writeUInt8(flipped.readUInt8(MIB + 7) ^ 1, MIB + 7)
      const exchanged = Buffer.concat([right.subarray(MIB, 2 * MIB), right.subarray(0, MIB), right.subarray(2 * MIB)])
      const lies = [
        flipped,
        right.subarray(0, MIB),
        right.subarray(0, right.length - 1),
        Buffer.alloc(right.length),
        exchanged,
      ]
      for (const lie of [...lies, Buffer.concat([right, right])]) {
        store.set(key, lie)
        let given = Buffer.alloc(0)
        const read = (async () => {
          for await (const chunk of (await data(id)).bytes()) given = Buffer.concat([given, chunk])
        })()
        expect(await codeOf(read)).to.equal('archiveNotRead')
        expect(given.equals(bytes.subarray(0, given.length))).to.equal(true)
        const range = { start: MIB + 7, end: MIB + 8 }
        expect(await codeOf(data(id).then((found) => buffer(found.bytes(range))))).to.equal('archiveNotRead')
      }
      store.objects.delete(key)
      expect(await codeOf(data(id).then((found) => buffer(found.bytes())))).to.equal('archiveNotRead')
      store.set(key, right)
    })

    it('are given to callers with access, and to anonymous callers only where settings say so', async () => {
      const { registered, data } = use()
      const { person, iin } = await archivist()
      const { id } = await registered(person)
      expect(await codeOf(data(id, anonymous))).to.equal('authenticationRequired')
      expect((await data(id, personCaller('IIN000000000001'))).size).to.equal(1000)
      const hidden = await registered(person, original, { private: true })
      expect(await codeOf(data(hidden.id, personCaller('IIN000000000001')))).to.equal('accessDenied')
      expect((await data(hidden.id, personCaller(iin))).size).to.equal(1000)
      const open = await registered(person, original, { private: true, publicWhileLessThanSignatures: 2 })
      expect((await data(open.id, anonymous)).size).to.equal(1000)
    })

    it('are listed by whether they were uploaded and whether they are archived', async () => {
      const { register, fix, registered, verify, quota } = use()
      const { person, iin } = await archivist()
      const list = async (query: object) => {
        const { documentsTotal, documents } = await test.registry
          .get(ListDocuments)
          .execute(personCaller(iin), { query })
        expect(documentsTotal).to.equal(documents.length)
        return documents.map(({ documentId }) => documentId).sort()
      }
      await quota(iin, 0)
      const archived = (await registered(person)).id
      await quota(iin, 1000)
      await verify(archived)
      const hashed = (await registered(person)).id
      const missing = await register(person)
      const sorted = (...ids: string[]) => ids.sort()
      for (const searchQuery of [undefined, iin.slice(3)]) {
        const search = searchQuery === undefined ? {} : { searchQuery }
        expect(await list(search)).to.deep.equal(sorted(archived, hashed, missing))
        expect(await list({ ...search, dataArchived: true })).to.deep.equal([archived])
        expect(await list({ ...search, dataArchived: false })).to.deep.equal(sorted(hashed, missing))
        expect(await list({ ...search, incomplete: true })).to.deep.equal([missing])
        expect(await list({ ...search, incomplete: false })).to.deep.equal(sorted(archived, hashed))
        expect(await list({ ...search, incomplete: true, dataArchived: true })).to.deep.equal([])
      }
      await fix(missing)
      expect(await list({ incomplete: true })).to.deep.equal([])
      expect(await list({ dataArchived: false })).to.deep.equal(sorted(hashed, missing))
      const { documents } = await test.registry.get(ListDocuments).execute(personCaller(iin), {})
      expect(documents.filter(({ dataArchived }) => dataArchived).map(({ documentId }) => documentId)).to.deep.equal([
        archived,
      ])
    })

    it('are compared with the store for the administrator', async () => {
      await test.registry.close()
      await openTest()
      const { registered, data } = use()
      const { person, iin } = await archivist()
      const ids: string[] = []
      for (let n = 0; n < 3; n += 1) ids.push((await registered(person)).id)
      const check = test.registry.get(CheckArchive)
      const findings = async () => {
        const found = []
        for await (const finding of check.findings()) if (finding.kind !== 'progress') found.push(finding)
        return found
      }
      expect(await findings()).to.deep.equal([])
      const [missing = '', damaged = ''] = store.objects.keys()
      store.objects.delete(missing)
      store.set(damaged, randomBytes(1000))
      store.set('f'.repeat(32), randomBytes(7))
      await test.registry.get(ArchiveAccounts).release(iin, 1)
      expect((await findings()).map(({ kind }) => kind).sort()).to.deep.equal([
        'damaged',
        'missing',
        'unknown',
        'usage',
      ])
      await check.deleteUnknown('f'.repeat(32))
      await check.deleteUnknown(damaged)
      expect((await findings()).map(({ kind }) => kind).sort()).to.deep.equal(['damaged', 'missing', 'usage'])
      expect(ids).to.have.length(3)
      expect(await codeOf(data('A'.repeat(16)))).to.equal('documentNotFound')
    })

    it('are not promised without a store, nor for longer than allowed', async () => {
      const signature = test.authorities.person().signCms(original).toString('base64')
      const ask = (registry: TestRegistry['registry'], settings: DocumentSettings) =>
        codeOf(registry.get(RegisterDocument).execute(anonymous, { request: { signature, settings } }))
      const bare = await testRegistry(await open())
      try {
        for (const settings of [{ forceArchive: true }, { tempStorageAfterRegistration: 1 }]) {
          expect(await ask(bare.registry, settings)).to.equal('fieldNotSupported')
          const request = { ...UNTITLED, documents: [UNTITLED], documentsSettings: settings }
          const refused = bare.registry.get(RegisterPackage).execute(personCaller(), { request })
          expect(await codeOf(refused)).to.equal('fieldNotSupported')
        }
      } finally {
        await bare.registry.close()
      }
      expect(await ask(test.registry, { tempStorageAfterRegistration: 32 * DAY })).to.equal('invalidDocumentSettings')
    })

    it('give the hash that a later signature needs, and only what is not stored is asked for', async () => {
      const gost = test.authorities.person({ algorithm: 'gost512' })
      const kept = await use().registered(test.authorities.person(), original, {
        tempStorageAfterRegistration: DAY,
        forceArchive: true,
      })
      expect(Object.keys(kept.digests)).to.have.length(1)
      expect((await use().sign(kept.id, gost)).signId).to.be.a('number')
      const verified = await use().verify(kept.id)
      expect(verified.signaturesTotal).to.equal(2)

      const other = randomBytes(1000)
      const hashed = await use().registered(test.authorities.person(), other)
      const refused = await rejectionOf(use().sign(hashed.id, gost, other))
      expect(refused.code).to.equal('digestsUpdateRequired')
      await use().verify(hashed.id, other)
      expect(await codeOf(use().sign(hashed.id, gost, other))).to.equal('digestsUpdateRequired')
    })

    it('of a package are kept by the same rules, and told of as a whole', async () => {
      const { registry } = test
      const state = async () => {
        const { dataArchived, dataStored } = await registry.get(GetPackage).execute(personCaller(), { packageId })
        return [dataArchived, dataStored]
      }
      const { packageId, documentsIds } = await registry.get(RegisterPackage).execute(personCaller(), {
        request: {
          ...UNTITLED,
          documents: [UNTITLED, UNTITLED],
          documentsSettings: { tempStorageAfterRegistration: DAY },
        },
      })
      const [first = '', last = ''] = documentsIds
      const bytes = new Map(documentsIds.map((id) => [id, randomBytes(1000)]))
      const fix = (id: string) =>
        registry.get(FixDigests).execute(personCaller(), { id, upload: uploadOf(bytes.get(id) ?? original) })
      expect(await fix(first)).to.include({ dataArchived: false, tempStorage: true })
      expect(await state()).to.deep.equal([false, false])
      await fix(last)
      expect(await state()).to.deep.equal([false, true])

      const { person, iin } = await archivist()
      const signatures = [...bytes.values()].map((one) => ({ signature: person.signCms(one).toString('base64') }))
      const signed = await registry.get(SignPackage).execute(anonymous, { packageId, request: { signatures } })
      for (const result of signed.registrationResults) {
        expect(result).to.include({ dataArchived: false, canBeArchived: true })
      }
      await use().verify(first, bytes.get(first))
      expect(await state()).to.deep.equal([false, true])
      await use().verify(last, bytes.get(last))
      expect(await state()).to.deep.equal([true, true])
      expect(await use().usage(iin)).to.equal(2000)
      test.clock.time += DAY
      await use().sweep()
      expect(await state()).to.deep.equal([true, true])
    })

    it('give every document of a package the hash that its next signature needs', async () => {
      const { registry, authorities } = test
      const { packageId, documentsIds } = await registry.get(RegisterPackage).execute(personCaller(), {
        request: {
          ...UNTITLED,
          documents: [UNTITLED, UNTITLED],
          documentsSettings: { tempStorageAfterRegistration: DAY },
        },
      })
      const bytes = documentsIds.map(() => randomBytes(500))
      for (const [at, id] of documentsIds.entries()) {
        const upload = uploadOf(bytes[at] ?? original)
        await registry.get(FixDigests).execute(personCaller(), { id, upload })
      }
      const gost = authorities.person({ algorithm: 'gost512' })
      const signatures = bytes.map((one) => ({ signature: gost.signCms(one).toString('base64') }))
      const signed = await registry.get(SignPackage).execute(anonymous, { packageId, request: { signatures } })
      expect(signed.registrationResults).to.have.length(2)
    })
  })
})
