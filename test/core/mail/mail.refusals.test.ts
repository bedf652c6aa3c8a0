import { Database } from '@signed-registry/core'

import { AddSignature, RegisterDocument } from '@signed-registry/core/documents'
import { NotifyDocument, NotifyPackage } from '@signed-registry/core/mail'
import { RegisterPackage, SignPackage } from '@signed-registry/core/packages'
import { expect } from 'chai'
import { renderMail } from '#core/mail/render-mail.js'
import { personCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { CONTRACT, MailStory } from '../../support/mail-story.js'
import { fixedPackage, signaturesOver, UNTITLED } from '../../support/packages.js'
import { rejectionOf } from '../../support/refusal.js'
import { SmtpSink } from '../../support/smtp-sink.js'

const TABLES = [
  'registry_documents',
  'registry_signatures',
  'registry_packages',
  'registry_procedures',
  'registry_deliveries',
]
const caller = personCaller('IIN850101300012')

describe('requests for mail', () => {
  forEachDatabase((open) => {
    let story: MailStory
    let sink: SmtpSink
    before(async () => {
      sink = await SmtpSink.start()
      story = await MailStory.begin(open, sink)
    })
    after(async () => {
      await story.close()
      await sink.close()
    })

    it('with invalid or too many addresses or an unknown language are refused everywhere; nothing is stored', async () => {
      const { registry } = story.test
      const [first, other] = [story.person(), story.person('860101300019')]
      const { documentId: id } = await story.register({}, first)
      await story.fix(id)
      const { packageId, originals } = await fixedPackage(story.test, { caller, count: 1 })
      const signed = (signer = other) => signer.signCms(CONTRACT, { timeStamp: true, ocsp: true }).toString('base64')
      const operations: Record<string, (asked: { to: string[]; language?: string }) => Promise<unknown>> = {
        'POST /api': (emailNotifications) =>
          registry.get(RegisterDocument).execute(caller, { request: { signature: signed(), emailNotifications } }),
        'POST /api/{id}': (asked) =>
          registry
            .get(AddSignature)
            .execute(caller, { id, request: { signature: signed(), signatureEmailNotifications: asked } }),
        'POST /api/{id}/notify': (emailNotifications) =>
          registry.get(NotifyDocument).execute(caller, { id, request: { emailNotifications } }),
        'POST /api/package': (emailNotifications) =>
          registry.get(RegisterPackage).execute(caller, {
            request: { ...UNTITLED, documents: [UNTITLED], emailNotifications },
          }),
        'POST /api/package/{packageId}': (asked) =>
          registry.get(SignPackage).execute(caller, {
            packageId,
            request: { signatures: signaturesOver(originals, other), signatureEmailNotifications: asked },
          }),
        'POST /api/package/{packageId}/notify': (emailNotifications) =>
          registry.get(NotifyPackage).execute(caller, { packageId, request: { emailNotifications } }),
      }
      const wrong = {
        tooManyNotificationEmails: { to: Array.from({ length: 21 }, (_, n) => `a${n}@example.kz`) },
        invalidNotificationEmail: { to: ['a@example.kz', 'b@example.kz\r\nBcc: c@example.kz'] },
        invalidNotificationLanguage: { to: ['a@example.kz'], language: 'kk/de' },
      }
      const counts = async () =>
        Promise.all(TABLES.map((table) => registry.get(Database).query(table).count({ n: '*' }).first()))
      const before = await counts()
      for (const [name, execute] of Object.entries(operations)) {
        for (const [code, asked] of Object.entries(wrong)) {
          expect((await rejectionOf(execute(asked))).code, name).to.equal(code)
        }
      }
      expect(await counts()).to.deep.equal(before)
    })
  })

  it('never let users’ text begin a line, a header or markup of ours', () => {
    const hostile = 'x\r\nBcc: other@example.kz\u2028<b>\u202e"\u0000'
    const facts = ['document', 'description', 'signer', 'organization', 'subscription'].map((label) => ({
      label,
      value: hostile,
    }))
    const { subject, text, html } = renderMail(
      [
        {
          ...{ language: 'en', subject: `New: ${hostile}`, heading: 'New', line: 'Look.', facts, notes: [] },
          ...{ action: { label: 'Open', url: 'https://registry.example/d/1' }, reason: 'Why', unsubscribe: 'No more' },
        },
      ],
      { service: 'Registry', unsubscribeUrl: undefined },
    )
    expect(subject).to.equal('New: x Bcc: other@example.kz <b> "')
    expect(text.split('\n').filter((line) => line.includes('Bcc'))).to.deep.equal(
      facts.map(({ label }) => `${label}: x Bcc: other@example.kz <b> "`),
    )
    expect(html)
      .to.include('x Bcc: other@example.kz &lt;b&gt; &quot;')
      .and.not.match(/<b>|[\u202e\u2028\0]/)
  })
})
