import { anonymous, type Caller, Database } from '@signed-registry/core'

import { GetDocument, RegisterDocument } from '@signed-registry/core/documents'
import { NotifyDocument, NotifyPackage } from '@signed-registry/core/mail'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { SignPackage } from '@signed-registry/core/packages'
import { SaveUserSettings } from '@signed-registry/core/settings'
import type { Subject } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { EventPublisher } from '#core/events/index.js'
import { MailKeys, RecipientStore } from '#core/mail/recipients.js'
import { TellExpiredQuotas } from '#core/originals/index.js'
import { ArchiveAccounts } from '#core/settings/index.js'
import { headCaller, personCaller, systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { CONTRACT, MailStory } from '../../support/mail-story.js'
import { fixedPackage, signaturesOver } from '../../support/packages.js'
import { rejectionOf } from '../../support/refusal.js'
import type { TestRegistry } from '../../support/registry.js'
import { SmtpSink } from '../../support/smtp-sink.js'

const DAY = 24 * 60 * 60_000
const A = 'BIN900140000017'

describe('mail', () => {
  forEachDatabase((open) => {
    let story: MailStory
    let test: TestRegistry
    let sink: SmtpSink

    before(async () => {
      sink = await SmtpSink.start()
    })
    after(() => sink.close())
    beforeEach(async () => {
      sink.forget()
      story = await MailStory.begin(open, sink)
      test = story.test
    })
    afterEach(() => story.close())

    describe('of type 1', () => {
      it('goes to each address of a completed registration, and names the signer', async () => {
        const { documentId } = await story.register({ emailNotifications: { to: ['a@example.kz', 'b@example.kz'] } })
        await story.settle()
        expect(sink.recipients).to.deep.equal([])
        await story.fix(documentId)
        await sink.came(2)
        await story.settle()
        expect(sink.recipients).to.deep.equal(['a@example.kz', 'b@example.kz'])
        const { subject, text = '', html = '', from } = story.only('a@example.kz')
        expect(from).to.deep.equal({ name: 'Registry', address: 'registry@example.kz' })
        expect(subject).to.equal('Document signed: Contract.txt')
        for (const part of [text, html]) {
          expect(part).to.contain('ТЕСТОВ ТЕСТ').and.to.contain(`http://127.0.0.1:8080/d/${documentId}`)
        }
        expect(text).not.to.contain('850101300012')
        expect((await story.kept(documentId)).map(({ state }) => state)).to.deep.equal(['delivered', 'delivered'])
      })

      it('goes only once to two spellings of an address', async () => {
        const to = ['Name@Example.kz', 'name@example.kz', 'name@EXAMPLE.KZ']
        const { documentId } = await story.register({ emailNotifications: { to } })
        await story.fix(documentId)
        await sink.came(1)
        await story.settle()
        expect(sink.recipients).to.deep.equal(['Name@example.kz'])
      })

      it('is written in the requested languages, one block each', async () => {
        const { documentId } = await story.register({ emailNotifications: { to: ['a@example.kz'], language: 'kk/ru' } })
        await story.fix(documentId)
        await sink.came(1)
        const { subject, text = '', html = '' } = story.only('a@example.kz')
        expect(subject).to.equal('Құжатқа қол қойылды: Contract.txt / Подписан документ: Contract.txt')
        for (const part of [text, html]) {
          expect(part.indexOf('Қол қойылған құжат тіркелді')).to.be.lessThan(part.indexOf('Открыть документ'))
        }
      })
    })

    it('of type 6 names the organization that sent a document, and no signer', async () => {
      const caller = systemCaller({ bin: A })
      const { documentId } = await test.registry.get(RegisterDocument).execute(caller, {
        request: { title: 'Offer', emailNotifications: { to: ['a@example.kz'] } },
      })
      await story.fix(documentId, { caller })
      await sink.came(1)
      await story.settle()
      const { subject, text } = story.only('a@example.kz')
      expect(subject).to.equal('A document for you: Offer')
      expect(text).to.contain(`Organization: ${A}`).and.not.to.contain('Signed by')
    })

    describe('about a signature', () => {
      const SECOND = '860101300019'
      const enable = (iin: string, email: string) =>
        test.registry.get(SaveUserSettings).execute(personCaller(`IIN${iin}`), {
          request: { email, emailNotificationsEnabled: true },
        })

      it('goes to the registration’s addresses (type 2), to earlier signers who want it (3), and to requested addresses', async () => {
        await enable('850101300012', 'first@example.kz')
        const { documentId } = await story.register({ emailNotifications: { to: ['list@example.kz'] } })
        await story.fix(documentId)
        await sink.came(1)
        sink.got.length = 0
        await story.sign(documentId, story.person(SECOND), ['asked@example.kz'])
        await sink.came(3)
        await story.settle()
        expect(sink.recipients).to.deep.equal(['asked@example.kz', 'first@example.kz', 'list@example.kz'])
        const shown = await test.registry.get(GetDocument).execute(anonymous, { id: documentId })
        expect(shown.signatureEmailNotifications.map(({ signId: _, ...asked }) => asked)).to.deep.equal([
          { to: ['asked@example.kz'], doNotAttachDocument: false },
        ])
        expect(story.only('list@example.kz').subject).to.equal('New signature: Contract.txt')
        expect(story.only('first@example.kz').subject).to.contain('you signed')
      })

      it('goes by own settings (3) to those who unsubscribed from mail that others ask for', async () => {
        await enable('850101300012', 'first@example.kz')
        const { documentId } = await story.register()
        await story.fix(documentId)
        const recipient = await test.registry.get(MailKeys).recipient('first@example.kz')
        await test.registry.get(RecipientStore).refuse(recipient, 'signatures')
        await story.sign(documentId, story.person(SECOND), ['first@example.kz'])
        await sink.came(1)
        await story.settle()
        expect(story.only('first@example.kz').subject).to.contain('you signed')
        await test.registry.get(RecipientStore).refuse(recipient, 'ownDocuments')
        await story.sign(documentId, story.person('870101300016'), ['first@example.kz'])
        await story.settle()
        expect(sink.recipients).to.deep.equal(['first@example.kz'])
      })

      it('does not go to the signer, by settings or by certificate, nor twice to one address', async () => {
        await enable('850101300012', 'first@example.kz')
        await enable(SECOND, 'own@example.kz')
        const to = ['own@example.kz', 'certificate@example.kz', 'first@example.kz']
        const { documentId } = await story.register({ emailNotifications: { to } })
        await story.fix(documentId)
        await sink.came(3)
        sink.got.length = 0
        await story.sign(documentId, story.person(SECOND, 'certificate@example.kz'))
        await sink.came(1)
        await story.settle()
        expect(sink.recipients).to.deep.equal(['first@example.kz'])
        expect(story.only('first@example.kz').subject).to.equal('New signature: Contract.txt')
      })

      it('does not go to a signer who has not turned it on', async () => {
        const { documentId } = await story.register({}, story.person('850101300012', 'first@example.kz'))
        await story.fix(documentId)
        await story.sign(documentId, story.person(SECOND))
        expect(await story.kept(documentId)).to.deep.equal([])
      })
    })

    describe('about a package', () => {
      const named = (iin: string) => personCaller(`IIN${iin}`)

      it('of type 7 is sent when it is complete', async () => {
        const { packageId } = await fixedPackage(test, {
          title: 'Deal',
          caller: named('850101300012'),
          emailNotifications: { to: ['a@example.kz'] },
        })
        await sink.came(1)
        await story.settle()
        const { subject, text } = story.only('a@example.kz')
        expect(subject).to.equal('Package of documents: Deal')
        expect(text).to.contain(`/p/${packageId}`).and.to.contain('Documents: 3')
      })

      it('covers all its signatures in one mail', async () => {
        await test.registry.get(SaveUserSettings).execute(named('850101300012'), {
          request: { email: 'first@example.kz', emailNotificationsEnabled: true },
        })
        const { packageId, originals } = await fixedPackage(test, { caller: named('850101300012') })
        const signAll = (signer: Subject, to: string[] = []) =>
          test.registry.get(SignPackage).execute(anonymous, {
            packageId,
            request: { signatures: signaturesOver(originals, signer), signatureEmailNotifications: { to } },
          })
        await signAll(story.person())
        await story.settle()
        expect(sink.recipients).to.deep.equal([])
        await signAll(story.person('860101300019'), ['asked@example.kz'])
        await sink.came(2)
        await story.settle()
        expect(sink.recipients).to.deep.equal(['asked@example.kz', 'first@example.kz'])
        expect(story.only('asked@example.kz').subject).to.equal('Package signed: untitled')
        expect(story.only('first@example.kz').subject).to.contain('package you signed')
      })
    })

    describe('on request', () => {
      const caller = personCaller('IIN850101300012')
      const notify = (id: string, to: string[], by: Caller = caller) =>
        test.registry.get(NotifyDocument).execute(by, { id, request: { emailNotifications: { to } } })

      it('is sent at any time, and again for the next request', async () => {
        const { documentId } = await story.register()
        const answer = { documentId, emailNotifications: { attached: false } }
        expect(await notify(documentId, ['a@example.kz'])).to.deep.equal(answer)
        expect(await notify(documentId, ['a@example.kz'])).to.deep.equal(answer)
        await sink.came(2)
        const [first, second] = sink.to('a@example.kz')
        expect(first?.messageId).not.to.equal(second?.messageId)
        expect(first?.text).to.contain('Not attached (Contract.txt): the service does not keep the original.')
      })

      it('is refused to strangers, for invalid addresses and for too many', async () => {
        const { documentId } = await story.register()
        const hidden = await story.register({ settings: { private: true } }, story.person('860101300019'))
        const many = Array.from({ length: 21 }, (_, n) => `a${n}@example.kz`)
        const codes = await Promise.all([
          rejectionOf(notify(documentId, ['a@example.kz'], anonymous)),
          rejectionOf(notify(hidden.documentId, ['a@example.kz'])),
          rejectionOf(notify(documentId, ['a@example.kz\r\nBcc: b@example.kz'])),
          rejectionOf(notify(documentId, many)),
        ])
        expect(codes.map(({ code }) => code)).to.deep.equal([
          'authenticationRequired',
          'accessDenied',
          'invalidNotificationEmail',
          'tooManyNotificationEmails',
        ])
        expect(await story.kept(documentId)).to.deep.equal([])
      })

      it('attaches originals in temporary storage; for a package those that the caller may read', async () => {
        const settings = { tempStorageAfterRegistration: DAY }
        const { documentId } = await story.register({ settings })
        await story.fix(documentId)
        expect((await notify(documentId, ['a@example.kz'])).emailNotifications).to.deep.equal({ attached: true })
        const owner = personCaller('IIN860101300019')
        const { packageId } = await fixedPackage(test, {
          caller: owner,
          documentsSettings: { ...settings, private: true },
        })
        const notifyPackage = (by: Caller, to: string) =>
          test.registry.get(NotifyPackage).execute(by, { packageId, request: { emailNotifications: { to: [to] } } })
        expect((await notifyPackage(owner, 'owner@example.kz')).emailNotifications).to.deep.equal({ attached: true })
        expect((await notifyPackage(caller, 'other@example.kz')).emailNotifications).to.deep.equal({ attached: false })
        await sink.came(3)
        const [attachment] = story.only('a@example.kz').attachments
        expect(attachment?.filename).to.equal('Contract.txt')
        expect(Buffer.from(attachment?.content as ArrayBuffer)).to.deep.equal(CONTRACT)
        expect(story.only('owner@example.kz').attachments).to.have.length(3)
        expect(story.only('other@example.kz').attachments).to.have.length(0)
      })
    })

    describe('about an account', () => {
      const owner = personCaller('IIN850101300012')
      const archiving = { dataArchiveEnabled: true, dataArchiveContactEmail: 'archive@example.kz' }

      it('is sent once when the archive quota is exceeded (type 4), and when an additional one has expired (5)', async () => {
        const { registry, clock } = test
        await registry.get(SaveUserSettings).execute(owner, { request: archiving })
        const quota = { bytes: 1, expires: clock.now() + DAY }
        await registry.get(ArchiveAccounts).setQuota(owner.iin, quota, 'admin')
        await story.complete([])
        await sink.came(1)
        const second = Buffer.from('second')
        const { documentId } = await story.register({}, undefined, second)
        await story.fix(documentId, { original: second })
        await story.settle()
        const { subject, text, headers } = story.only('archive@example.kz')
        expect(subject).to.equal('Archive quota exceeded')
        expect(text).to.contain(`Owner: ${owner.iin}`)
        expect(headers.map(({ key }) => key)).not.to.include('list-unsubscribe')
        clock.time += 2 * DAY
        for (let n = 0; n < 2; n += 1) await registry.get(TellExpiredQuotas).run()
        await sink.came(2)
        await story.settle()
        expect(sink.got.map(({ mail }) => mail.subject).sort()).to.deep.equal([
          'Additional archive quota expired',
          'Archive quota exceeded',
        ])
      })

      it('tells an organization that a webhook is paused', async () => {
        await test.registry.get(SaveOrganizationSettings).execute(headCaller({ bin: A }), {
          request: { subscriptionContactEmail: 'owner@example.kz' },
        })
        const paused = { type: 'webhookPaused', businessId: A, url: 'https://hooks.example/a' } as const
        const { registry } = test
        await registry.get(Database).transaction(() => registry.get(EventPublisher).publish(paused))
        await sink.came(1)
        expect(story.only('owner@example.kz').text).to.contain('Address: https://hooks.example/a')
      })
    })
  })
})
