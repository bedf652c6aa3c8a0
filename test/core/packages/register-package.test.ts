import {
  AddSignature,
  anonymous,
  type Caller,
  FixDigests,
  GetDocument,
  GetPackage,
  RegisterPackage,
  type RegisterPackageRequest,
} from '@signed-registry/core'
import { expect } from 'chai'
import { Database } from '../../../core/dist/database/database.js'
import { PackageStore } from '../../../core/dist/packages/index.js'
import { BIN, employeeCaller, IIN, personCaller, systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
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
      test.registry.get(RegisterPackage).execute(caller, { documents: two, ...request })
    const get = (packageId: string) => test.registry.get(GetPackage).execute(anonymous, packageId)
    const fix = (caller: Caller, documentId: string) =>
      test.registry.get(FixDigests).execute(caller, documentId, uploadOf(original))
    const rowsOf = async (table: string) =>
      Number((await test.registry.get(Database).query(table).count({ n: '*' }))[0]?.n)

    it('reserves identifiers, and answers back what was asked for', async () => {
      const emailNotifications = { to: ['a@example.kz'], doNotAttachDocuments: true, language: 'ru' }
      const { packageId, documentsIds } = await register({
        title: 'Contracts',
        description: 'of May',
        emailNotifications,
        settings: { signWholePackage: true },
        documentsSettings: { signaturesLimit: 2, unique: ['iin'] },
      })
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
      })
    })

    it('registers each document with its title and the settings of documents', async () => {
      const documentsSettings = { signaturesLimit: 2 }
      const { documentsIds } = await register({ documentsSettings })
      const documents = await Promise.all(
        documentsIds.map((id) => test.registry.get(GetDocument).execute(anonymous, id)),
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
      await test.registry.get(GetDocument).execute(anonymous, documentsIds[0] ?? '')
    })

    it('names the information system that registers, in the package and in its documents', async () => {
      const system = systemCaller({ certificate: Buffer.from('certificate').toString('base64') })
      const { packageId, documentsIds } = await register({}, system)
      const registrator = { businessId: BIN, certificate: system.certificate }
      expect((await get(packageId)).registrator).to.deep.equal(registrator)
      const document = await test.registry.get(GetDocument).execute(anonymous, documentsIds[1] ?? '')
      expect(document.registrator).to.deep.equal(registrator)
    })

    it('takes as many documents as the limit allows, and no more', async () => {
      const many = (count: number) => Array.from({ length: count }, (_, index) => ({ title: `${index}` }))
      expect((await register({ documents: many(50) })).documentsIds.length).to.equal(50)
      const refusal = await rejectionOf(register({ documents: many(51) }))
      expect(refusal.message).to.equal('Request field size is too large')
      expect(refusal.details).to.deep.equal({ field: 'documents', limit: 50 })
    })

    describe('refuses, and stores nothing', () => {
      const refusals: [string, string, Partial<RegisterPackageRequest>][] = [
        ['an empty package', 'packageWithoutDocuments', { documents: [] }],
        [
          '10,000 documents',
          'requestFieldTooLarge',
          { documents: Array.from({ length: 10_000 }, () => ({ title: 'a' })) },
        ],
        ['a title that is too long', 'requestFieldTooLarge', { title: 'a'.repeat(256) }],
        ['a description that is too long', 'requestFieldTooLarge', { description: 'a'.repeat(2001) }],
        [
          'a title of a document that cannot be a file name',
          'invalidDocumentTitle',
          { documents: [{ title: 'a.txt' }, { title: '../b' }] },
        ],
        [
          'settings of documents that contradict themselves',
          'invalidDocumentSettings',
          { documentsSettings: { signersRequirements: [{}] } },
        ],
        [
          'an access rule that names nobody',
          'invalidPackageSettings',
          { settings: { packageAccess: [{ iin: IIN }, {}] } },
        ],
        ['a malformed BIN', 'invalidPackageSettings', { settings: { packageSettings: [{ bin: 'BIN1' }] } }],
        ['a malformed e-mail address', 'invalidNotificationEmail', { emailNotifications: { to: ['nobody'] } }],
        [
          'too many e-mail addresses',
          'tooManyNotificationEmails',
          { emailNotifications: { to: Array(21).fill('a@b.kz') } },
        ],
        ["sending in nobody's name", 'authenticationRequired', { send: { to: IIN } }],
      ]
      for (const [name, code, request] of refusals) {
        it(name, async () => {
          const tables = ['registry_packages', 'registry_documents', 'registry_timelines']
          const before = await Promise.all(tables.map(rowsOf))
          expect((await rejectionOf(register(request))).code).to.equal(code)
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
          [systemCaller(), employeeCaller()],
          [anonymous, personCaller(), systemCaller({ bin: 'BIN000140000010' })],
        ],
        [
          'by anyone who was told the identifiers, where nobody gave a name',
          anonymous,
          [anonymous, personCaller()],
          [],
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

    it('makes a package complete when the hashes of every document are fixed', async () => {
      const { packageId, documentsIds } = await register()
      const isComplete = () => test.registry.get(PackageStore).isComplete(packageId)
      expect(await isComplete()).to.equal(false)
      await fix(anonymous, documentsIds[1] ?? '')
      expect(await isComplete()).to.equal(false)
      await fix(anonymous, documentsIds[0] ?? '')
      expect(await isComplete()).to.equal(true)
    })

    it('lets nobody sign before the hashes are fixed', async () => {
      const { documentsIds } = await register()
      const signature = test.authorities.person().signCms(original).toString('base64')
      const call = test.registry.get(AddSignature).execute(anonymous, documentsIds[0] ?? '', { signature })
      expect((await rejectionOf(call)).code).to.equal('documentDigestsNotKnown')
    })
  })
})
