import { randomBytes } from 'node:crypto'
import { ArchiveStore, anonymous, type Caller, Deliveries, provideValue } from '@signed-registry/core'
import {
  AddSignature,
  type DocumentSettings,
  FixDigests,
  RegisterDocument,
  VerifyDocument,
} from '@signed-registry/core/documents'
import { SaveUserSettings } from '@signed-registry/core/settings'
import { GetStrings } from '@signed-registry/core/strings'
import { GetIntegrationRegisterAuto, SetIntegrationRegisterAuto } from '@signed-registry/core/vehicle-registration'
import type { Subject } from '@signed-registry/dev-authorities'
import { vehicleRegistration } from '@signed-registry/vehicle-registration'
import { expect } from 'chai'
import { SweepDeliveries } from '#core/deliveries/sweep-deliveries.js'
import { Subscriptions } from '#core/organizations/subscriptions.js'
import { SweepOriginals } from '#core/originals/index.js'
import { personCaller, systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { MemoryStore } from '../../support/memory-store.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'
import { until } from '../../support/until.js'
import { VehicleAuthority } from '../../support/vehicle-authority.js'

const DAY = 24 * 60 * 60_000
const [SELLER, BUYER] = ['850101300012', '860101300019']
const original = randomBytes(1000)
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const forceArchive = { forceArchive: true }
const sale = { documentTypeCode: 'vehicleSaleContract', signers: ['seller', 'buyer'] }
const soldAlone = { ...sale, signers: ['seller'] }
const codeOf = async (call: Promise<unknown>) => (await rejectionOf(call)).code

describe('documents for the authority that registers vehicles', () => {
  let authority: VehicleAuthority
  before(async () => {
    authority = await VehicleAuthority.start()
  })
  after(() => authority.close())

  forEachDatabase((open) => {
    let test: TestRegistry
    let store: MemoryStore
    const archive = () => ({ name: 'memory', provides: [provideValue(ArchiveStore, store)] })
    const openTest = (plugins = [archive(), vehicleRegistration(authority.options)]) =>
      open().then((database) =>
        testRegistry(database, {
          plugins,
          deliveryTimes: { pollMs: 20 },
          logger: silent,
          limits: { vehicleSigners: 3 },
        }),
      )

    beforeEach(async () => {
      authority.got.length = 0
      authority.answer = (_document, response) => response.writeHead(201).end()
      store = new MemoryStore()
      test = await openTest()
      test.registry.start()
    })
    afterEach(() => test.registry.close())

    const person = (iin: string) => test.authorities.person({ iin })
    const signature = (signer: Subject, bytes = original) => {
      test.clock.time += 1000
      return signer.signCms(bytes, { timeStamp: true, ocsp: true }).toString('base64')
    }
    const register = (
      integrationRegisterAuto: object | undefined,
      settings: DocumentSettings = forceArchive,
      signer: Subject = person(SELLER),
      caller: Caller = anonymous,
    ) =>
      test.registry.get(RegisterDocument).execute(caller, {
        request: {
          ...{ signature: signature(signer), settings, title: 'Contract' },
          ...(integrationRegisterAuto && { integrationRegisterAuto: integrationRegisterAuto as typeof sale }),
        },
      })
    const fix = (id: string) => test.registry.get(FixDigests).execute(anonymous, { id, upload: uploadOf(original) })
    const sign = (id: string, signer: Subject) =>
      test.registry.get(AddSignature).execute(anonymous, { id, request: { signature: signature(signer) } })
    const seller = personCaller(`IIN${SELLER}`)
    const set = (id: string, request = soldAlone, caller: Caller = seller) =>
      test.registry.get(SetIntegrationRegisterAuto).execute(caller, { id, request })
    const get = (id: string, caller: Caller = seller) =>
      test.registry.get(GetIntegrationRegisterAuto).execute(caller, { id })
    const registered = async (settings: DocumentSettings = forceArchive) => {
      const { documentId } = await register(undefined, settings)
      await fix(documentId)
      return documentId
    }
    const becomes = async (id: string, status: string) => {
      await until(async () => (await get(id)).status === status)
      return get(id)
    }

    it('named at registration are forwarded once the original and a signature for each role are there', async () => {
      const { documentId, signId } = await register(sale)
      const storedAt = test.clock.now()
      const fresh = { documentId, storedAt, source: 'registration', settings: sale }
      expect(await get(documentId)).to.deep.equal({ ...fresh, attempts: 0, status: 'new' })
      await fix(documentId)
      expect(await get(documentId)).to.deep.include({ status: 'new' })
      const second = await sign(documentId, person(BUYER))
      const deliveryStartedAt = test.clock.now()
      expect(await becomes(documentId, 'delivered')).to.deep.equal({
        ...fresh,
        ...{ deliveryStartedAt, attempts: 1, status: 'delivered' },
      })
      await sign(documentId, person('870101300016'))
      await test.registry.stop()
      const [got, ...more] = authority.got
      expect(more).to.deep.equal([])
      expect(got?.original.equals(original)).to.equal(true)
      const { deliveryId, ...registration } = got?.registration ?? {}
      expect(got?.key).to.equal(deliveryId)
      expect(registration).to.deep.equal({
        ...{ documentId, title: 'Contract', documentTypeCode: 'vehicleSaleContract' },
        signatures: [
          { part: `signature-${signId}`, signId, signer: 'seller', signType: 'cms', userId: `IIN${SELLER}` },
          {
            ...{ part: `signature-${second.signId}`, signId: second.signId, signer: 'buyer', signType: 'cms' },
            userId: `IIN${BUYER}`,
          },
        ],
      })
    })

    it('registered together with their original are forwarded at once', async () => {
      const { documentId } = await test.registry.get(RegisterDocument).execute(anonymous, {
        request: { signature: signature(person(SELLER)), settings: forceArchive, integrationRegisterAuto: soldAlone },
        upload: uploadOf(original),
      })
      expect(await becomes(documentId, 'delivered')).to.deep.include({ source: 'registration', attempts: 1 })
      expect(authority.got).to.have.length(1)
    })

    it('named later are forwarded at once, and never a second time', async () => {
      const documentId = await registered()
      const record = await set(documentId)
      expect(record).to.deep.include({ source: 'request', attempts: 0, status: 'waiting', settings: soldAlone })
      expect(await codeOf(set(documentId, sale))).to.equal('integrationAlreadySet')
      await becomes(documentId, 'delivered')
      expect(await codeOf(set(documentId))).to.equal('integrationAlreadySet')
      expect((await get(documentId)).settings).to.deep.equal(soldAlone)
      expect(authority.got).to.have.length(1)

      const { documentId: other } = await register(sale)
      expect(await codeOf(set(other))).to.equal('integrationAlreadySet')
    })

    it('are set by one of two concurrent requests', async () => {
      const documentId = await registered()
      const outcomes = await Promise.allSettled([set(documentId), set(documentId, sale), set(documentId)])
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
      const [record] = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      expect((await get(documentId)).settings).to.deep.equal(record?.settings)
    })

    it('need an original that is or will be stored', async () => {
      expect(await codeOf(register(soldAlone, {}))).to.equal('signedDataNotStored')
      expect(await codeOf(set(await registered({})))).to.equal('signedDataNotStored')
      const incomplete = await register(undefined, {})
      expect(await codeOf(set(incomplete.documentId))).to.equal('signedDataNotStored')
      expect(await codeOf(get(incomplete.documentId))).to.equal('integrationNotFound')

      const inTime = await registered({ tempStorageAfterRegistration: DAY })
      test.clock.time += DAY
      expect(await codeOf(set(inTime))).to.equal('signedDataNotStored')

      await test.registry
        .get(SaveUserSettings)
        .execute(seller, { request: { dataArchiveEnabled: true, dataArchiveContactEmail: 'a@example.kz' } })
      const { documentId } = await register(soldAlone, {})
      await fix(documentId)
      await becomes(documentId, 'delivered')
      const late = incomplete.documentId
      await fix(late)
      await test.registry.get(VerifyDocument).execute(anonymous, { id: late, upload: uploadOf(original) })
      await set(late)
      await becomes(late, 'delivered')
    })

    it('fail when the original is deleted before sending or never uploaded', async () => {
      const { documentId } = await register(sale, { tempStorageAfterRegistration: DAY })
      await fix(documentId)
      test.clock.time += DAY
      await test.registry.get(SweepOriginals).run()
      await sign(documentId, person(BUYER))
      const gone = { errors: { service: 'Signed data is not stored' }, status: 'failed', attempts: 1 }
      expect(await becomes(documentId, 'failed')).to.deep.include(gone)

      const system = systemCaller({ bin: 'BIN900140000017' })
      const request = { integrationRegisterAuto: soldAlone }
      const preregistered = await test.registry.get(RegisterDocument).execute(system, { request })
      const { documentId: id } = preregistered
      await test.registry.get(FixDigests).execute(system, { id, upload: uploadOf(original) })
      await sign(id, person(SELLER))
      expect(await becomes(id, 'failed')).to.deep.include(gone)
      expect(authority.got).to.deep.equal([])
    })

    it('are retried after 5xx and without an answer, with both kinds of errors and the same key', async () => {
      let answers = 0
      authority.answer = (_document, response) => {
        answers += 1
        if (answers === 1) response.writeHead(500).end('{"error":"Реестр недоступен"}')
        else if (answers === 2) response.destroy()
        else response.writeHead(200).end()
      }
      const documentId = await registered()
      const tried = (id: string, attempts: number) =>
        until(async () => {
          const record = await get(id)
          return record.attempts === attempts && record.status === 'waiting'
        })
      await set(documentId)
      await tried(documentId, 1)
      const integration = 'Реестр недоступен'
      expect(await get(documentId)).to.deep.include({ status: 'waiting', errors: { integration } })
      test.clock.time += 10_000
      await tried(documentId, 2)
      const lastRetriedAt = test.clock.now()
      const errors = { integration, service: 'The authority gave no answer' }
      expect(await get(documentId)).to.deep.include({ status: 'waiting', errors, lastRetriedAt })
      test.clock.time += 2 * 60_000
      const delivered = await becomes(documentId, 'delivered')
      expect(delivered).to.deep.include({ attempts: 3, lastRetriedAt: test.clock.now() })
      expect(delivered).not.to.have.property('errors')
      expect(new Set(authority.got.map(({ key }) => key)).size).to.equal(1)
    })

    it('are refused for good by 4xx, whose text is stored, until somebody sends them again', async () => {
      authority.answer = (_document, response) => response.writeHead(422).end('Договор не подходит')
      const documentId = await registered()
      await set(documentId)
      const errors = { integration: 'Договор не подходит' }
      expect(await becomes(documentId, 'failed')).to.deep.include({ attempts: 1, errors })
      test.clock.time += 100 * DAY
      await test.registry.get(SweepDeliveries).run()
      expect(await get(documentId)).to.deep.include({ status: 'failed', errors })

      authority.answer = (_document, response) => response.end()
      const deliveries = test.registry.get(Deliveries)
      await deliveries.again({ owner: documentId, channel: 'vehicleRegistration' })
      expect(await becomes(documentId, 'delivered')).to.deep.include({ attempts: 2 })
      test.clock.time += 100 * DAY
      await test.registry.get(SweepDeliveries).run()
      expect(await get(documentId)).to.deep.include({ status: 'delivered', attempts: 2 })
    })

    it('must be accepted by the authority, with roles that it knows', async () => {
      const documentId = await registered()
      const wrong: [object, string][] = [
        [{ ...sale, documentTypeCode: 'toString' }, 'documentTypeCode'],
        [{ ...sale, signers: ['owner'] }, 'signers'],
        [{ ...sale, signers: [] }, 'signers'],
        [{ ...sale, signers: ['seller', 'seller', 'buyer', 'buyer'] }, 'signers'],
      ]
      for (const [parameters, field] of wrong) {
        for (const call of [() => set(documentId, parameters as typeof sale), () => register(parameters)]) {
          const refusal = await rejectionOf(call())
          expect([refusal.code, refusal.details]).to.deep.equal(['invalidIntegrationParameters', { field }])
        }
      }
      expect(await codeOf(get(documentId))).to.equal('integrationNotFound')
    })

    it('need the feature of the subscription', async () => {
      const [bin, digits] = ['BIN900140000017', '900140000017']
      const employee = test.authorities.employee({ iin: SELLER, bin: digits })
      await test.registry.get(Subscriptions).change(bin, { disable: ['vehicleRegistration'] }, 'admin')
      expect(await codeOf(register(soldAlone, forceArchive, employee))).to.equal('featureNotAvailable')
      const documentId = await registered()
      expect(await codeOf(set(documentId, soldAlone, systemCaller({ bin })))).to.equal('featureNotAvailable')
    })

    it('are shown to those who may act on them', async () => {
      const { documentId } = await register(soldAlone, { ...forceArchive, private: true })
      expect(await codeOf(get(documentId, anonymous))).to.equal('authenticationRequired')
      expect(await codeOf(get(documentId, personCaller()))).to.equal('accessDenied')
      expect(await codeOf(set(documentId, soldAlone, personCaller()))).to.equal('accessDenied')
    })

    it('have their texts in the strings registry', async () => {
      const { consts } = test.registry.get(GetStrings).execute()
      expect(consts.integrationRegisterAutoDocumentTypes).to.have.keys('vehicleSaleContract')
      expect(consts.integrationRegisterAutoSigners).to.have.keys('seller', 'buyer')
      expect(consts.integrationRegisterAutoSources).to.have.keys('registration', 'request')
      expect(Object.keys(consts.integrationRegisterAutoStatuses)).to.deep.equal([
        ...['new', 'waiting', 'sending', 'delivered', 'failed'],
      ])
      expect(consts.integrationRegisterAutoServiceErrors).to.include.keys('Signed data is not stored')
    })

    it('are refused where no plugin forwards them', async () => {
      await test.registry.close()
      test = await openTest([archive()])
      expect(await codeOf(register(soldAlone))).to.equal('fieldNotSupported')
      expect(await codeOf(set(await registered()))).to.equal('fieldNotSupported')
    })
  })
})
