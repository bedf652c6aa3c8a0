import { Database, type OrganizationBranding } from '@signed-registry/core'
import { RegisterDocument } from '@signed-registry/core/documents'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { expect } from 'chai'
import { PartyNames } from '#core/parties/index.js'
import { headCaller, systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { MailStory } from '../../support/mail-story.js'
import { png } from '../../support/png.js'
import { SmtpSink } from '../../support/smtp-sink.js'

const BIN = 'BIN123456789022'
const logo = png({ width: 200, height: 100 }).toString('base64')
const LOGO = `src="http://127.0.0.1:8080/brand/${BIN}/logo.png"`

describe('letterheads of mails', () => {
  forEachDatabase((open) => {
    let sink: SmtpSink
    let story: MailStory

    before(async () => {
      sink = await SmtpSink.start()
    })
    after(() => sink.close())
    beforeEach(async () => {
      sink.forget()
      story = await MailStory.begin(open, sink)
    })
    afterEach(() => story.close())

    const brand = (branding: OrganizationBranding) =>
      story.test.registry.get(SaveOrganizationSettings).execute(headCaller({ bin: BIN }), { request: { branding } })
    /** The mail of type 6 about a document of the organization. */
    const mailed = async (language = 'en') => {
      const caller = systemCaller({ bin: BIN })
      const { documentId } = await story.test.registry.get(RegisterDocument).execute(caller, {
        request: { title: 'Offer', emailNotifications: { to: ['a@example.kz'], language } },
      })
      await story.fix(documentId, { caller })
      await sink.came(1)
      const { text = '', html = '' } = story.only('a@example.kz')
      return { text, html }
    }

    it('show the name, the colour and the logo of the organization that sent it, in the language of the mail', async () => {
      await brand({ logo, color: '#7a1f3d', name: { ru: 'Ромашка', kk: 'Түймедақ', en: 'Daisy' } })
      const { text, html } = await mailed('kk/en')
      expect(text).to.match(new RegExp(`^Түймедақ \\(${BIN}\\)\\n`))
      expect(text).to.contain(`\nDaisy (${BIN})\n`)
      expect(html).to.contain(LOGO).and.contain('#7a1f3d').and.contain('>Daisy<').and.contain(`>${BIN}<`)
    })

    it('take the name of the certificate where the organization has said no other', async () => {
      const { registry } = story.test
      const o = { oid: '2.5.4.10', name: 'O', value: 'Seller LLP', valueInB64: false }
      await registry.get(Database).transaction(async () => {
        const signer = { userId: 'IIN850101300032', businessId: BIN, subjectStructure: [[o]] }
        await registry.get(PartyNames).remember(signer, 1)
      })
      await brand({ color: '#000000' })
      const { text, html } = await mailed()
      expect(text).to.match(new RegExp(`^Seller LLP \\(${BIN}\\)\\n`))
      expect(html).not.to.contain('<img')
    })

    it('defuse what an organization calls itself', async () => {
      const en = 'Win <b> https://evil.example/x'
      await brand({ name: { ru: 'х', kk: 'х', en } })
      const { text, html } = await mailed()
      expect(text).to.contain('https[:]//evil[.]example/x')
      expect(html).to.contain('Win &lt;b&gt; https[:]//evil[.]example/x')
    })

    it('are missing where the organization has said nothing', async () => {
      const { text, html } = await mailed()
      expect(text).to.match(/^A document for you\n/)
      expect(html).not.to.contain(BIN.concat('</span>')).and.not.to.contain('<img')
    })
  })
})
