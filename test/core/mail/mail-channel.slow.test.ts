import { expect } from 'chai'
import { DeliveryQueue } from '#core/deliveries/delivery-queue.js'
import { MAIL_CHANNEL } from '#core/mail/mail-channel.js'
import { MailKeys, RecipientStore } from '#core/mail/recipients.js'
import { MailBudget } from '#core/notifications/index.js'
import { forEachDatabase } from '../../support/databases.js'
import { MailStory } from '../../support/mail-story.js'
import { SmtpSink } from '../../support/smtp-sink.js'
import { until } from '../../support/until.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const SCHEDULE = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR, 24 * HOUR]
const [A, B, C] = ['a@example.kz', 'b@example.kz', 'c@example.kz']

describe('mail delivery problems', () => {
  forEachDatabase((open) => {
    let story: MailStory
    let sink: SmtpSink
    before(async () => {
      sink = await SmtpSink.start()
    })
    after(() => sink.close())
    beforeEach(async () => {
      sink.forget()
      story = await MailStory.begin(open, sink)
    })
    afterEach(() => story.close())

    const statesOf = async (documentId: string) =>
      Object.fromEntries(
        (await story.kept(documentId)).map(({ payload, state }) => [(payload as { to: string }).to, state]),
      )

    it('are final for a recipient whom the server refuses; the others get their mail once', async () => {
      sink.recipient = (to) => (to === B ? { code: 550, text: '5.7.1 not welcome' } : undefined)
      const { documentId } = await story.complete([A, B, C])
      await sink.came(2)
      expect(await statesOf(documentId)).to.deep.equal({ [A]: 'delivered', [B]: 'failed', [C]: 'delivered' })
      story.test.clock.time += 48 * HOUR
      await story.settle()
      expect(sink.recipients).to.deep.equal([A, C])
    })

    it('are retried after 1, 5, 15 and 60 minutes, 4, 12 and 24 hours, with the same Message-ID', async () => {
      let tried = 0
      const seen = new Set<string>()
      sink.data = () => {
        tried += 1
        return { code: 451, text: '4.3.0 later' }
      }
      const { documentId } = await story.complete([A])
      for (const [n, pause] of SCHEDULE.entries()) {
        await until(async () => tried === n + 1)
        const [delivery] = await story.kept(documentId)
        const wait = (delivery?.nextAt ?? 0) - story.test.clock.now()
        expect(wait).to.be.within(pause * 0.89, pause * 1.11)
        story.test.clock.time += wait
        if (n === SCHEDULE.length - 1) sink.data = () => undefined
        await story.settle()
      }
      await sink.came(1)
      seen.add(story.only(A).messageId ?? '')
      const [delivery] = await story.kept(documentId)
      expect(delivery).to.include({ state: 'delivered', attempts: SCHEDULE.length + 1 })
      const keys = story.test.registry.get(MailKeys)
      expect([...seen]).to.deep.equal([await keys.messageId(delivery?.eventId ?? '', A)])
    })

    it('count a mail for its recipient once, even when a host is killed while sending', async () => {
      await story.close()
      story = await MailStory.begin(open, sink, { limits: { mailsPerRecipientPerHour: 1 } })
      const { registry, clock } = story.test
      await registry.stop()
      await story.complete([A])
      const queue = registry.get(DeliveryQueue)
      const recipient = await registry.get(MailKeys).recipient(A)
      await queue.begin(await queue.claim(MAIL_CHANNEL, 1, []))
      expect(await registry.get(MailBudget).receives(recipient, 'others')).to.equal(true)
      clock.time += MINUTE
      expect(await queue.recover(MAIL_CHANNEL)).to.equal(1)
      registry.start()
      await sink.came(1)
      expect(await registry.get(MailBudget).receives(recipient, 'others')).to.equal(false)
    })

    it('make mail wait while the server is down; each is sent once when it is back', async () => {
      await sink.close()
      const addresses = Array.from({ length: 10 }, (_, n) => `name${n}@example.kz`)
      const { documentId } = await story.complete(addresses)
      for (let minutes = 0; minutes < 60; minutes += 10) {
        await story.settle()
        story.test.clock.time += 10 * MINUTE
      }
      expect(Object.values(await statesOf(documentId))).to.deep.equal(addresses.map(() => 'waiting'))
      await sink.listen()
      story.test.clock.time += 24 * HOUR
      await story.settle()
      await until(async () => {
        story.test.clock.time += HOUR
        return sink.got.length >= addresses.length
      })
      await story.settle()
      expect(sink.recipients).to.deep.equal([...addresses].sort())
    })

    it('repeat a mail with the same Message-ID when the server hung up before answering', async () => {
      let taken = 0
      sink.data = () => {
        taken += 1
        return taken === 1 ? 'drop' : undefined
      }
      const { documentId } = await story.complete([A])
      await until(async () => taken === 1)
      await story.settle()
      story.test.clock.time += 2 * MINUTE
      await sink.came(1)
      expect(await statesOf(documentId)).to.deep.equal({ [A]: 'delivered' })
    })

    it('stop mail to an address that no longer exists', async () => {
      sink.recipient = (to) => (to === A ? { code: 550, text: '5.1.1 no such mailbox' } : undefined)
      await story.complete([A, B])
      await sink.came(1)
      await story.settle()
      let asked = 0
      sink.recipient = () => {
        asked += 1
        return undefined
      }
      const { registry } = story.test
      const recipient = await registry.get(MailKeys).recipient('A@Example.kz')
      expect(await registry.get(RecipientStore).bounceOf(recipient)).to.deep.include({
        reason: '550 5.1.1 no such mailbox',
      })
      const { documentId } = await story.register({ emailNotifications: { to: [A] } }, story.person('860101300019'))
      await story.fix(documentId)
      await until(async () => (await statesOf(documentId))[A] === 'failed')
      const [delivery] = await story.kept(documentId)
      expect(delivery?.lastError).to.contain('bounced before: 550 5.1.1')
      expect(asked).to.equal(0)
    })

    it('include unsubscribing: no such mail afterwards, and a one-click header', async () => {
      await story.complete([A])
      await sink.came(1)
      const headers = new Map(story.only(A).headers.map(({ key, value }) => [key, value]))
      expect(headers.get('auto-submitted')).to.equal('auto-generated')
      expect(headers.get('list-unsubscribe-post')).to.equal('List-Unsubscribe=One-Click')
      const [, token = ''] = /\/unsubscribe\/([\w-]+)>$/.exec(headers.get('list-unsubscribe') ?? '') ?? []
      const { registry } = story.test
      const link = await registry.get(MailKeys).read(token)
      if (link === undefined) throw new Error('The link is not ours')
      await registry.get(RecipientStore).refuse(link.recipient, link.kind)
      sink.forget()
      const { documentId } = await story.register({ emailNotifications: { to: [A, B] } }, story.person('860101300019'))
      await story.fix(documentId)
      await sink.came(1)
      const kept = await story.kept(documentId)
      expect(sink.recipients).to.deep.equal([B])
      expect(kept.map(({ state }) => state)).to.deep.equal(['delivered', 'delivered'])
      await story.sign(documentId, story.person('870101300016'))
      await sink.came(3)
      expect(sink.to(A).map(({ subject }) => subject)).to.deep.equal(['New signature: Contract.txt'])
    })

    it('never turn users’ text into markup, headers or lines of ours', async () => {
      const description =
        '<img src=x onerror=alert(1)>\r\nOpen the document:\r\nhttps://evil.example/a www.evil.example \u202egnp.exe'
      const title = "b'&amp;.txt"
      const { documentId } = await story.register({ title, description, emailNotifications: { to: [A] } })
      await story.fix(documentId)
      await sink.came(1)
      const { html = '', text = '', subject = '' } = story.only(A)
      expect(html).not.to.contain('<img')
      expect(html).to.contain('&lt;img src=x onerror=alert(1)&gt;')
      expect(html).to.contain('b&#39;&amp;amp;')
      expect(text).to.contain(
        'Description: <img src=x onerror=alert(1)> Open the document: https[:]//evil[.]example/a www[.]evil[.]example gnp.exe',
      )
      expect(subject).not.to.match(/[\u202e\r\n]/)
    })
  })
})
