import { anonymous, type Caller } from '@signed-registry/core'
import {
  AddSignature,
  type DocumentSettings,
  FixDigests,
  GetDocument,
  RegisterDocument,
} from '@signed-registry/core/documents'
import { GetDocumentThread, SendDocument } from '@signed-registry/core/routing'
import { expect } from 'chai'
import { headCaller, personCaller, systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'

const [AUTHOR, HEAD, COLLEAGUE, OTHER] = ['900101300010', '900101300021', '900101300032', '900101300043']
const SELLER = '200140000019'
const author = personCaller(`IIN${AUTHOR}`)
const other = personCaller(`IIN${OTHER}`)
const head = headCaller({ iin: `IIN${HEAD}`, bin: `BIN${SELLER}` })

describe('a new version of a document', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    beforeEach(async () => {
      test = await testRegistry(await open())
    })
    afterEach(() => test.registry.close())

    const asPerson = (iin: string) => test.authorities.person({ iin })
    const asEmployee = (iin: string) => test.authorities.employee({ iin, bin: SELLER })
    let made = 0
    const register = async (
      signer: ReturnType<typeof asPerson>,
      request: { replaces?: string; settings?: DocumentSettings } = {},
      by: Caller = anonymous,
    ) => {
      const signature = signer.signCms(Buffer.from(`Version ${++made}`), { timeStamp: true, ocsp: true })
      const registered = { signature: signature.toString('base64'), ...request }
      return (await test.registry.get(RegisterDocument).execute(by, { request: registered })).documentId
    }
    const read = async (id: string, by: Caller = anonymous) => {
      const { replaces, replacedBy } = await test.registry.get(GetDocument).execute(by, { id })
      return { replaces, replacedBy }
    }

    it('names the old one, which names the new one', async () => {
      const first = await register(asPerson(AUTHOR))
      const second = await register(asPerson(AUTHOR), { replaces: first })
      const third = await register(asPerson(AUTHOR), { replaces: second })
      expect(await read(first)).to.deep.equal({ replaces: undefined, replacedBy: second })
      expect(await read(second)).to.deep.equal({ replaces: first, replacedBy: third })
      expect(await read(third)).to.deep.equal({ replaces: second, replacedBy: undefined })
      const { steps } = await test.registry.get(GetDocumentThread).execute(anonymous, { id: first })
      expect(steps.at(-1)).to.deep.equal({ at: test.clock.time, kind: 'replaced', documentId: second })
    })

    it('can be signed by a colleague of who signed the old one', async () => {
      const first = await register(asEmployee(HEAD))
      const second = await register(asEmployee(COLLEAGUE), { replaces: first })
      expect(await read(second)).to.include({ replaces: first })
    })

    it('is refused from who signed the old one later: anybody may sign a public document', async () => {
      const first = await register(asPerson(AUTHOR))
      const original = Buffer.from(`Version ${made}`)
      await test.registry.get(FixDigests).execute(anonymous, { id: first, upload: uploadOf(original) })
      for (const [signer, iin] of [
        [asPerson(OTHER), OTHER],
        [asEmployee(HEAD), HEAD],
      ] as const) {
        const signature = signer.signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
        await test.registry.get(AddSignature).execute(anonymous, { id: first, request: { signature } })
        expect((await rejectionOf(register(signer, { replaces: first }))).code, iin).to.equal('replacedByStranger')
      }
      expect(await read(first)).to.include({ replacedBy: undefined })
    })

    it('is refused from anybody else, and without a signature', async () => {
      const ofPerson = await register(asPerson(AUTHOR))
      const ofOrganization = await register(asEmployee(AUTHOR))
      const refused = async (attempt: Promise<unknown>) => (await rejectionOf(attempt)).code
      for (const [signer, replaces] of [
        [asPerson(OTHER), ofPerson],
        // In another role they are another signer.
        [asEmployee(AUTHOR), ofPerson],
        [asPerson(AUTHOR), ofOrganization],
      ] as const)
        expect(await refused(register(signer, { replaces }))).to.equal('replacedByStranger')
      const preregistered = test.registry.get(RegisterDocument)
      expect(
        await refused(preregistered.execute(systemCaller(), { request: { title: 'New', replaces: ofPerson } })),
      ).to.equal('replacedByStranger')
      expect(await read(ofPerson)).to.deep.equal({ replaces: undefined, replacedBy: undefined })
    })

    it('is refused of a document that does not exist or has been replaced, however two race', async () => {
      const refused = async (replaces: string) => (await rejectionOf(register(asPerson(AUTHOR), { replaces }))).code
      expect(await refused('A'.repeat(16))).to.equal('documentNotFound')
      expect(await refused('no identifier')).to.equal('invalidDocumentIdentifier')
      const first = await register(asPerson(AUTHOR))
      const outcomes = await Promise.allSettled([1, 2, 3].map(() => register(asPerson(AUTHOR), { replaces: first })))
      const winners = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      expect(winners).to.have.lengthOf(1)
      expect(await read(first)).to.include({ replacedBy: winners[0] })
      expect(await refused(first)).to.equal('documentAlreadyReplaced')
    })

    it('is not told to those who may not view it; parties of the old one learn that there is one', async () => {
      const first = await register(asPerson(AUTHOR))
      const send = test.registry.get(SendDocument)
      const second = await register(asPerson(AUTHOR), { replaces: first, settings: { private: true } })
      await send.execute(other, { id: first, request: { to: `BIN${SELLER}` } })
      expect(await read(first, author)).to.include({ replacedBy: second })
      for (const by of [anonymous, other, head]) expect((await read(first, by)).replacedBy).to.equal(undefined)
      const replaced = async (by: Caller) =>
        (await test.registry.get(GetDocumentThread).execute(by, { id: first })).steps.filter(
          ({ kind }) => kind === 'replaced',
        )
      expect(await replaced(author)).to.deep.equal([{ at: test.clock.time, kind: 'replaced', documentId: second }])
      expect(await replaced(anonymous)).to.deep.equal([])
    })

    it('does not tell of the old one to those who may not view that', async () => {
      const first = await register(asPerson(AUTHOR), { settings: { private: true } })
      const second = await register(asPerson(AUTHOR), { replaces: first })
      expect((await read(second)).replaces).to.equal(undefined)
      expect((await read(second, author)).replaces).to.equal(first)
    })
  })
})
