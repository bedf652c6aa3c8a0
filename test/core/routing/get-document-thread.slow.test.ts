import { anonymous, type Caller } from '@signed-registry/core'
import {
  AddSignature,
  type DocumentSettings,
  FixDigests,
  GetDocument,
  RegisterDocument,
} from '@signed-registry/core/documents'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import {
  CommentIncoming,
  CommentOutgoing,
  GetDocumentThread,
  GetIncoming,
  RecallOutgoing,
  RemindOutgoing,
  SendDocument,
  type SendRequest,
  type ThreadStep,
} from '@signed-registry/core/routing'
import { expect } from 'chai'
import { employeeCaller, headCaller, personCaller, systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'

const [AUTHOR, HEAD, BUYER, OTHER] = ['900101300010', '900101300021', '900101300032', '900101300043']
const [SELLER, THIRD] = ['200140000019', '200140000020']
const author = personCaller(`IIN${AUTHOR}`)
const head = headCaller({ iin: `IIN${HEAD}`, bin: `BIN${SELLER}` })
const buyer = personCaller(`IIN${BUYER}`)
const clerk = employeeCaller({ iin: `IIN${OTHER}`, bin: `BIN${SELLER}` })
const stranger = personCaller(`IIN${OTHER}`)
const HOUR = 60 * 60_000

describe('the thread of a document', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    beforeEach(async () => {
      test = await testRegistry(await open())
    })
    afterEach(() => test.registry.close())

    const original = Buffer.from('contract')
    const asPerson = (iin: string) => test.authorities.person({ iin })
    const asHead = () => test.authorities.employee({ iin: HEAD, bin: SELLER })
    const over = (signer: ReturnType<typeof asPerson>) =>
      signer.signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
    const later = () => {
      test.clock.time += 1000
    }
    const register = async (settings: DocumentSettings = {}) => {
      const request = { signature: over(asPerson(AUTHOR)), settings }
      const { documentId: id } = await test.registry.get(RegisterDocument).execute(anonymous, { request })
      later()
      await test.registry.get(FixDigests).execute(anonymous, { id, upload: uploadOf(original) })
      return id
    }
    const sign = async (id: string, signer: ReturnType<typeof asPerson>) => {
      later()
      await test.registry.get(AddSignature).execute(anonymous, { id, request: { signature: over(signer) } })
    }
    const send = async (id: string, by: Caller, request: SendRequest) => {
      later()
      return (await test.registry.get(SendDocument).execute(by, { id, request })).outgoingId
    }
    const answer = async (
      incomingId: string,
      by: Caller,
      request: { comment?: string; status?: 'accepted' | 'denied' },
    ) => {
      later()
      await test.registry.get(CommentIncoming).execute(by, { incomingId, request })
    }
    const openItem = async (incomingId: string, by: Caller) => {
      later()
      await test.registry.get(GetIncoming).execute(by, { incomingId })
    }
    const thread = (id: string, by: Caller) => test.registry.get(GetDocumentThread).execute(by, { id })
    const kinds = (steps: readonly ThreadStep[]) => steps.map(({ kind }) => kind)
    const stepOf = (steps: readonly ThreadStep[], kind: ThreadStep['kind']) => {
      const { at: _, ...step } = steps.find((one) => one.kind === kind) ?? { at: 0 }
      return step
    }

    it('tells both sides everything, in order: who signed, and what was sent, opened, written and decided', async () => {
      const id = await register({ private: true })
      const item = await send(id, author, { to: `BIN${SELLER}`, comment: 'Please look at it' })
      await openItem(item, head)
      await answer(item, head, { comment: 'We do' })
      await sign(id, asHead())
      await answer(item, head, { status: 'accepted', comment: 'Signed' })
      const { steps, documentId, shortened, you } = await thread(id, author)
      expect(documentId).to.equal(id)
      expect(shortened).to.equal(undefined)
      expect(kinds(steps)).to.deep.equal([
        'registered',
        'signed',
        'completed',
        'sent',
        'delivered',
        'opened',
        'commented',
        'signed',
        'accepted',
      ])
      expect(stepOf(steps, 'sent')).to.deep.include({
        party: `IIN${AUTHOR}`,
        to: `BIN${SELLER}`,
        outgoingId: item,
        value: 'Please look at it',
      })
      expect(stepOf(steps, 'accepted')).to.deep.include({ party: `BIN${SELLER}`, outgoingId: item, value: 'Signed' })
      const [, signedByHead] = steps.filter(({ kind }) => kind === 'signed')
      expect(signedByHead)
        .to.include({ party: `BIN${SELLER}`, by: `IIN${HEAD}` })
        .and.have.property('byName')
      expect(you).to.deep.equal({ signedAt: steps[1]?.at, next: 'nothing' })
      const theirs = await thread(id, head)
      expect(kinds(theirs.steps)).to.deep.equal(kinds(steps))
      expect(stepOf(theirs.steps, 'commented')).to.include({ incomingId: item, value: 'We do' })
    })

    it('tells that somebody was reminded, and that an item was recalled', async () => {
      const id = await register({ private: true })
      const item = await send(id, author, { to: `IIN${BUYER}` })
      test.clock.time += 2 * HOUR
      await test.registry.get(RemindOutgoing).execute(author, { outgoingId: item, request: {} })
      later()
      await test.registry.get(RecallOutgoing).execute(author, { outgoingId: item, request: {} })
      const { steps } = await thread(id, author)
      expect(kinds(steps).slice(-4)).to.deep.equal(['sent', 'delivered', 'reminded', 'recalled'])
      expect(steps.at(-1)?.at).to.equal(test.clock.time)
    })

    it('is for whoever may view the document', async () => {
      const id = await register({ private: true })
      expect((await rejectionOf(thread(id, anonymous))).code).to.equal('authenticationRequired')
      for (const by of [stranger, buyer, clerk, systemCaller()])
        expect((await rejectionOf(thread(id, by))).code).to.equal('accessDenied')
    })

    it('tells strangers of a public document when something happened to its items, and nothing else of them', async () => {
      const id = await register()
      const item = await send(id, author, { to: `IIN${BUYER}`, comment: 'Between us' })
      await answer(item, buyer, { comment: 'Not yet' })
      for (const by of [anonymous, stranger, clerk]) {
        const { steps } = await thread(id, by)
        expect(kinds(steps).slice(3)).to.deep.equal(['sent', 'delivered', 'commented'])
        for (const step of steps.slice(3)) expect(Object.keys(step)).to.deep.equal(['at', 'kind'])
      }
      expect((await thread(id, anonymous)).you).to.equal(undefined)
    })

    it('tells nothing more to who signs a public document, or sends it to their own organization', async () => {
      const id = await register()
      await send(id, author, { to: `IIN${BUYER}`, comment: 'for you' })
      await sign(id, asPerson(OTHER))
      await send(id, personCaller(`IIN${HEAD}`), { to: `BIN${SELLER}` })
      for (const caller of [stranger, head]) {
        const { steps } = await thread(id, caller)
        const [sent] = steps.filter(({ kind }) => kind === 'sent')
        expect(sent).to.have.all.keys('at', 'kind')
      }
    })

    it('tells one receiver of others only when, and which organization', async () => {
      const id = await register({ private: true })
      await send(id, author, { to: `IIN${BUYER}`, comment: 'To you' })
      await send(id, author, { to: `BIN${SELLER}`, comment: 'To them' })
      const { steps } = await thread(id, head)
      const [toBuyer, toSeller] = steps.filter(({ kind }) => kind === 'sent')
      expect(toBuyer).to.have.all.keys('at', 'kind', 'party', 'name')
      expect(toSeller).to.include({ to: `BIN${SELLER}`, value: 'To them' })
      const theirs = (await thread(id, buyer)).steps.filter(({ kind }) => kind === 'sent')
      expect(theirs[1])
        .to.include({ to: `BIN${SELLER}` })
        .and.not.have.any.keys('value', 'outgoingId', 'incomingId')
    })

    it('shows an undelivered item to its sender alone', async () => {
      const request = { signature: over(asPerson(AUTHOR)) }
      const { documentId: id } = await test.registry.get(RegisterDocument).execute(anonymous, { request })
      await send(id, author, { to: `IIN${BUYER}` })
      expect(kinds((await thread(id, author)).steps)).to.deep.equal(['registered', 'signed', 'sent'])
      for (const by of [buyer, anonymous])
        expect(kinds((await thread(id, by)).steps)).to.deep.equal(['registered', 'signed'])
    })

    it('shows an organization’s items to employees with routedDocumentsPackagesView', async () => {
      const id = await register()
      const item = await send(id, author, { to: `BIN${SELLER}`, comment: 'For the seller' })
      expect(stepOf((await thread(id, clerk)).steps, 'sent')).to.deep.equal({ kind: 'sent' })
      const some = { authorities: [], tlsCertificatesIndices: [], iins: [clerk.iin] }
      const save = (request: object) => test.registry.get(SaveOrganizationSettings).execute(head, { request })
      await save({ routedDocumentsPackagesView: some })
      const seen = await thread(id, clerk)
      expect(stepOf(seen.steps, 'sent')).to.include({ incomingId: item, value: 'For the seller' })
      expect(seen.you).to.deep.equal({ next: 'nothing', incomingId: item })
      await save({ routedDocumentsPackagesView: some, documentsPackagesRoute: some })
      expect((await thread(id, clerk)).you).to.deep.equal({ next: 'decide', incomingId: item })
    })

    it('names a person to the sender only after they have acted', async () => {
      const id = await register({ private: true })
      const item = await send(id, author, { to: `IIN${BUYER}`, toSign: true })
      expect(stepOf((await thread(id, author)).steps, 'sent')).to.not.have.property('toName')
      await sign(id, asPerson(BUYER))
      expect(stepOf((await thread(id, author)).steps, 'sent')).to.have.property('toName')
      expect(stepOf((await thread(id, buyer)).steps, 'sent'))
        .to.include({ incomingId: item })
        .and.have.property('name')
    })

    describe('says who is awaited and what is next', () => {
      it('by the requirements in their order', async () => {
        const settings = {
          signersRequirements: [{ iin: `IIN${AUTHOR}` }, { bin: `BIN${SELLER}` }, { iin: `IIN${BUYER}` }],
          sequentialSignersRequirements: true,
        }
        const id = await register(settings)
        expect((await thread(id, author)).awaited).to.deep.equal([
          { bin: `BIN${SELLER}`, order: 2, next: true },
          { iin: `IIN${BUYER}`, order: 3, next: false },
        ])
        const next = async (by: Caller) => (await thread(id, by)).you?.next
        expect([await next(author), await next(head), await next(buyer)]).to.deep.equal(['wait', 'sign', 'wait'])
        expect(await next(stranger)).to.equal('wait')
        await sign(id, asHead())
        expect([await next(author), await next(head), await next(buyer)]).to.deep.equal(['wait', 'wait', 'sign'])
        await sign(id, asPerson(BUYER))
        expect((await thread(id, head)).awaited).to.deep.equal([])
        expect([await next(author), await next(head), await next(buyer)]).to.deep.equal([
          'nothing',
          'nothing',
          'nothing',
        ])
      })

      it('by an item that asks to sign, also when it was accepted without a signature', async () => {
        const id = await register({ private: true })
        const item = await send(id, author, { to: `IIN${BUYER}`, toSign: true })
        expect((await thread(id, author)).you?.next).to.equal('wait')
        expect((await thread(id, buyer)).you).to.deep.equal({ next: 'sign', incomingId: item })
        await answer(item, buyer, { status: 'accepted' })
        expect((await thread(id, buyer)).you).to.deep.equal({ next: 'sign' })
        await sign(id, asPerson(BUYER))
        expect((await thread(id, buyer)).you).to.deep.equal({ signedAt: test.clock.time, next: 'nothing' })
      })

      it('and asks nobody to sign after signUntil', async () => {
        const settings = { signUntil: test.clock.time + HOUR, signersRequirements: [{ iin: `IIN${BUYER}` }] }
        const id = await register(settings)
        expect((await thread(id, buyer)).you?.next).to.equal('sign')
        test.clock.time += HOUR
        const { awaited, you } = await thread(id, buyer)
        expect(awaited).to.deep.equal([{ iin: `IIN${BUYER}`, next: false }])
        expect(you?.next).to.equal('nothing')
      })
    })

    it('stays bounded with very many items, and keeps the viewer’s own', async () => {
      const id = await register()
      const own = await send(id, author, { to: `IIN${BUYER}` })
      for (let n = 0; n < 60; n++)
        await send(id, personCaller(`IIN95010130${1000 + n}`), { to: `BIN${THIRD}`, comment: 'Look' })
      const { steps, shortened } = await thread(id, author)
      expect(shortened).to.equal(true)
      expect(steps.length).to.be.at.most(200)
      expect(steps.some(({ outgoingId }) => outgoingId === own)).to.equal(true)
      expect(steps.map(({ at }) => at)).to.deep.equal(steps.map(({ at }) => at).toSorted((a, b) => a - b))
      await test.registry.get(CommentOutgoing).execute(author, { outgoingId: own, request: { comment: 'Well?' } })
      expect((await thread(id, author)).steps.some(({ value }) => value === 'Well?')).to.equal(true)
      expect((await test.registry.get(GetDocument).execute(anonymous, { id })).signaturesTotal).to.equal(1)
    })
  })
})
