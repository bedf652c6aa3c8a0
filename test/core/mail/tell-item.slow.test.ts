import { Database } from '@signed-registry/core'
import type { DocumentSettings } from '@signed-registry/core/documents'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import {
  CommentIncoming,
  CommentOutgoing,
  RecallOutgoing,
  RemindOutgoing,
  SendDocument,
  type SendRequest,
} from '@signed-registry/core/routing'
import { SaveUserSettings } from '@signed-registry/core/settings'
import { expect } from 'chai'
import { PartyNames } from '#core/parties/index.js'
import { headCaller, personCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { MailStory } from '../../support/mail-story.js'
import { NOW } from '../../support/pki/authorities.js'
import { SmtpSink } from '../../support/smtp-sink.js'
import { until } from '../../support/until.js'

const BUYER = 'BIN123456789021'
const SELLER = 'BIN123456789022'
const HOUR = 60 * 60 * 1000
const OFFICE = 'office@buyer.kz'
const SALES = 'sales@seller.kz'

const subject = (cn: string, organization?: string) => [
  [{ oid: '2.5.4.3', name: 'CN', value: cn, valueInB64: false }],
  ...(organization ? [[{ oid: '2.5.4.10', name: 'O', value: organization, valueInB64: false }]] : []),
]

describe('mails about items', () => {
  forEachDatabase((open) => {
    let sink: SmtpSink
    let story: MailStory
    const buyer = headCaller({ bin: BUYER, iin: 'IIN850101300031' })
    const seller = headCaller({ bin: SELLER, iin: 'IIN850101300032' })
    let documentId: string

    before(async () => {
      sink = await SmtpSink.start()
    })
    after(() => sink.close())
    beforeEach(async () => {
      sink.got.length = 0
      story = await MailStory.begin(open, sink, { limits: { reminderMs: 0 } })
      const { registry } = story.test
      await registry.get(Database).transaction(async () => {
        const names = registry.get(PartyNames)
        await names.remember(
          { userId: buyer.iin, businessId: BUYER, subjectStructure: subject('ALIYA', 'Buyer LLP') },
          1,
        )
        await names.remember(
          { userId: seller.iin, businessId: SELLER, subjectStructure: subject('BOLAT', 'Seller') },
          1,
        )
        await names.remember({ userId: 'IIN850101300033', subjectStructure: subject('СЕРИКОВА АЛИЯ') }, 1)
      })
      for (const [by, routingContactEmail] of [
        [buyer, OFFICE],
        [seller, SALES],
      ] as const)
        await registry.get(SaveOrganizationSettings).execute(by, { request: { routingContactEmail } })
      documentId = (await story.register()).documentId
      await story.fix(documentId)
    })
    afterEach(() => story.close())

    /** Waits until every mail is out. */
    const settle = () =>
      until(async () => {
        const waiting = story.test.registry.get(Database).query('registry_deliveries').whereNot({ state: 'delivered' })
        return (await waiting).length === 0
      })

    const send = async (request: Partial<SendRequest> = {}) => {
      const sending = story.test.registry.get(SendDocument)
      const { outgoingId } = await sending.execute(seller, { id: documentId, request: { to: BUYER, ...request } })
      await settle()
      return outgoingId
    }
    const decide = async (incomingId: string, status: 'accepted' | 'denied', comment?: string) => {
      const request = { status, ...(comment !== undefined && { comment }) }
      await story.test.registry.get(CommentIncoming).execute(buyer, { incomingId, request })
      await settle()
    }
    const newest = (address: string) => {
      const mail = sink.to(address).at(-1)
      if (mail === undefined) throw new Error(`No mail to ${address}`)
      return { subject: mail.subject, text: mail.text ?? '' }
    }

    it('lead to the item, and say who sent it for whom, with which words and until when', async () => {
      const id = await send({ comment: 'As we agreed', deadline: NOW + HOUR })
      const { subject: line, text } = newest(OFFICE)
      expect(line).to.equal('For your decision: Contract.txt')
      expect(text).to.contain(`/incoming/${id}`).and.not.contain('/d/')
      expect(text).to.contain(`Sender: Seller (${SELLER})`).and.contain('Employee: BOLAT')
      expect(text)
        .to.contain('Message: As we agreed')
        .and.match(/Answer by: .+ \(UTC\+5\)/)
      expect(text).to.contain('The sender sees when you open it.').and.not.contain('IIN')
    })

    it('bear the letterhead of the organization that sent it, and never that of their own receiver', async () => {
      const { registry } = story.test
      for (const [by, en] of [
        [seller, 'Seller & Sons'],
        [buyer, 'Buyer House'],
      ] as const)
        await registry
          .get(SaveOrganizationSettings)
          .execute(by, { request: { branding: { name: { ru: 'x', kk: 'x', en } } } })
      const id = await send()
      expect(newest(OFFICE).text).to.match(new RegExp(`^Seller & Sons \\(${SELLER}\\)\\n`))
      await decide(id, 'accepted')
      expect(newest(SALES).text).not.to.contain('Seller & Sons').and.not.to.contain('Buyer House')
    })

    it('say "please sign" when a signature is what is wanted', async () => {
      await send({ toSign: true })
      expect(newest(OFFICE).subject).to.equal('Please sign: Contract.txt')
      expect(newest(OFFICE).text).to.contain('Read and sign:')
    })

    it('carry comments and who wrote them', async () => {
      const id = await send({ comment: 'first' })
      const { registry } = story.test
      await registry.get(CommentOutgoing).execute(seller, { outgoingId: id, request: { comment: 'Any news?' } })
      await settle()
      expect(newest(OFFICE).text).to.contain('Message: Any news?').and.contain(`/incoming/${id}`)
      await registry
        .get(CommentIncoming)
        .execute(buyer, { incomingId: id, request: { comment: 'See https://evil.example/x' } })
      await settle()
      expect(newest(SALES).text).to.contain('Employee: ALIYA').and.contain(`/outgoing/${id}`)
      expect(newest(SALES).text).to.contain('https[:]//evil[.]example/x')
    })

    it('tell the reason of a refusal', async () => {
      await decide(await send(), 'denied', 'The sum is wrong')
      expect(newest(SALES).subject).to.equal('Refused: Contract.txt')
      expect(newest(SALES).text).to.contain('Reason: The sum is wrong').and.contain(`Recipient: Buyer LLP (${BUYER})`)
    })

    it('tell what was accepted without a signature, and when it was signed', async () => {
      await decide(await send({ toSign: true }), 'accepted')
      expect(newest(SALES).text).to.contain('Signature: accepted without a signature')
      const again = await send({ toSign: true })
      await story.sign(documentId, story.test.authorities.employee({ iin: '850101300031', bin: BUYER.slice(3) }))
      await decide(again, 'accepted')
      expect(newest(SALES).text).to.match(/Signature: \d\d\.\d\d\.\d{4}/)
    })

    it('remind, and tell of a recall with its reason', async () => {
      const id = await send({ comment: 'first' })
      const { registry } = story.test
      await registry.get(RemindOutgoing).execute(seller, { outgoingId: id, request: {} })
      await settle()
      expect(newest(OFFICE).subject).to.equal('Reminder: Contract.txt')
      expect(newest(OFFICE).text).to.not.contain('Message:')
      await registry.get(RecallOutgoing).execute(seller, { outgoingId: id, request: { comment: 'A wrong file' } })
      await settle()
      expect(newest(OFFICE).subject).to.equal('Recalled: Contract.txt')
      expect(newest(OFFICE).text).to.contain('Message: A wrong file')
      const silent = await send({ comment: 'second' })
      await registry.get(RecallOutgoing).execute(seller, { outgoingId: silent, request: {} })
      await settle()
      expect(newest(OFFICE).text).to.contain('took it back').and.not.contain('Message:')
    })

    it('that waited for the mail server while the item was recalled ask for nothing, and carry no words', async () => {
      const { registry } = story.test
      const sending = registry.get(SendDocument)
      await registry.stop()
      const { outgoingId } = await sending.execute(seller, {
        id: documentId,
        request: { to: BUYER, toSign: true, comment: 'secret words' },
      })
      await registry.get(RecallOutgoing).execute(seller, { outgoingId, request: {} })
      registry.start()
      await settle()
      for (const { subject: line, text = '' } of sink.to(OFFICE)) {
        expect(line).to.equal('Recalled: Contract.txt')
        expect(text).to.not.contain('secret words').and.not.contain('Read and sign')
      }
      expect(sink.to(OFFICE)).to.have.length(2)
    })

    it('to a person are in their language, and only of the kinds they want', async () => {
      const { registry } = story.test
      const me = personCaller('IIN850101300033')
      const choose = (notificationsOff: ('received' | 'reminders')[]) =>
        registry.get(SaveUserSettings).execute(me, {
          request: {
            email: 'me@example.kz',
            emailNotificationsRoutingEnabled: true,
            notificationsLanguage: 'kk',
            notificationsOff,
          },
        })
      await choose(['reminders'])
      const outgoingId = await send({ to: me.iin })
      expect(newest('me@example.kz').subject).to.equal('Қарауыңызға: Contract.txt')
      await registry.get(RemindOutgoing).execute(seller, { outgoingId, request: {} })
      await settle()
      expect(sink.to('me@example.kz')).to.have.length(1)
      await choose([])
      await registry.get(RemindOutgoing).execute(seller, { outgoingId, request: {} })
      await settle()
      expect(newest('me@example.kz').subject).to.equal('Еске салу: Contract.txt')
    })

    it('do not tell of a recall to whom nothing was delivered', async () => {
      documentId = (await story.register()).documentId
      const waiting = await send({ comment: 'Too early' })
      await story.test.registry.get(RecallOutgoing).execute(seller, { outgoingId: waiting, request: {} })
      await settle()
      expect(sink.to(OFFICE)).to.deep.equal([])
    })

    it('say the name of a person without the IIN', async () => {
      const { registry } = story.test
      const caller = personCaller('IIN850101300033')
      await registry.get(SendDocument).execute(caller, { id: documentId, request: { to: BUYER } })
      await settle()
      expect(newest(OFFICE).text).to.contain('Sender: СЕРИКОВА АЛИЯ').and.not.contain('IIN')
    })

    describe('in the order of signers', () => {
      const first = { iin: '850101300012' }
      const settings = (more: DocumentSettings = {}): DocumentSettings => ({
        sequentialSignersRequirements: true,
        strictSignersRequirements: true,
        signersRequirements: [{ iin: `IIN${first.iin}` }, { iin: 'IIN850101300041' }, { bin: BUYER }],
        ...more,
      })
      const register = async (more?: DocumentSettings) => {
        const registered = await story.register({ settings: settings(more) })
        await story.fix(registered.documentId)
        await settle()
        return registered.documentId
      }
      const second = () => story.test.authorities.person({ iin: '850101300041' })
      beforeEach(() =>
        story.test.registry.get(SaveUserSettings).execute(personCaller('IIN850101300041'), {
          request: { email: 'second@example.kz', emailNotificationsRoutingEnabled: true },
        }),
      )

      it('tell the next one when the registration is complete, and the one after that after the signature', async () => {
        const id = await register()
        expect(newest('second@example.kz').subject).to.equal('Your turn to sign: Contract.txt')
        expect(newest('second@example.kz').text).to.contain(`/d/${id}/sign`)
        expect(sink.to(OFFICE)).to.deep.equal([])
        await story.sign(id, second())
        await settle()
        expect(newest(OFFICE).subject).to.equal('Your turn to sign: Contract.txt')
        expect(sink.to('second@example.kz')).to.have.length(1)
      })

      it('tell nobody of a private document that they may not see', async () => {
        await register({ private: true })
        expect(sink.to('second@example.kz')).to.deep.equal([])
        await register({ private: true, documentAccess: [{ iin: 'IIN850101300041' }] })
        expect(sink.to('second@example.kz')).to.have.length(1)
      })

      it('tell nobody who has such mail turned off, and nobody without an order', async () => {
        const caller = personCaller('IIN850101300041')
        await register({ sequentialSignersRequirements: false })
        await story.test.registry
          .get(SaveUserSettings)
          .execute(caller, { request: { emailNotificationsRoutingEnabled: false } })
        await register()
        expect(sink.to('second@example.kz')).to.deep.equal([])
      })
    })
  })
})
