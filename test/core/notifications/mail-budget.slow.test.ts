import type { Caller, Registry } from '@signed-registry/core'

import { GetDocument } from '@signed-registry/core/documents'
import { NotifyDocument, NotifyPackage } from '@signed-registry/core/mail'
import { SignPackage } from '@signed-registry/core/packages'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { payerOf } from '#core/notifications/index.js'
import { ForgetMailBudgets, MailBudget, type Naming } from '#core/notifications/mail-budget.js'
import { employeeCaller, personCaller, registryWithoutAuthorities, systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { MailStory } from '../../support/mail-story.js'
import { fixedPackage, signaturesOver } from '../../support/packages.js'
import { rejectionOf } from '../../support/refusal.js'
import { SmtpSink } from '../../support/smtp-sink.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** As many new addresses as anybody likes. */
const ANY_ADDRESS = { newRecipientsPerHour: 0, newSignersRecipientsPerHour: 0 }
const addresses = (count: number) => Array.from({ length: count }, (_, n) => `name${n}@example.kz`)

describe('mails that a caller asks for in an hour', () => {
  forEachDatabase((open) => {
    describe('by requests', () => {
      let story: MailStory
      let sink: SmtpSink
      before(async () => {
        sink = await SmtpSink.start()
      })
      after(() => sink.close())
      beforeEach(async () => {
        sink.forget()
        story = await MailStory.begin(open, sink, { limits: { mailsPerHour: 10, ...ANY_ADDRESS } })
      })
      afterEach(() => story.close())

      const caller = personCaller('IIN850101300012')
      const notify = (id: string, count: number, by: Caller = caller) => {
        const request = { emailNotifications: { to: addresses(count) } }
        return story.test.registry.get(NotifyDocument).execute(by, { id, request })
      }
      const kept = async (owner: string) => (await story.kept(owner)).length

      it('are refused by POST /api/{id}/notify beyond the limit, and none of the request is sent', async () => {
        const { documentId } = await story.register()
        await notify(documentId, 6)
        const { code, details } = await rejectionOf(notify(documentId, 5))
        expect({ code, details }).to.deep.equal({ code: 'mailLimitReached', details: { limit: 10, retryAfter: 360 } })
        expect(await kept(documentId)).to.equal(6)
        await notify(documentId, 4)
        story.test.clock.time += HOUR / 2
        expect((await rejectionOf(notify(documentId, 6))).code).to.equal('mailLimitReached')
        await notify(documentId, 5)
        expect(await kept(documentId)).to.equal(15)
      })

      it('are counted for packages too, and per caller: a person and the same person as an employee are two', async () => {
        const { documentId } = await story.register()
        const { packageId } = await fixedPackage(story.test, { caller })
        await notify(documentId, 6)
        const request = { emailNotifications: { to: addresses(5) } }
        const refused = story.test.registry.get(NotifyPackage).execute(caller, { packageId, request })
        expect((await rejectionOf(refused)).code).to.equal('mailLimitReached')
        expect(await kept(packageId)).to.equal(0)
        await notify(documentId, 10, employeeCaller({ iin: caller.iin }))
      })

      it('are counted for the signer who asks by signatureEmailNotifications; the signature is refused with them', async () => {
        const [signer, other] = [story.person('860101300019'), story.person('870101300016')]
        const { documentId } = await story.register()
        await story.fix(documentId)
        await story.sign(documentId, other, addresses(2))
        await notify(documentId, 9, personCaller('IIN860101300019'))
        expect((await rejectionOf(story.sign(documentId, signer, addresses(2)))).code).to.equal('mailLimitReached')
        const { signaturesTotal } = await story.test.registry.get(GetDocument).execute(caller, { id: documentId })
        expect(signaturesTotal).to.equal(2)
        expect(await kept(documentId)).to.equal(11)
        await story.sign(documentId, signer, addresses(1))
      })

      it('are counted for each signer of a package', async () => {
        const signer = story.person('860101300019')
        const { registry } = story.test
        const sign = async (to: string[]) => {
          const { packageId, originals } = await fixedPackage(story.test, { count: 1 })
          const request = { signatures: signaturesOver(originals, signer), signatureEmailNotifications: { to } }
          return registry.get(SignPackage).execute(caller, { packageId, request })
        }
        await sign(addresses(10))
        expect((await rejectionOf(sign(addresses(1)))).code).to.equal('mailLimitReached')
        await sign([])
      })
    })

    describe('on several hosts', () => {
      let hosts: Registry[]
      afterEach(() => Promise.all(hosts.map((host) => host.close())))

      const take = (host: Registry, payer = 'IIN850101300012', mails = 20) =>
        host.get(Database).transaction(() => host.get(MailBudget).take(payer, addresses(mails)))
      const rows = (host: Registry) => host.get(Database).query('registry_mail_budgets').pluck('payer')

      it('share one limit, also under concurrency', async () => {
        const database = await open()
        hosts = [
          await registryWithoutAuthorities(database, { limits: ANY_ADDRESS }),
          await registryWithoutAuthorities(database, { limits: ANY_ADDRESS }),
        ]
        const taken = await Promise.allSettled(Array.from({ length: 12 }, () => hosts.map((host) => take(host))).flat())
        expect(taken.filter(({ status }) => status === 'fulfilled')).to.have.length(10)
      })

      it('are counted in the requesting transaction, and deleted when the allowance is restored', async () => {
        const database = await open()
        const clock = { time: 1_800_000_000_000, now: () => clock.time }
        const host = await registryWithoutAuthorities(database, { clock, limits: ANY_ADDRESS })
        hosts = [host]
        const failed = host.get(Database).transaction(async () => {
          await host.get(MailBudget).take('IIN850101300012', addresses(200))
          throw new Error('no')
        })
        expect((await failed.catch((error: Error) => error)).message).to.equal('no')
        await take(host, 'IIN850101300012', 200)
        await take(host, 'IIN860101300019', 100)
        clock.time += HOUR / 2
        await host.get(ForgetMailBudgets).run()
        expect(await rows(host)).to.deep.equal(['IIN850101300012'])
        clock.time += HOUR / 2
        await host.get(ForgetMailBudgets).run()
        expect(await rows(host)).to.deep.equal([])
      })

      it('make an address known for a month', async () => {
        const clock = { time: 1_800_000_000_000, now: () => clock.time }
        const host = await registryWithoutAuthorities(await open(), { clock })
        hosts = [host]
        await take(host, 'IIN850101300012', 10)
        const { code, details } = await rejectionOf(take(host, 'IIN850101300012', 11))
        expect({ code, details }).to.deep.equal({
          code: 'mailLimitReached',
          details: { newAddresses: 1, limit: 10, retryAfter: 360 },
        })
        // Spelt otherwise it is the same address; another payer does not know it.
        const spelt = ['NAME0@Example.KZ']
        await host.get(Database).transaction(() => host.get(MailBudget).take('IIN850101300012', spelt))
        await take(host, 'IIN860101300019', 10)
        const contacts = async () => (await host.get(Database).query('registry_mail_contacts').pluck('since')).length
        expect(await contacts()).to.equal(20)
        clock.time += 30 * 24 * HOUR
        await host.get(ForgetMailBudgets).run()
        expect(await contacts()).to.equal(0)
        await take(host, 'IIN850101300012', 10)
      })

      it('are limited per address, separately for those that others name and those by settings, across hosts', async () => {
        const database = await open()
        const limits = { mailsPerHour: 3, mailsPerRecipientPerHour: 2, strangerMailsPerHour: 1 }
        hosts = [
          await registryWithoutAuthorities(database, { limits }),
          await registryWithoutAuthorities(database, { limits }),
        ]
        const received = async (named: Naming) => {
          const asked = [...hosts, ...hosts].map((host) => host.get(MailBudget).receives('code', named))
          return (await Promise.all(asked)).filter((isTaken) => isTaken).length
        }
        // What strangers send there takes nothing from the others.
        expect(await received('strangers')).to.equal(1)
        expect(await received('others')).to.equal(2)
        expect(await received('settings')).to.equal(3)
      })

      it('of anonymous callers are limited per network and in total, and leave no trace of their recipients', async () => {
        const limits = { strangerMailsPerHour: 3, strangersMailsPerHour: 5 }
        const host = await registryWithoutAuthorities(await open(), { limits })
        hosts = [host]
        const from = async (address: string, count: number) =>
          (
            await rejectionOf(take(host, payerOf({ kind: 'anonymous', address }), count)).catch(() => ({
              code: 'taken',
            }))
          ).code
        expect(await from('192.0.2.1', 4)).to.equal('mailLimitReached')
        expect(await from('192.0.2.1', 3)).to.equal('taken')
        expect(await from('192.0.2.1', 1)).to.equal('mailLimitReached')
        expect(await from('192.0.2.2', 3)).to.equal('mailLimitReached')
        expect(await from('192.0.2.2', 2)).to.equal('taken')
        expect(await host.get(Database).query('registry_mail_contacts')).to.deep.equal([])
        await take(host, 'IIN850101300012', 10)
      })

      it('count against the organization whose system asks, else against the signer', () => {
        const signer = { userId: 'IIN850101300012', businessId: 'BIN123456789012' }
        expect(payerOf(systemCaller({ bin: 'BIN210987654321' }), signer)).to.equal('BIN210987654321')
        expect(payerOf(personCaller('IIN860101300019'), signer)).to.equal('IIN850101300012 BIN123456789012')
        expect(payerOf(personCaller('IIN860101300019'))).to.equal('IIN860101300019')
      })

      it('are refused as budgets where they are invalid', async () => {
        const database = await open()
        hosts = []
        for (const mailBudgets of [{ IIN850101300012: 5 }, { BIN123456789012: 0 }, { BIN123456789012: 1.5 }]) {
          const made = registryWithoutAuthorities(database, { mailBudgets })
          expect(String(await made.catch((error: Error) => error))).to.match(/^TypeError: .* is no budget of mails$/)
        }
      })

      it('are unlimited where the limit is 0', async () => {
        const host = await registryWithoutAuthorities(await open(), { limits: { mailsPerHour: 0, ...ANY_ADDRESS } })
        hosts = [host]
        for (let n = 0; n < 3; n += 1) await take(host, 'IIN850101300012', 10_000)
        expect(await rows(host)).to.deep.equal([])
      })
    })
  })
})
