import { randomBytes } from 'node:crypto'
import { ArchiveStore, anonymous, type Caller, provideValue, type Upload } from '@signed-registry/core'
import {
  AddSignature,
  ChangeDocumentSettings,
  type DocumentSettings,
  FixDigests,
  GetDocument,
  GetDocumentData,
  GetDocumentSettingsAudit,
  RegisterDocument,
  VerifyDocument,
} from '@signed-registry/core/documents'
import { SaveUserSettings } from '@signed-registry/core/settings'
import { expect } from 'chai'
import { DocumentStore } from '#core/documents/document-store.js'
import { VerifyAgain } from '#core/documents/verify-again.js'
import { KeptLedger } from '#core/ledger/index.js'
import { SweepOriginals } from '#core/originals/index.js'
import { personCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { MemoryStore } from '../../support/memory-store.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'
import { shareDifferences } from '../../support/share-differences.js'

const SIZE = 1000
const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const STRANGER = 'at '
const DIGITS = '900101300010'
const signer = personCaller(`IIN${DIGITS}`)

describe('tempStorageAfterRegistration', () => {
  forEachDatabase((open) => {
    let store: MemoryStore
    let test: TestRegistry
    let other: TestRegistry
    const original = randomBytes(SIZE)
    beforeEach(async () => {
      store = new MemoryStore()
      const url = await open()
      const options = {
        plugins: [{ name: 'memory', provides: [provideValue(ArchiveStore, store)] }],
        shares: { temporaryStorage: { person: SIZE, stranger: 10 * SIZE } },
      }
      test = await testRegistry(url, options)
      other = await testRegistry(url, { ...options, clock: test.clock, authorities: test.authorities })
    })
    afterEach(async () => {
      await sweep()
      expect(await shareDifferences(test.registry)).to.deep.equal([])
      await Promise.all([test.registry.close(), other.registry.close()])
    })

    const sweep = () => test.registry.get(SweepOriginals).run()
    const register = async (settings: DocumentSettings) => {
      test.clock.time += 1000
      const signature = test.authorities.person({ iin: DIGITS }).signCms(original).toString('base64')
      return (await test.registry.get(RegisterDocument).execute(anonymous, { request: { signature, settings } }))
        .documentId
    }
    const fix = (id: string, upload: Upload = uploadOf(original), by: Caller = anonymous) =>
      test.registry.get(FixDigests).execute(by, { id, upload })
    const registered = async (settings: DocumentSettings, by: Caller = anonymous) => {
      const id = await register(settings)
      await fix(id, uploadOf(original), by)
      return id
    }
    /** On the other host than everything else. */
    const change = (id: string, tempStorageAfterRegistration: number, by: Caller = signer) =>
      other.registry.get(ChangeDocumentSettings).execute(by, { id, request: { tempStorageAfterRegistration } })
    const signAs = (id: string, subject: Parameters<typeof test.authorities.person>[0]) => {
      const signature = test.authorities.person(subject).signCms(original).toString('base64')
      return test.registry.get(AddSignature).execute(anonymous, { id, request: { signature } })
    }
    const get = (id: string) => test.registry.get(GetDocument).execute(anonymous, { id })
    const codeOf = async (id: string) =>
      (await rejectionOf(test.registry.get(GetDocumentData).execute(signer, { id }))).code
    const counted = async () =>
      Object.fromEntries(
        (await test.registry.get(KeptLedger).largest('temporaryStorage', 10))
          .filter(({ owner }) => owner === STRANGER || owner === signer.iin)
          .map(({ owner, used }) => [owner, used]),
      )

    it('that is made longer keeps the stored original, which counts for who did that', async () => {
      const id = await registered({ tempStorageAfterRegistration: HOUR })
      expect(await counted()).to.deep.equal({ [STRANGER]: SIZE })
      await change(id, 3 * DAY)
      expect(await counted()).to.deep.equal({ [signer.iin]: SIZE })
      test.clock.time += 3 * DAY - 1
      await sweep()
      expect((await get(id)).tempStorage).to.equal(true)
      test.clock.time += 1
      expect(await codeOf(id)).to.equal('archiveNotFound')
      await sweep()
      expect([store.objects.size, await counted()]).to.deep.equal([0, {}])
    })

    it('that is made shorter ends sooner, or at once', async () => {
      const id = await registered({ tempStorageAfterRegistration: 3 * DAY }, signer)
      await change(id, DAY)
      test.clock.time += HOUR
      expect((await get(id)).tempStorage).to.equal(true)
      await change(id, HOUR / 2)
      expect(await codeOf(id)).to.equal('archiveNotFound')
      expect((await get(id)).tempStorage).to.equal(false)
      // What is over does not come back, whether or not it was deleted already.
      await change(id, DAY)
      expect(await codeOf(id)).to.equal('archiveNotFound')
      await sweep()
      expect([store.objects.size, await counted()]).to.deep.equal([0, {}])
    })

    it('that is made shorter by who did not register the document takes the stored original from nobody', async () => {
      const id = await registered({ tempStorageAfterRegistration: 3 * DAY }, signer)
      const later = personCaller('IIN880101300011')
      await signAs(id, { iin: '880101300011' })
      await change(id, 0, later)
      expect((await get(id)).tempStorage).to.equal(true)
      // Nor is it theirs to end after they have made it longer.
      await change(id, 4 * DAY, later)
      await change(id, 1, later)
      async function* passing() {
        yield original.subarray(0, 10)
        await change(id, 0, later)
        yield original.subarray(10)
      }
      await test.registry.get(VerifyDocument).execute(later, { id, upload: { size: SIZE, stream: passing() } })
      await sweep()
      expect([(await get(id)).tempStorage, store.objects.size]).to.deep.equal([true, 1])
      test.clock.time += 1000
      await change(id, 1)
      expect(await codeOf(id)).to.equal('archiveNotFound')
    })

    it('that is asked for where nothing is stored counts when the original passes again', async () => {
      const id = await registered({})
      await change(id, DAY)
      expect(await get(id)).to.deep.include({ settings: { tempStorageAfterRegistration: DAY }, tempStorage: false })
      const verified = await test.registry.get(VerifyDocument).execute(signer, { id, upload: uploadOf(original) })
      expect(verified.tempStorage).to.equal(true)
      expect(await counted()).to.deep.equal({ [signer.iin]: SIZE })
    })

    it('that has no room in the share of who asks for it is refused, and nothing changes', async () => {
      await registered({ tempStorageAfterRegistration: HOUR }, signer)
      const id = await registered({ tempStorageAfterRegistration: HOUR })
      expect(await rejectionOf(change(id, DAY))).to.include({ code: 'shareTaken' })
      expect((await get(id)).settings).to.deep.equal({ tempStorageAfterRegistration: HOUR })
      expect((await test.registry.get(GetDocumentSettingsAudit).execute(signer, { id })).events).to.deep.equal([])
      expect(await counted()).to.deep.equal({ [STRANGER]: SIZE, [signer.iin]: SIZE })
    })

    it('of an archived original counts for nobody, and its end takes nothing away', async () => {
      const request = { dataArchiveEnabled: true, dataArchiveContactEmail: 'archive@example.kz' }
      await test.registry.get(SaveUserSettings).execute(signer, { request })
      const id = await registered({})
      await change(id, DAY)
      expect(await get(id)).to.include({ dataArchived: true, tempStorage: true })
      expect(await counted()).to.deep.equal({})
      await change(id, 0)
      await sweep()
      expect(await get(id)).to.include({ dataArchived: true, tempStorage: false })
      expect(store.objects.size).to.equal(1)
    })

    for (const [name, before, after, isKept] of [
      ['shorter', 3 * DAY, 1, false],
      ['longer', HOUR, 3 * DAY, true],
    ] as const) {
      it(`that is made ${name} while the original is on its way in is what counts`, async () => {
        const id = await register({ tempStorageAfterRegistration: before })
        async function* changing() {
          yield original.subarray(0, 10)
          await change(id, after)
          yield original.subarray(10)
        }
        test.clock.time += 1000
        expect((await fix(id, { size: SIZE, stream: changing() })).tempStorage).to.equal(isKept)
        expect(await counted()).to.deep.equal(isKept ? { [signer.iin]: SIZE } : { [STRANGER]: SIZE })
        test.clock.time += 2 * DAY
        await sweep()
        expect(store.objects.size).to.equal(isKept ? 1 : 0)
      })

      it(`that is made ${name} after the settings were read, and before the original is taken in, is what counts`, async () => {
        const id = await registered({})
        await change(id, before)
        const { registry } = test
        const read = await registry.get(DocumentStore).get(id)
        await change(id, after)
        test.clock.time += 1000
        const { state } = await registry.get(VerifyAgain).verify(anonymous, read, uploadOf(original))
        expect(state.tempStorage).to.equal(isKept)
        test.clock.time += 2 * HOUR
        await sweep()
        // Of strangers for a day at most.
        expect(store.objects.size).to.equal(isKept ? 1 : 0)
        test.clock.time += DAY
        await sweep()
        expect(store.objects.size).to.equal(0)
      })
    }

    it('may be as long as at registration, where there is a store', async () => {
      const id = await registered({})
      expect(await rejectionOf(change(id, 32 * DAY))).to.include({ code: 'invalidDocumentSettings' })
      const bare = await testRegistry(test.database, { clock: test.clock, authorities: test.authorities })
      const request = { tempStorageAfterRegistration: DAY }
      const refused = await rejectionOf(bare.registry.get(ChangeDocumentSettings).execute(signer, { id, request }))
      expect(refused).to.include({ code: 'fieldNotSupported' })
      await bare.registry.close()
      expect((await get(id)).settings).to.deep.equal({})
    })
  })
})
