import { anonymous, ContentScanner, provideValue, type ScanVerdict } from '@signed-registry/core'

import { GetDocumentData, RegisterDocument, VerifyDocument } from '@signed-registry/core/documents'
import { SaveUserSettings } from '@signed-registry/core/settings'
import { expect } from 'chai'
import { ReleaseSpool } from '#core/mail/spool.js'
import { SweepOriginals } from '#core/originals/index.js'
import { personCaller, systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { CONTRACT, MailStory } from '../../support/mail-story.js'
import { fixedPackage } from '../../support/packages.js'
import { rejectionOf } from '../../support/refusal.js'
import { testRegistry, uploadOf } from '../../support/registry.js'
import { shareDifferences } from '../../support/share-differences.js'
import { SmtpSink } from '../../support/smtp-sink.js'

const DAY = 24 * 60 * 60_000
const A = 'a@example.kz'

describe('originals in mails', () => {
  forEachDatabase((open) => {
    let story: MailStory
    let sink: SmtpSink
    let verdict: () => ScanVerdict
    const scanner: ContentScanner = {
      async scan(bytes) {
        for await (const _ of bytes);
        return verdict()
      },
    }

    before(async () => {
      sink = await SmtpSink.start()
    })
    after(() => sink.close())
    beforeEach(async () => {
      sink.forget()
      verdict = () => ({ verdict: 'clean' })
      const plugins = [{ name: 'scanner', provides: [provideValue(ContentScanner, scanner)] }]
      story = await MailStory.begin(open, sink, { plugins, limits: { mailAttachment: 1000 } })
    })
    afterEach(() => story.close())

    const attached = (address: string) =>
      story
        .only(address)
        .attachments.map(({ filename, content }) => [filename, Buffer.from(content as ArrayBuffer).toString()])
    const release = async () => {
      await story.settle()
      await story.test.registry.get(ReleaseSpool).run()
    }

    it('are attached to type 1 when uploaded, even if not archived, and kept no longer than the mail', async () => {
      sink.data = () => ({ code: 451, text: 'later' })
      const fixed = await story.complete([A])
      expect(fixed).to.deep.include({ emailNotifications: { attached: true }, dataArchived: false, tempStorage: false })
      await release()
      expect(story.store.objects.size).to.equal(1)
      const { registry } = story.test
      const read = registry.get(GetDocumentData).execute(personCaller(), { id: fixed.documentId })
      expect((await rejectionOf(read)).code).to.equal('archiveNotFound')
      sink.data = () => undefined
      story.test.clock.time += DAY
      await story.settle()
      await sink.came(1)
      expect(attached(A)).to.deep.equal([['Contract.txt', 'contract']])
      await release()
      expect(story.store.objects.size).to.equal(0)
    })

    it('are attached to type 6 when uploaded', async () => {
      const caller = systemCaller()
      const request = { title: 'Offer', emailNotifications: { to: [A] } }
      const { documentId } = await story.test.registry.get(RegisterDocument).execute(caller, { request })
      const { emailNotifications } = await story.fix(documentId, { caller })
      expect(emailNotifications).to.deep.equal({ attached: true })
      await sink.came(1)
      expect(attached(A)).to.deep.equal([['Offer', 'contract']])
    })

    it('stay in the archive and in temporary storage for as long as they are kept there', async () => {
      const settings = { tempStorageAfterRegistration: 7 * DAY }
      const { documentId } = await story.register({ emailNotifications: { to: [A] }, settings })
      await story.fix(documentId, { caller: personCaller() })
      await sink.came(1)
      await release()
      expect(story.store.objects.size).to.equal(1)
      story.test.clock.time += 3 * DAY
      await story.test.registry.get(SweepOriginals).run()
      const { registry } = story.test
      await registry.get(GetDocumentData).execute(personCaller(), { id: documentId })
      story.test.clock.time += 4 * DAY
      await registry.get(SweepOriginals).run()
      expect(story.store.objects.size).to.equal(0)
    })

    it('outlive temporary storage until the mail is sent, and are deleted then', async () => {
      sink.data = () => ({ code: 451, text: 'later' })
      await story.complete([A], { settings: { tempStorageAfterRegistration: 60_000 } })
      await story.settle()
      story.test.clock.time += 120_000
      await story.test.registry.get(SweepOriginals).run()
      expect(story.store.objects.size).to.equal(1)
      story.test.clock.time += 4 * DAY
      await story.test.registry.get(SweepOriginals).run()
      expect(story.store.objects.size).to.equal(0)
    })

    it('are archived from the spool by a verification meanwhile', async () => {
      sink.data = () => ({ code: 451, text: 'later' })
      const { documentId } = await story.complete([A])
      await story.settle()
      await story.test.registry.get(SaveUserSettings).execute(personCaller('IIN850101300012'), {
        request: { dataArchiveEnabled: true, dataArchiveContactEmail: 'archive@example.kz' },
      })
      const upload = uploadOf(CONTRACT)
      const verified = await story.test.registry.get(VerifyDocument).execute(anonymous, { id: documentId, upload })
      expect(verified.dataArchived).to.equal(true)
      expect(story.store.objects.size).to.equal(1)
    })

    it('are left out on request', async () => {
      const { emailNotifications } = await story.complete([], {
        emailNotifications: { to: [A], doNotAttachDocument: true },
      })
      expect(emailNotifications).to.deep.equal({ attached: false })
      await sink.came(1)
      expect(attached(A)).to.deep.equal([])
      expect(story.only(A).text).not.to.contain('Not attached')
    })

    it('are left out with a reason when they are too large, infected or could not be scanned', async () => {
      const large = Buffer.alloc(1001, 'a')
      const { documentId } = await story.register(
        { emailNotifications: { to: ['large@example.kz'] } },
        undefined,
        large,
      )
      const { emailNotifications } = await story.fix(documentId, { original: large })
      expect(emailNotifications).to.deep.equal({ attached: false })
      verdict = () => ({ verdict: 'infected', name: 'Eicar' })
      const infected = await story.complete(['infected@example.kz'])
      expect(infected.emailNotifications).to.deep.equal({ attached: false })
      await sink.came(2)
      verdict = () => {
        throw new Error('no scanner')
      }
      await story.complete(['unknown@example.kz'])
      await sink.came(3)
      for (const [address, reason] of [
        ['large@example.kz', 'the original is too large for an e-mail'],
        ['infected@example.kz', 'the original did not pass the virus check'],
        ['unknown@example.kz', 'the virus check is not available at the moment'],
      ] as const) {
        expect(attached(address)).to.deep.equal([])
        expect(story.only(address).text).to.contain(`Not attached (Contract.txt): ${reason}.`)
        expect(story.only(address).html).to.contain(reason)
      }
    })

    it('are scanned once for all recipients of an event, and again for mails hours later', async () => {
      const addresses = Array.from({ length: 10 }, (_, n) => `name${n}@example.kz`)
      let scans = 0
      verdict = () => {
        scans += 1
        return { verdict: 'clean' }
      }
      const { documentId } = await story.complete(addresses, { settings: { tempStorageAfterRegistration: DAY } })
      await sink.came(10)
      expect(scans).to.equal(1)
      story.test.clock.time += DAY / 2
      await story.sign(documentId, story.person('870101300016'))
      await sink.came(20)
      expect(scans).to.equal(2)
      expect(sink.got.every(({ raw }) => raw.includes('Contract.txt'))).to.equal(true)
    })

    it('are left out when the store fails, and the answer says so', async () => {
      story.store.failure = { error: new Error('the disk is gone'), after: 0 }
      const { emailNotifications } = await story.complete([A])
      expect(emailNotifications).to.deep.equal({ attached: false })
      await sink.came(1)
      expect(story.only(A).text).to.contain('Not attached (Contract.txt)')
    })

    it('are left out while the uploader’s share is used up', async () => {
      await story.close()
      const shares = { temporaryStorage: { stranger: 10 } }
      story = await MailStory.begin(open, sink, { shares, limits: { mailAttachment: 1000 } })
      sink.data = () => ({ code: 451, text: 'later' })
      const first = await story.complete([A])
      expect(first.emailNotifications).to.deep.equal({ attached: true })
      story.test.clock.time += 1000
      const second = await story.complete(['b@example.kz'])
      expect(second.emailNotifications).to.include({ attached: false })
      await story.settle()
      sink.data = () => undefined
      story.test.clock.time += DAY
      await story.settle()
      await sink.came(2)
      await release()
      expect(story.store.objects.size).to.equal(0)
      story.test.clock.time += 1000
      expect((await story.complete([A])).emailNotifications).to.deep.equal({ attached: true })
      expect(await shareDifferences(story.test.registry)).to.deep.equal([])
    })

    it('of a package are attached while there is room, from archive and temporary storage', async () => {
      const caller = personCaller()
      const documentsSettings = { tempStorageAfterRegistration: DAY }
      await fixedPackage(story.test, { caller, documentsSettings, emailNotifications: { to: [A] }, count: 2 })
      await fixedPackage(story.test, { caller, emailNotifications: { to: ['b@example.kz'] }, count: 1 })
      await sink.came(2)
      expect(attached(A).map(([name]) => name)).to.deep.equal(['0.txt', '1.txt'])
      expect(attached('b@example.kz')).to.deep.equal([])
      expect(story.only('b@example.kz').text).to.contain('the service does not keep the original')
    })

    it('are left out when the mail server refuses mails of that size', async () => {
      let refused = 0
      sink.data = () => {
        refused += 1
        return refused === 1 ? { code: 552, text: '5.3.4 too large' } : undefined
      }
      await story.complete([A])
      await sink.came(1)
      expect(attached(A)).to.deep.equal([])
      expect(story.only(A).text).to.contain('the original is too large for an e-mail')
    })

    it('are reported as not sent by POST /api/{id}/data where no plugin sends mail', async () => {
      const silent = await testRegistry(await open(), { authorities: story.test.authorities, clock: story.test.clock })
      const signature = story.person().signCms(CONTRACT, { timeStamp: true, ocsp: true }).toString('base64')
      const request = { signature, emailNotifications: { to: [A] } }
      const { documentId } = await silent.registry.get(RegisterDocument).execute(anonymous, { request })
      const plain = new MailStory(silent, story.store, sink)
      const { emailNotifications } = await plain.fix(documentId)
      expect(emailNotifications).to.deep.equal({
        attached: false,
        message: 'E-mail notifications are not available',
      })
      await silent.registry.close()
    })
  })
})
