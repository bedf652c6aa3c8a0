import { anonymous, type Caller } from '@signed-registry/core'
import {
  AddSignature,
  ChangeDocumentSettings,
  FixDigests,
  GetDocument,
  RegisterDocument,
} from '@signed-registry/core/documents'
import { GetPackage, RegisterPackage, type RegisterPackageRequest } from '@signed-registry/core/packages'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { Subscriptions } from '#core/organizations/index.js'
import type { Feature } from '#core/organizations/subscriptions.js'
import { PackageStore } from '#core/packages/index.js'
import { BIN, employeeCaller, headCaller, IIN, personCaller, systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { UNTITLED } from '../../support/packages.js'
import { NOW } from '../../support/pki/authorities.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'

const OTHER = 'IIN900101300010'
const two = [
  { title: 'a.txt', description: 'first' },
  { title: 'b.txt', description: 'second' },
]
const original = Buffer.from('original')

describe('POST /api/package', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    before(async () => {
      test = await testRegistry(await open())
    })
    after(() => test.registry.close())

    const register = (request: Partial<RegisterPackageRequest> = {}, caller: Caller = anonymous) =>
      test.registry.get(RegisterPackage).execute(caller, { request: { ...UNTITLED, documents: two, ...request } })
    const get = (packageId: string) => test.registry.get(GetPackage).execute(anonymous, { packageId })
    const fix = (caller: Caller, documentId: string, dataSecret?: string) =>
      test.registry
        .get(FixDigests)
        .execute(caller, { id: documentId, upload: uploadOf(original), query: { ...(dataSecret && { dataSecret }) } })
    const rowsOf = async (table: string) =>
      Number((await test.registry.get(Database).query(table).count({ n: '*' }))[0]?.n)

    it('reserves identifiers, and answers back what was asked for', async () => {
      const emailNotifications = { to: ['a@example.kz'], doNotAttachDocuments: true, language: 'ru' }
      const { packageId, documentsIds } = await register(
        {
          title: 'Contracts',
          description: 'of May',
          emailNotifications,
          settings: { signWholePackage: true },
          documentsSettings: { signaturesLimit: 2, unique: ['iin'] },
        },
        personCaller(),
      )
      expect([packageId, ...documentsIds].every((id) => /^[A-Za-z0-9]{16}$/.test(id))).to.equal(true)
      expect(await get(packageId)).to.deep.equal({
        packageId,
        title: 'Contracts',
        description: 'of May',
        storedAt: NOW,
        documentsIds,
        emailNotifications,
        signatureEmailNotifications: [],
        settings: { private: false, packageAccess: [], packageSettings: [], signWholePackage: true },
        documentsSettings: { signaturesLimit: 2, unique: ['iin'] },
        dataArchived: false,
        dataStored: false,
      })
    })

    it('answers when no notification was requested', async () => {
      const { emailNotifications } = await get((await register()).packageId)
      expect(emailNotifications).to.deep.equal({ to: [], doNotAttachDocuments: false })
      const asked = await get(
        (await register({ emailNotifications: { to: ['a@example.kz'] } }, personCaller())).packageId,
      )
      expect(asked.emailNotifications).to.deep.equal({ to: ['a@example.kz'], doNotAttachDocuments: false })
    })

    it('registers each document with its title and the settings of documents', async () => {
      const documentsSettings = { signaturesLimit: 2 }
      const { documentsIds } = await register({ documentsSettings })
      const documents = await Promise.all(
        documentsIds.map((id) => test.registry.get(GetDocument).execute(anonymous, { id })),
      )
      expect(documents.map(({ title, description }) => ({ title, description }))).to.deep.equal(two)
      for (const document of documents) {
        expect(document).to.deep.include({ settings: documentsSettings, signaturesTotal: 0, signedDataSize: 0 })
      }
    })

    it('opens private documents during preregistration when their settings say so', async () => {
      const { documentsIds } = await register({
        documentsSettings: { private: true, publicDuringPreregistration: true },
      })
      await test.registry.get(GetDocument).execute(anonymous, { id: documentsIds[0] ?? '' })
    })

    it('names the information system that registers, in the package and in its documents', async () => {
      const system = systemCaller({ certificate: Buffer.from('certificate').toString('base64') })
      const { packageId, documentsIds } = await register({}, system)
      const registrator = { businessId: BIN, certificate: system.certificate }
      expect((await get(packageId)).registrator).to.deep.equal(registrator)
      const document = await test.registry.get(GetDocument).execute(anonymous, { id: documentsIds[1] ?? '' })
      expect(document.registrator).to.deep.equal(registrator)
    })

    it('takes as many documents as the limit allows, and no more', async () => {
      const many = (count: number) => Array.from({ length: count }, (_, index) => ({ ...UNTITLED, title: `${index}` }))
      for (const [caller, limit] of [[personCaller(), 50] as const, [anonymous, 10] as const]) {
        expect((await register({ documents: many(limit) }, caller)).documentsIds.length).to.equal(limit)
        const refusal = await rejectionOf(register({ documents: many(limit + 1) }, caller))
        expect(refusal.message).to.equal('Request field size is too large')
        expect(refusal.details).to.deep.equal({ field: 'documents', limit })
      }
    })

    it('accepts access rules without names, also from anonymous callers', async () => {
      const settings = { packageAccess: [{}], packageSettings: [{}] }
      const { packageId } = await register({ settings, documentsSettings: { documentAccess: [{}] } }, anonymous)
      expect((await get(packageId)).settings).to.deep.include(settings)
    })

    describe('refuses, and stores nothing', () => {
      const refusals: [string, string, Partial<RegisterPackageRequest>, by?: Caller][] = [
        ['an empty package', 'packageWithoutDocuments', { documents: [] }],
        ['10,000 documents', 'requestFieldTooLarge', { documents: Array(10_000).fill(UNTITLED) }],
        ['a title that is too long', 'requestFieldTooLarge', { title: 'a'.repeat(256) }],
        ['a description that is too long', 'requestFieldTooLarge', { description: 'a'.repeat(2001) }],
        [
          'a title of a document that cannot be a file name',
          'invalidDocumentTitle',
          { documents: [UNTITLED, { ...UNTITLED, title: '../b' }] },
        ],
        [
          'settings of documents that contradict themselves',
          'invalidDocumentSettings',
          { documentsSettings: { signersRequirements: [{}] } },
        ],
        [
          'a malformed BIN',
          'invalidPackageSettings',
          { settings: { packageSettings: [{ bin: 'BIN1' }] } },
          personCaller(),
        ],
        ['a malformed e-mail address', 'invalidNotificationEmail', { emailNotifications: { to: ['nobody'] } }],
        [
          'too many e-mail addresses',
          'tooManyNotificationEmails',
          { emailNotifications: { to: Array(21).fill('a@b.kz') } },
        ],

        ["sending in nobody's name", 'authenticationRequired', { send: { to: IIN } }],
        ["naming others in nobody's name", 'authenticationRequired', { settings: { packageAccess: [{ iin: IIN }] } }],
        ['letting others change settings', 'authenticationRequired', { settings: { packageSettings: [{ bin: BIN }] } }],
        [
          'opening documents to others',
          'authenticationRequired',
          { documentsSettings: { documentAccess: [{ iin: IIN }] } },
        ],
        [
          "large settings in nobody's name",
          'requestFieldTooLarge',
          { documentsSettings: { signersRequirements: Array.from({ length: 400 }, () => ({ iin: IIN, bin: BIN })) } },
        ],
      ]
      for (const [name, code, request, by] of refusals) {
        it(name, async () => {
          const tables = ['registry_packages', 'registry_documents', 'registry_timelines']
          const before = await Promise.all(tables.map(rowsOf))
          expect((await rejectionOf(register(request, by))).code).to.equal(code)
          expect(await Promise.all(tables.map(rowsOf))).to.deep.equal(before)
        })
      }
    })

    describe('lets the hashes be fixed', () => {
      const callers: [string, Caller, readonly Caller[], readonly Caller[]][] = [
        [
          'by the person who registered the package',
          personCaller(),
          [personCaller()],
          [anonymous, personCaller(OTHER), employeeCaller(), systemCaller()],
        ],
        [
          'by the employee who registered the package',
          employeeCaller(),
          [employeeCaller()],
          [anonymous, personCaller(), employeeCaller({ iin: OTHER }), systemCaller()],
        ],
        [
          'by the organization whose system registered the package',
          systemCaller(),
          [systemCaller(), headCaller()],
          [anonymous, personCaller(), employeeCaller(), systemCaller({ bin: 'BIN000140000010' })],
        ],
      ]
      for (const [name, registrator, allowed, refused] of callers) {
        it(name, async () => {
          const { documentsIds } = await register({}, registrator)
          for (const caller of refused) {
            const { code } = await rejectionOf(fix(caller, documentsIds[0] ?? ''))
            expect(code).to.equal(caller.kind === 'anonymous' ? 'authenticationRequired' : 'accessDenied')
          }
          for (const [at, caller] of allowed.entries()) await fix(caller, documentsIds[at] ?? '')
        })
      }
    })

    it('lets the holder of an anonymous package’s secret fix the hashes, but not one of the link', async () => {
      const { packageId, documentsIds, dataSecret } = await register()
      const [first = '', second = ''] = documentsIds
      expect(dataSecret).to.match(/^[\w-]{22}$/)
      expect((await get(packageId)).documentsIds).to.deep.equal(documentsIds)
      for (const wrong of [undefined, '', `${dataSecret}a`, (await register()).dataSecret]) {
        expect((await rejectionOf(fix(anonymous, first, wrong))).code).to.equal('authenticationRequired')
        expect((await rejectionOf(fix(personCaller(), first, wrong))).code).to.equal('accessDenied')
      }
      await fix(anonymous, first, dataSecret)
      await fix(personCaller(), second, dataSecret)
      expect(await register({}, personCaller())).not.to.have.property('dataSecret')
    })

    it('opens the documents to the person or employee who registered the package, before they are signed', async () => {
      const read = (caller: Caller, id: string) => test.registry.get(GetDocument).execute(caller, { id })
      for (const [registrar, other] of [
        [personCaller(), employeeCaller()],
        [employeeCaller(), personCaller()],
      ] as const) {
        const { documentsIds } = await register({ documentsSettings: { private: true } }, registrar)
        expect((await read(registrar, documentsIds[0] ?? '')).title).to.equal('a.txt')
        expect((await rejectionOf(read(other, documentsIds[0] ?? ''))).code).to.equal('accessDenied')
        expect((await rejectionOf(read(anonymous, documentsIds[0] ?? ''))).code).to.equal('authenticationRequired')
      }
      const { documentsIds } = await register({ documentsSettings: { private: true } })
      expect((await rejectionOf(read(anonymous, documentsIds[0] ?? ''))).code).to.equal('authenticationRequired')
    })

    it('keeps the settings of its documents once, until those of one change', async () => {
      const documentsSettings = { documentAccess: Array.from({ length: 900 }, () => ({ iin: OTHER })) }
      const { documentsIds } = await register({ documentsSettings }, systemCaller())
      const [first = '', second = ''] = documentsIds
      const kept: unknown[] = await test.registry
        .get(Database)
        .query('registry_documents')
        .whereIn('id', documentsIds)
        .pluck('settings')
      expect(JSON.stringify(kept).length).to.be.below(100)
      const read = async (id: string) => (await test.registry.get(GetDocument).execute(systemCaller(), { id })).settings
      expect(await read(first)).to.deep.equal(documentsSettings)
      await test.registry
        .get(ChangeDocumentSettings)
        .execute(headCaller(), { id: first, request: { documentAccess: [{ iin: OTHER }] } })
      expect(await read(first)).to.deep.equal({ documentAccess: [{ iin: OTHER }] })
      expect(await read(second)).to.deep.equal(documentsSettings)
    })

    it('asks for the feature of the subscription that an organization needs', async () => {
      const disable = (features: { disable?: readonly Feature[]; enable?: readonly Feature[] }) =>
        test.registry.get(Subscriptions).change(BIN, features, 'tests')
      await disable({ disable: ['documentsPackages'] })
      expect((await rejectionOf(register({}, employeeCaller()))).code).to.equal('featureNotAvailable')
      await register({}, personCaller())
      await disable({ enable: ['documentsPackages'], disable: ['documentsRegistration'] })
      await register({}, employeeCaller())
      const preregister = () => test.registry.get(RegisterDocument).execute(systemCaller(), { request: {} })
      expect((await rejectionOf(preregister())).code).to.equal('featureNotAvailable')
      await disable({ enable: ['documentsRegistration'] })
      await preregister()
    })

    it('makes a package complete when the hashes of every document are fixed', async () => {
      const { packageId, documentsIds } = await register({}, personCaller())
      const isComplete = () => test.registry.get(PackageStore).isComplete(packageId)
      expect(await isComplete()).to.equal(false)
      await fix(personCaller(), documentsIds[1] ?? '')
      expect(await isComplete()).to.equal(false)
      await fix(personCaller(), documentsIds[0] ?? '')
      expect(await isComplete()).to.equal(true)
    })

    it('lets nobody sign before the hashes are fixed', async () => {
      const { documentsIds } = await register()
      const signature = test.authorities.person().signCms(original).toString('base64')
      const call = test.registry
        .get(AddSignature)
        .execute(anonymous, { id: documentsIds[0] ?? '', request: { signature } })
      expect((await rejectionOf(call)).code).to.equal('documentDigestsNotKnown')
    })
  })
})
