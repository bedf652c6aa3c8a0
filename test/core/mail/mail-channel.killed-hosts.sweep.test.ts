import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Database, Deliveries } from '@signed-registry/core'
import { mailerSmtp } from '@signed-registry/mailer-smtp'
import { expect } from 'chai'
import { DeliveryQueue } from '#core/deliveries/delivery-queue.js'
import { MailDeliveries } from '#core/mail/mail-subscriber.js'
import { registryWithoutAuthorities } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { fastClock } from '../../support/fast-clock.js'
import { SmtpSink } from '../../support/smtp-sink.js'
import { exhaustive } from '../../support/sweep.js'
import { until } from '../../support/until.js'

const HOST = fileURLToPath(new URL('../../support/mailing-host.js', import.meta.url))
const [MAILS, KILLS] = exhaustive ? [1000, 8] : [40, 2]

describe('mails of two hosts that are killed, through a server that fails at random', () => {
  forEachDatabase((open) => {
    it('all arrive, and repeats have the original Message-ID', async () => {
      const sink = await SmtpSink.start()
      let killed = 0
      const hosts: ChildProcess[] = []
      const database = await open()
      const beginning = Date.now()
      const options = { clock: fastClock(beginning) }
      const mailer = mailerSmtp({ url: sink.url, from: 'registry@example.kz' })
      const maker = await registryWithoutAuthorities(database, options, [mailer])
      const start = () =>
        spawn(process.execPath, [HOST, database, sink.url, String(beginning)], {
          stdio: ['pipe', 'inherit', 'inherit'],
        })
      sink.recipient = () => (randomInt(20) === 0 ? { code: 451, text: '4.3.0 later' } : undefined)
      sink.data = () => {
        if (killed < KILLS && sink.got.length >= ((killed + 1) * MAILS) / (KILLS + 1)) {
          killed += 1
          hosts.splice(randomInt(hosts.length), 1)[0]?.kill('SIGKILL')
          hosts.push(start())
        }
        return randomInt(20) === 0 ? 'drop' : undefined
      }
      hosts.push(start(), start())
      try {
        const notices = Array.from({ length: MAILS }, (_, n) => ({
          ...{ to: `name${n}@example.kz`, language: 'en', owner: 'IIN123456789011', eventId: `event${n}` },
          news: { kind: 'archiveQuotaExceeded', owner: 'IIN123456789011' } as const,
        }))
        const made = maker.get(MailDeliveries).of(notices)
        await maker.get(Database).transaction(() => maker.get(Deliveries).add(made))
        await until(async () => (await maker.get(DeliveryQueue).depth('mail')).pending === 0)
        for (const host of hosts) {
          host.stdin?.end()
          await once(host, 'exit')
        }
        expect(killed).to.equal(KILLS)
        const kept = await maker.get(Deliveries).page({ owner: 'IIN123456789011', channel: 'mail' }, MAILS)
        expect(kept.filter(({ state }) => state !== 'delivered')).to.deep.equal([])
        expect(new Set(sink.recipients)).to.deep.equal(new Set(notices.map(({ to }) => to)))
        const identifiers = new Set(sink.got.map(({ to, mail }) => `${to} ${mail.messageId}`))
        expect(identifiers.size).to.equal(MAILS)
      } finally {
        for (const host of hosts) host.kill('SIGKILL')
        await maker.close()
        await sink.close()
      }
    })
  })
})
