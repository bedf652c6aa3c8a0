import { anonymous, type Caller } from '@signed-registry/core'
import { AddSignature, ChangeDocumentSettings, type DocumentSettings } from '@signed-registry/core/documents'
import { SignPackage } from '@signed-registry/core/packages'
import { GetDocumentThread, GetPackageThread, SendPackage } from '@signed-registry/core/routing'
import { expect } from 'chai'
import { personCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { fixedPackage, type PackageFields, signaturesOver } from '../../support/packages.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry } from '../../support/registry.js'

const [AUTHOR, BUYER, OTHER] = ['900101300010', '900101300021', '900101300032']
const author = personCaller(`IIN${AUTHOR}`)
const buyer = personCaller(`IIN${BUYER}`)
const other = personCaller(`IIN${OTHER}`)
const closed = { settings: { private: true } }

describe('the thread of a package', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    beforeEach(async () => {
      test = await testRegistry(await open())
    })
    afterEach(() => test.registry.close())

    type Registered = Awaited<ReturnType<typeof fixedPackage>>
    const register = async (fields: PackageFields = {}) => fixedPackage(test, { caller: author, ...fields })
    const signAll = async ({ packageId, originals }: Registered, iin: string) => {
      test.clock.time += 1000
      const signatures = signaturesOver(originals, test.authorities.person({ iin }))
      await test.registry.get(SignPackage).execute(anonymous, { packageId, request: { signatures } })
    }
    const signOne = async ({ documentsIds, originals }: Registered, at: number, iin: string) => {
      test.clock.time += 1000
      const [request = { signature: '' }] = signaturesOver(
        originals.slice(at, at + 1),
        test.authorities.person({ iin }),
      )
      await test.registry.get(AddSignature).execute(anonymous, { id: documentsIds[at] ?? '', request })
    }
    const thread = ({ packageId }: Registered, by: Caller) =>
      test.registry.get(GetPackageThread).execute(by, { packageId })
    const send = async ({ packageId }: Registered, toSign = false) => {
      test.clock.time += 1000
      const request = { to: `IIN${BUYER}`, toSign, comment: 'All three' }
      return (await test.registry.get(SendPackage).execute(author, { packageId, request })).outgoingId
    }

    it('has one step for who signed all documents, and names the documents for who signed some', async () => {
      const one = await register()
      await signAll(one, AUTHOR)
      await signOne(one, 1, OTHER)
      const { steps, packageId } = await thread(one, author)
      expect(packageId).to.equal(one.packageId)
      expect(steps.map(({ kind }) => kind)).to.deep.equal(['registered', 'completed', 'signed', 'signed'])
      expect(steps[2])
        .to.include({ party: `IIN${AUTHOR}` })
        .and.not.have.any.keys('signId', 'documentsIds')
      expect(steps[3]).to.deep.include({ party: `IIN${OTHER}`, documentsIds: [one.documentsIds[1]] })
    })

    it('tells who is awaited by any of its documents, and when the caller has signed all', async () => {
      const documentsSettings: DocumentSettings = {
        strictSignersRequirements: true,
        signersRequirements: [{ iin: `IIN${AUTHOR}` }, { iin: `IIN${BUYER}` }],
      }
      const one = await register({ documentsSettings })
      expect((await thread(one, author)).awaited.map(({ iin }) => iin)).to.deep.equal([`IIN${AUTHOR}`, `IIN${BUYER}`])
      expect((await thread(one, author)).you).to.deep.equal({ next: 'sign' })
      await signAll(one, AUTHOR)
      const signedAt = test.clock.time
      expect((await thread(one, author)).you).to.deep.equal({ signedAt, next: 'wait' })
      await signOne(one, 0, BUYER)
      const [left] = (await thread(one, author)).awaited
      // Whose certificate is seen is named.
      expect(left)
        .to.include({ iin: `IIN${BUYER}`, next: true })
        .and.have.property('name')
      expect((await thread(one, buyer)).you).to.deep.equal({ next: 'sign' })
      await signOne(one, 1, BUYER)
      await signOne(one, 2, BUYER)
      expect((await thread(one, buyer)).awaited).to.deep.equal([])
      expect((await thread(one, buyer)).you).to.deep.equal({ signedAt: test.clock.time, next: 'nothing' })
    })

    it('follows settings that were changed since', async () => {
      const one = await register()
      await signAll(one, AUTHOR)
      for (const id of one.documentsIds)
        await test.registry
          .get(ChangeDocumentSettings)
          .execute(author, { id, request: { signersRequirements: [{ iin: `IIN${BUYER}` }] } })
      expect((await thread(one, buyer)).awaited).to.deep.equal([{ iin: `IIN${BUYER}`, next: true }])
      expect((await thread(one, buyer)).you?.next).to.equal('sign')
    })

    it('asks to sign together what is signed as a whole, and not in the thread of one document', async () => {
      const one = await register({ settings: { signWholePackage: true } })
      const item = await send(one, true)
      expect((await thread(one, buyer)).you).to.deep.equal({ next: 'sign', incomingId: item })
      const [id = ''] = one.documentsIds
      const ofDocument = await test.registry.get(GetDocumentThread).execute(buyer, { id })
      expect(ofDocument.you).to.deep.equal({ next: 'nothing' })
    })

    it('is for whoever may view the package, and tells strangers nothing of its items but when', async () => {
      const one = await register(closed)
      await send(one)
      expect((await rejectionOf(thread(one, anonymous))).code).to.equal('authenticationRequired')
      expect((await rejectionOf(thread(one, other))).code).to.equal('accessDenied')
      expect((await thread(one, buyer)).steps.find(({ kind }) => kind === 'sent')).to.include({ value: 'All three' })
      const open = await register()
      await send(open)
      for (const by of [anonymous, other])
        expect((await thread(open, by)).steps.slice(2).map((step) => Object.keys(step))).to.deep.equal([
          ['at', 'kind'],
          ['at', 'kind'],
        ])
    })

    it('tells nothing of signatures under documents that the caller may not view', async () => {
      const one = await register({ documentsSettings: { private: true } })
      await signAll(one, AUTHOR)
      const kinds = async (by: Caller) => (await thread(one, by)).steps.map(({ kind }) => kind)
      expect(await kinds(author)).to.deep.equal(['registered', 'completed', 'signed'])
      expect(await kinds(other)).to.deep.equal(['registered', 'completed'])
    })
  })
})
