import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bouncesMaildir } from '@signed-registry/bounces-maildir'
import { anonymous } from '@signed-registry/core'

import { AcceptMail, GetMailAddresses } from '@signed-registry/core/mail'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { SaveUserSettings } from '@signed-registry/core/settings'
import { expect } from 'chai'
import { ReadBounces } from '#core/mail/read-bounces.js'
import { readReport } from '#core/mail/read-report.js'
import { MailKeys, RecipientStore } from '#core/mail/recipients.js'
import { employeeCaller, headCaller, personCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { MailStory } from '../../support/mail-story.js'
import { rejectionOf } from '../../support/refusal.js'
import { SmtpSink } from '../../support/smtp-sink.js'

const ADDRESS = 'gone@example.kz'

/** A report as Postfix writes it. */
const report = (messageId: string, { to = ADDRESS, status = '5.1.1', action = 'failed' } = {}): Buffer =>
  Buffer.from(
    [
      'From: MAILER-DAEMON@mx.example.kz (Mail Delivery System)',
      'Subject: Undelivered Mail Returned to Sender',
      'Content-Type: multipart/report; report-type=delivery-status;',
      '\tboundary="B1.2/mx.example.kz"',
      'MIME-Version: 1.0',
      '',
      'This is a MIME-encapsulated message.',
      '',
      '--B1.2/mx.example.kz',
      'Content-Type: text/plain; charset=us-ascii',
      '',
      'I am sorry.',
      '',
      '--B1.2/mx.example.kz',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example.kz',
      '',
      `Final-Recipient: rfc822; ${to}`,
      `Original-Recipient: rfc822;${to}`,
      `Action: ${action}`,
      `Status: ${status}`,
      `Diagnostic-Code: smtp; 550 ${status} <${to}>: Recipient address rejected:`,
      '    User unknown',
      '',
      '--B1.2/mx.example.kz',
      'Content-Type: text/rfc822-headers',
      '',
      'From: registry@example.kz',
      `Message-ID:`,
      ` ${messageId}`,
      '',
      '--B1.2/mx.example.kz--',
      '',
    ].join('\r\n'),
  )

describe('reports of mails that did not arrive', () => {
  it('are parsed by RFC 3464; other messages are ignored', () => {
    expect(readReport(report('<a.b@c>'))).to.deep.equal({
      messageId: '<a.b@c>',
      recipients: [
        {
          addresses: [ADDRESS, ADDRESS],
          action: 'failed',
          status: '5.1.1',
          diagnostic: `550 5.1.1 <${ADDRESS}>: Recipient address rejected: User unknown`,
        },
      ],
    })
    const whole = report('<a.b@c>').toString()
    for (const other of [
      '',
      'hello',
      whole.replace('multipart/report', 'multipart/mixed'),
      whole.replace(/Message-ID/, 'X'),
    ])
      expect(readReport(Buffer.from(other))).to.equal(undefined)
    for (let length = 0; length < whole.length; length += 13) readReport(Buffer.from(whole.slice(0, length)))
  })

  forEachDatabase((open) => {
    let story: MailStory
    let sink: SmtpSink
    let folder: string
    before(async () => {
      sink = await SmtpSink.start()
    })
    after(() => sink.close())
    beforeEach(async () => {
      sink.forget()
      folder = mkdtempSync(join(tmpdir(), 'registry-bounces-'))
      for (const name of ['new', 'cur']) mkdirSync(join(folder, name))
      // Read by these tests alone.
      const schedules = { readBounces: '0 0 1 1 *' }
      story = await MailStory.begin(open, sink, { schedules, plugins: [bouncesMaildir({ folder })] })
    })
    afterEach(async () => {
      await story.close()
      rmSync(folder, { recursive: true })
    })

    const come = async (...messages: Buffer[]) => {
      for (const [n, message] of messages.entries()) writeFileSync(join(folder, 'new', `${n}.host`), message)
      await story.test.registry.get(ReadBounces).run()
      expect(readdirSync(join(folder, 'new'))).to.deep.equal([])
    }
    const bounce = async (address = ADDRESS) => {
      const { registry } = story.test
      return registry.get(RecipientStore).bounceOf(await registry.get(MailKeys).recipient(address))
    }

    it('stop mail to an address, if they have the Message-ID that only its server knows', async () => {
      await story.complete([ADDRESS])
      await sink.came(1)
      const { messageId = '' } = story.only(ADDRESS)
      await come(
        Buffer.from('Buy now'),
        report(messageId, { to: 'other@example.kz' }),
        report('<guess.guess@127.0.0.1>'),
        report(messageId, { action: 'delayed' }),
        report(messageId, { status: '5.7.1' }),
        report(messageId, { status: '4.2.2' }),
      )
      expect(await bounce()).to.equal(undefined)
      await come(report(messageId))
      expect(await bounce()).to.deep.include({ bouncedAt: story.test.clock.now() })
      expect((await bounce())?.reason).to.contain('User unknown')
      expect(readdirSync(join(folder, 'cur')).every((name) => name.endsWith(':2,S'))).to.equal(true)
    })

    it('are shown to the owner of the address, who can allow mail again', async () => {
      const { registry } = story.test
      const [person, head] = [personCaller(), headCaller()]
      await registry.get(SaveUserSettings).execute(person, { request: { email: ADDRESS } })
      await registry
        .get(SaveOrganizationSettings)
        .execute(head, { request: { routingContactEmail: 'office@example.kz' } })
      const recipients = registry.get(RecipientStore)
      const recipient = await registry.get(MailKeys).recipient(ADDRESS)
      await recipients.bounced(recipient, '5.1.1 User unknown')
      await recipients.refuse(recipient, 'items')
      const show = registry.get(GetMailAddresses)
      const bounced = { bouncedAt: story.test.clock.now(), bounceReason: '5.1.1 User unknown' }
      const own = { owner: person.iin, field: 'email', address: ADDRESS }
      expect((await show.execute(person)).addresses).to.deep.equal([{ ...own, ...bounced, refused: ['items'] }])
      const office = { owner: head.bin, field: 'routingContactEmail', address: 'office@example.kz', refused: [] }
      expect((await show.execute(head)).addresses).to.deep.include(office)
      expect((await show.execute(employeeCaller())).addresses.map(({ address }) => address)).to.deep.equal([ADDRESS])
      const accept = registry.get(AcceptMail)
      const others = accept.execute(person, { request: { address: 'office@example.kz' } })
      expect((await rejectionOf(others)).code).to.equal('mailAddressNotFound')
      expect((await rejectionOf(show.execute(anonymous))).code).to.equal('authenticationRequired')
      const { addresses } = await accept.execute(person, { request: { address: ADDRESS } })
      expect(addresses).to.deep.equal([{ ...own, refused: [] }])
    })
  })
})
