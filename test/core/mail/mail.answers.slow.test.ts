import { ContentScanner, provideValue, type ScanVerdict } from '@signed-registry/core'

import { NotifyDocument } from '@signed-registry/core/mail'
import { expect } from 'chai'
import { personCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { MailStory } from '../../support/mail-story.js'
import { fixedPackage } from '../../support/packages.js'
import { SmtpSink } from '../../support/smtp-sink.js'
import { until } from '../../support/until.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const A = 'a@example.kz'
const NOT_TAKEN = {
  attached: false,
  message: 'E-mail notifications could not be sent: the mail server does not take them',
}

describe('what POST /api/{id}/data answers about mails', () => {
  forEachDatabase((open) => {
    let story: MailStory
    let sink: SmtpSink
    let scan: () => Promise<ScanVerdict>
    const scanner: ContentScanner = {
      async scan(bytes) {
        for await (const _ of bytes);
        return scan()
      },
    }

    before(async () => {
      sink = await SmtpSink.start()
    })
    after(() => sink.close())
    beforeEach(async () => {
      sink.forget()
      scan = async () => ({ verdict: 'clean' })
      const plugins = [{ name: 'scanner', provides: [provideValue(ContentScanner, scanner)] }]
      story = await MailStory.begin(open, sink, { plugins })
    })
    afterEach(() => story.close())

    const answerTo = async (...to: string[]) => (await story.complete(to)).emailNotifications
    /** Registers one document, and waits until its mails were tried. */
    const tried = async (...to: string[]) => {
      const { documentId } = await story.complete(to)
      await until(async () => (await story.kept(documentId)).every(({ lastAt }) => lastAt !== undefined))
      story.test.clock.time += 1000
    }

    it('says attached unless the original is known to be infected', async () => {
      expect(await answerTo(A)).to.deep.equal({ attached: true })
    })

    it('says that sending failed when the mail server was down within the last minute', async () => {
      await sink.close()
      await tried(A)
      expect(await answerTo(A)).to.deep.equal(NOT_TAKEN)
      await sink.listen()
      story.test.clock.time += 2 * MINUTE
      expect(await answerTo(A)).to.deep.equal({ attached: true })
    })

    for (const said of [
      { code: 554, text: '5.7.1 we do not want you' },
      { code: 451, text: '4.3.0 later' },
    ])
      it(`says so where the mail server refuses everybody (${said.code}), until it takes a mail`, async () => {
        sink.recipient = () => said
        await tried(A, 'b@example.kz')
        expect(await answerTo(A)).to.deep.equal(NOT_TAKEN)
        sink.recipient = () => undefined
        await tried('c@example.kz')
        expect(await answerTo(A)).to.deep.equal({ attached: true })
      })

    it('reports no outage when one address was refused or does not exist', async () => {
      sink.recipient = () => ({ code: 554, text: '5.7.1 not to this one' })
      await tried(A)
      expect(await answerTo('b@example.kz')).to.deep.equal({ attached: true })
    })

    it('reports no outage when mailboxes do not exist', async () => {
      sink.recipient = () => ({ code: 550, text: '5.1.1 nobody here' })
      await tried(A, 'b@example.kz', 'c@example.kz')
      expect(await answerTo(A)).to.deep.equal({ attached: true })
    })

    it('is shared by all hosts of the database', async () => {
      const database = await open()
      await story.close()
      await sink.close()
      story = await MailStory.begin(async () => database, sink)
      await tried(A)
      await story.close()
      await sink.listen()
      story = await MailStory.begin(async () => database, sink)
      await story.test.registry.stop()
      expect(await answerTo(A)).to.deep.equal(NOT_TAKEN)
    })

    it('says not attached when the scanner rejects the original or fails', async () => {
      scan = async () => ({ verdict: 'infected', name: 'Eicar' })
      expect(await answerTo(A)).to.deep.equal({ attached: false })
      scan = () => Promise.reject(new Error('no scanner'))
      expect(await answerTo(A)).to.deep.equal({ attached: false })
    })

    it('waits no longer than a second for the scanner', async () => {
      let answered: (verdict: ScanVerdict) => void = () => undefined
      scan = () => new Promise((resolve) => (answered = resolve))
      expect(await answerTo(A)).to.deep.equal({ attached: true })
      answered({ verdict: 'clean' })
      await sink.came(1)
    })

    it('holds for packages and for POST /api/{id}/notify', async () => {
      const caller = personCaller('IIN850101300012')
      const { documentId } = await story.complete([], { settings: { tempStorageAfterRegistration: DAY } })
      const notify = () =>
        story.test.registry.get(NotifyDocument).execute(caller, {
          id: documentId,
          request: { emailNotifications: { to: [A] } },
        })
      expect((await notify()).emailNotifications).to.deep.equal({ attached: true })
      story.test.clock.time += DAY / 2
      scan = async () => ({ verdict: 'infected', name: 'Eicar' })
      expect((await notify()).emailNotifications).to.deep.equal({ attached: false })
      const documentsSettings = { tempStorageAfterRegistration: DAY }
      const { fixed } = await fixedPackage(story.test, {
        caller,
        documentsSettings,
        count: 2,
        emailNotifications: { to: [A] },
      })
      expect(fixed.at(-1)?.emailNotifications).to.deep.equal({ attached: false })
    })
  })
})
