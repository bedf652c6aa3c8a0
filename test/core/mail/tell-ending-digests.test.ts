import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { SaveUserSettings } from '@signed-registry/core/settings'
import { defaultAlgorithmPolicy } from '@signed-registry/verifier'
import { expect } from 'chai'
import { ListEndingDigests } from '#core/documents/list-ending-digests.js'
import { TellEndingDigests } from '#core/mail/tell-ending-digests.js'
import { BIN, headCaller, personCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { MailStory } from '../../support/mail-story.js'
import { DAY, testClock } from '../../support/pki/authorities.js'
import { SmtpSink } from '../../support/smtp-sink.js'

const SHA256 = '2.16.840.1.101.3.4.2.1'
const PERSON = 'signer@example.kz'
const ORGANIZATION = 'archive@example.kz'

describe('mail about digests that end', () => {
  forEachDatabase((open) => {
    let story: MailStory
    let sink: SmtpSink
    before(async () => {
      sink = await SmtpSink.start()
    })
    after(() => sink.close())
    beforeEach(async () => {
      sink.forget()
      const digestsTrustedUntil = { [SHA256]: testClock().now() + 200 * DAY }
      const algorithms = { ...defaultAlgorithmPolicy, digestsTrustedUntil }
      story = await MailStory.begin(open, sink, { signaturePolicy: { algorithms } })
    })
    afterEach(() => story.close())

    const iin = personCaller().iin.slice(3)
    async function signed(count: number): Promise<void> {
      for (let n = 0; n < count; n += 1) {
        const employee = story.test.authorities.employee({ iin: '900101300020', bin: BIN.slice(3) })
        for (const signer of [story.person(iin), employee]) {
          const original = Buffer.from(`contract ${n}`)
          const { documentId } = await story.register({}, signer, original)
          await story.fix(documentId, { original })
        }
      }
    }
    async function told(count: number) {
      await story.test.registry.get(TellEndingDigests).run()
      await sink.came(count)
      await story.settle()
      expect(sink.got).to.have.length(count)
    }

    it('is one for each owner, with how many documents, until when and a link, and only once', async () => {
      await story.test.registry.get(SaveUserSettings).execute(personCaller(), { request: { email: PERSON } })
      await story.test.registry
        .get(SaveOrganizationSettings)
        .execute(headCaller(), { request: { dataArchiveContactEmail: ORGANIZATION } })
      await signed(3)
      await told(0)
      await story.test.registry.get(ListEndingDigests).run()
      await told(2)
      for (const [to, query] of [
        [PERSON, 'digestsEnding=true'],
        [ORGANIZATION, 'digestsEnding=true&of=organization'],
      ] as const) {
        const { subject, text = '' } = story.only(to)
        expect(subject).to.equal('Bring originals again')
        expect(text).to.contain('Documents: 3\n').and.to.contain('Hash: SHA-256\n')
        expect(text).to.match(/^Trusted until: \d/m)
        expect(text).to.contain(`/documents?${query}\n`)
      }
      story.test.clock.time += DAY
      await story.test.registry.get(ListEndingDigests).run()
      await Promise.all([
        story.test.registry.get(TellEndingDigests).run(),
        story.test.registry.get(TellEndingDigests).run(),
      ])
      await told(2)
    })

    it('waits for an address', async () => {
      await signed(1)
      await story.test.registry.get(ListEndingDigests).run()
      await told(0)
      await story.test.registry.get(SaveUserSettings).execute(personCaller(), { request: { email: PERSON } })
      await Promise.all([
        story.test.registry.get(TellEndingDigests).run(),
        story.test.registry.get(TellEndingDigests).run(),
      ])
      await told(1)
      expect(story.only(PERSON).text).to.contain('Documents: 1\n')
    })
  })
})
