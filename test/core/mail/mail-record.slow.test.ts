import {
  anonymous,
  type Caller,
  ContentScanner,
  type NotificationRecord,
  provideValue,
  type ScanVerdict,
} from '@signed-registry/core'

import { AddSignature, RegisterDocument } from '@signed-registry/core/documents'
import { ListDocumentMails, ListPackageMails, NotifyDocument } from '@signed-registry/core/mail'
import { SignPackage } from '@signed-registry/core/packages'
import { BeginDocumentProcedure, BeginPackageProcedure } from '@signed-registry/core/procedures'
import { expect } from 'chai'
import { openDatabase } from '#core/database/open.js'
import { headCaller, personCaller, systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { CONTRACT, MailStory } from '../../support/mail-story.js'
import { fixedPackage, signaturesOver } from '../../support/packages.js'
import { followLink } from '../../support/procedures-in-process.js'
import { rejectionOf } from '../../support/refusal.js'
import { SmtpSink } from '../../support/smtp-sink.js'
import { until } from '../../support/until.js'

const [A, B, C] = ['a@example.kz', 'b@example.kz', 'c@example.kz']
const [FIRST, SECOND] = [personCaller('IIN850101300012'), personCaller('IIN860101300019')]
const BIN = 'BIN900140000017'

describe('the list of requested mails', () => {
  forEachDatabase((open) => {
    let story: MailStory
    let sink: SmtpSink
    let verdict: ScanVerdict
    const scanner: ContentScanner = {
      async scan(bytes) {
        for await (const _ of bytes);
        return verdict
      },
    }

    before(async () => {
      sink = await SmtpSink.start()
    })
    after(() => sink.close())
    beforeEach(async () => {
      sink.forget()
      verdict = { verdict: 'clean' }
      const plugins = [{ name: 'scanner', provides: [provideValue(ContentScanner, scanner)] }]
      story = await MailStory.begin(open, sink, { plugins, limits: { mailsPerRecipientPerHour: 1, itemsPerPage: 3 } })
    })
    afterEach(() => story.close())

    const list = (id: string, caller: Caller = FIRST, query: { until?: number; dataSecret?: string } = {}) =>
      story.test.registry.get(ListDocumentMails).execute(caller, { id, query })
    const settled = async (id: string, caller: Caller = FIRST) => {
      await tried(() => list(id, caller))
      return (await list(id, caller)).notifications
    }
    /** Waits until the mail server was asked for each mail. */
    const tried = (read: () => Promise<{ notifications: readonly NotificationRecord[] }>) =>
      until(async () =>
        (await read()).notifications.every(({ state, code }) => state !== 'waiting' || code !== undefined),
      )
    /** By address, without what differs from run to run. */
    const brief = (notifications: Awaited<ReturnType<typeof settled>>) =>
      notifications
        .map(({ notificationId: _, createdAt: __, sentAt, nextAttemptAt, ...one }) => ({
          ...one,
          ...(sentAt !== undefined && { isSent: true }),
          ...(nextAttemptAt !== undefined && { isTried: true }),
        }))
        .sort((a, b) => (a.to < b.to ? -1 : 1))

    it('says what was sent, refused or waits, and which originals were left out and why', async () => {
      const said: Record<string, { code: number; text: string }> = {
        [B]: { code: 550, text: '5.1.1 nobody here' },
        [C]: { code: 451, text: 'later' },
      }
      sink.recipient = (to) => said[to]
      verdict = { verdict: 'infected', name: 'Eicar' }
      const { documentId } = await story.complete([A, B, C])
      const left = { attached: 0, notAttached: [{ documentId, reason: 'infected' }] }
      expect(brief(await settled(documentId))).to.deep.equal([
        { to: A, type: 1, state: 'sent', isSent: true, ...left },
        { to: B, type: 1, state: 'refused', code: 550, mailboxNotFound: true, ...left },
        { to: C, type: 1, state: 'waiting', code: 451, isTried: true, ...left },
      ])
    })

    it('counts attached originals, and says that a mail was withheld, but not why', async () => {
      const { documentId } = await story.complete([A])
      const sent = { to: A, type: 1, state: 'sent', isSent: true, attached: 1, notAttached: [] }
      expect(brief(await settled(documentId))).to.deep.equal([sent])
      story.test.clock.time += 1000
      await story.test.registry.get(NotifyDocument).execute(FIRST, {
        id: documentId,
        request: { emailNotifications: { to: [A] } },
      })
      expect(brief(await settled(documentId))).to.deep.equal([
        { to: A, type: 1, state: 'withheld', attached: 0, notAttached: [] },
        sent,
      ])
    })

    it('is shown only to those who asked for the mails', async () => {
      const { documentId } = await story.complete([A])
      story.test.clock.time += 1000
      await story.sign(documentId, story.person(SECOND.iin.slice(3)), ['second@example.kz'])
      const types = async (caller: Caller) => (await settled(documentId, caller)).map(({ to, type }) => [to, type])
      // The addresses of the registration are its registrator's, whoever signs later.
      expect(await types(FIRST)).to.deep.equal([
        [A, 2],
        [A, 1],
      ])
      expect(await types(SECOND)).to.deep.equal([['second@example.kz', 2]])
      expect(await types(personCaller('IIN870101300016'))).to.deep.equal([])
      expect((await rejectionOf(list(documentId, anonymous))).code).to.equal('authenticationRequired')
      const hidden = await story.register({ settings: { private: true } }, story.person('880101300012'))
      expect((await rejectionOf(list(hidden.documentId))).code).to.equal('accessDenied')
      expect((await rejectionOf(list('AAAAAAAAAAAAAAAA'))).code).to.equal('documentNotFound')
    })

    it('of a system is shown to it and to employees with documentsAccess, also for signatures that it sent', async () => {
      const { registry } = story.test
      const system = systemCaller({ bin: BIN })
      const { documentId } = await registry.get(RegisterDocument).execute(system, {
        request: { title: 'Offer', emailNotifications: { to: [A] } },
      })
      await story.fix(documentId, { caller: system })
      const signature = story.person().signCms(CONTRACT, { timeStamp: true, ocsp: true }).toString('base64')
      const request = { signature, signatureEmailNotifications: { to: [B] } }
      story.test.clock.time += 1000
      await registry.get(AddSignature).execute(system, { id: documentId, request })
      const [head, clerk] = [headCaller({ bin: BIN }), headCaller({ bin: BIN, authorities: [] })]
      for (const caller of [system, head])
        expect((await settled(documentId, caller)).map(({ to, type }) => [to, type])).to.have.deep.members([
          [B, 2],
          [A, 2],
          [A, 6],
        ])
      expect(await settled(documentId, clerk)).to.deep.equal([])
      expect(await settled(documentId)).to.deep.equal([])
    })

    it('of a procedure is shown to whoever began it and pays, and not to the signer by phone', async () => {
      const { registry } = story.test
      const settings = { tempStorageAfterRegistration: 60_000 }
      const { documentId } = await story.complete([], { settings })
      const { packageId } = await fixedPackage(story.test, { caller: FIRST, documentsSettings: settings })
      const system = systemCaller({ bin: BIN })
      const asked = { description: '', signatureEmailNotifications: { to: [B] } }
      const signByPhone = async (begun: { govMobileLaunchLink: string }) => {
        const phone = await followLink(registry, begun)
        const { documentsToSign, ...rest } = JSON.parse(String(await phone.documents()))
        const signed = documentsToSign.map((one: { document: { file: { data: string } } }) => {
          const original = Buffer.from(one.document.file.data, 'base64')
          const signature = story.person(SECOND.iin.slice(3)).signCms(original, { timeStamp: true, ocsp: true })
          return { ...one, document: { file: { mime: '', data: signature.toString('base64') } } }
        })
        await phone.answer({ ...rest, documentsToSign: signed })
        story.test.clock.time += 1000
      }
      await signByPhone(await registry.get(BeginDocumentProcedure).execute(system, { id: documentId, request: asked }))
      await signByPhone(await registry.get(BeginPackageProcedure).execute(system, { packageId, request: asked }))
      const listOf = async (caller: Caller) => [
        ...(await settled(documentId, caller)),
        ...(await registry.get(ListPackageMails).execute(caller, { packageId })).notifications,
      ]
      expect((await listOf(system)).map(({ to, type }) => [to, type])).to.deep.equal([
        [B, 2],
        [B, 2],
      ])
      for (const other of [SECOND, FIRST]) expect(await listOf(other)).to.deep.equal([])
      const knex = openDatabase(String(story.test.database))
      const payers = await knex('registry_mail_contacts').distinct().pluck('payer')
      await knex.destroy()
      expect(payers).to.deep.equal([BIN])
    })

    it('comes in pages, newest first', async () => {
      const { documentId } = await story.complete([A])
      const { registry, clock } = story.test
      for (const to of ['1@example.kz', '2@example.kz', '3@example.kz']) {
        clock.time += 1000
        const request = { emailNotifications: { to: [to] } }
        await registry.get(NotifyDocument).execute(FIRST, { id: documentId, request })
      }
      const first = await settled(documentId)
      expect(first.map(({ to }) => to)).to.deep.equal(['3@example.kz', '2@example.kz', '1@example.kz'])
      const rest = await list(documentId, FIRST, { until: first.at(-1)?.createdAt ?? 0 })
      expect(rest.notifications.map(({ to }) => to)).to.deep.equal([A])
    })

    describe('of a package', () => {
      const listed = async (packageId: string, caller: Caller, query: { dataSecret?: string } = {}) => {
        const read = () => story.test.registry.get(ListPackageMails).execute(caller, { packageId, query })
        await tried(read)
        const { notifications } = await read()
        return notifications.map(({ to, type, state }) => [to, type, state])
      }

      it('is shown to its registrant, including mails about signatures under all documents', async () => {
        const { packageId, originals } = await fixedPackage(story.test, {
          caller: FIRST,
          emailNotifications: { to: [A] },
        })
        // The mail that comes first has been sent, and the next one is too many.
        expect(await listed(packageId, FIRST)).to.deep.equal([[A, 7, 'sent']])
        story.test.clock.time += 1000
        await story.test.registry.get(SignPackage).execute(anonymous, {
          packageId,
          request: {
            signatures: signaturesOver(originals, story.person(SECOND.iin.slice(3))),
            signatureEmailNotifications: { to: [B] },
          },
        })
        expect(await listed(packageId, FIRST)).to.deep.equal([
          [A, 2, 'withheld'],
          [A, 7, 'sent'],
        ])
        expect(await listed(packageId, SECOND)).to.deep.equal([[B, 2, 'sent']])
      })

      it('that was registered anonymously is shown with its secret', async () => {
        const { packageId, documentsIds, dataSecret } = await story.strangersPackage([A])
        expect(await listed(packageId, anonymous, { dataSecret })).to.deep.equal([[A, 7, 'sent']])
        expect(await listed(packageId, FIRST)).to.deep.equal([])
        for (const given of [{}, { dataSecret: 'wrong' }])
          expect((await rejectionOf(listed(packageId, anonymous, given))).code).to.equal('authenticationRequired')
        await story.sign(documentsIds[0] ?? '', story.person())
        await tried(() => list(documentsIds[0] ?? '', anonymous, { dataSecret }))
        const { notifications } = await list(documentsIds[0] ?? '', anonymous, { dataSecret })
        expect(notifications.map(({ to, type }) => [to, type])).to.deep.equal([[A, 2]])
      })

      it('from before there were secrets is not shown with any secret', async () => {
        const { packageId, documentsIds } = await story.strangersPackage([A])
        const knex = openDatabase(String(story.test.database))
        await knex('registry_packages').where({ id: packageId }).update({ data_secret_digest: null })
        await knex.destroy()
        for (const asking of [
          listed(packageId, anonymous, { dataSecret: 'any' }),
          list(documentsIds[0] ?? '', anonymous, { dataSecret: 'any' }),
        ])
          expect((await rejectionOf(asking)).code).to.equal('authenticationRequired')
      })
    })
  })
})
