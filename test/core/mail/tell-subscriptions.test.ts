import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { expect } from 'chai'
import { TellSubscriptions } from '#core/mail/tell-subscriptions.js'
import { Subscriptions } from '#core/organizations/subscriptions.js'
import { BIN, headCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { MailStory } from '../../support/mail-story.js'
import { SmtpSink } from '../../support/smtp-sink.js'

const DAY = 24 * 60 * 60_000

describe('mail about subscriptions', () => {
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

    it('is sent once when it was changed, ends in 14 days, and has ended', async () => {
      const { registry, clock } = story.test
      const told = async (count: number) => {
        for (let n = 0; n < 2; n += 1) await registry.get(TellSubscriptions).run()
        await sink.came(count)
        await story.settle()
        return sink.to('owner@example.kz').map(({ subject }) => subject)
      }
      await registry.get(SaveOrganizationSettings).execute(headCaller(), {
        request: { subscriptionContactEmail: 'owner@example.kz' },
      })
      const expires = clock.now() + 30 * DAY
      await registry.get(Subscriptions).change(BIN, { name: 'premium', expires }, 'admin')
      expect(await told(1)).to.deep.equal(['Subscription changed'])
      expect(story.only('owner@example.kz').text).to.contain('Subscription: premium')
      clock.time += 17 * DAY
      expect(await told(2)).to.deep.equal(['Subscription changed', 'Subscription ends soon'])
      clock.time += 14 * DAY
      expect(await told(3)).to.deep.equal(['Subscription changed', 'Subscription ends soon', 'Subscription ended'])
      await registry.get(Subscriptions).change(BIN, { expires: clock.now() + 5 * DAY }, 'admin')
      expect(await told(4)).to.have.length(4)
    })
  })
})
