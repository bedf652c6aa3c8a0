import { Clock, Deliveries } from '@signed-registry/core'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { TellOperator } from '#core/mail/tell-operator.js'
import { BatchStore } from '#core/renewal/batch-store.js'
import type { ProofsThatEnd, RenewalProblem } from '#core/renewal/index.js'
import { RenewalState } from '#core/renewal/renewal-state.js'
import { forEachDatabase, type OpenDatabase } from '../../support/databases.js'
import { MailStory } from '../../support/mail-story.js'
import { DAY } from '../../support/pki/authorities.js'
import { SmtpSink } from '../../support/smtp-sink.js'

const HOUR = DAY / 24
const TO = 'admin@example.kz'
const DOWN: RenewalProblem = { reason: 'authority', text: 'No answer from http://tsa.example/' }

describe('mail to the operator', () => {
  forEachDatabase((open) => {
    let story: MailStory
    let sink: SmtpSink
    before(async () => {
      sink = await SmtpSink.start()
    })
    after(() => sink.close())
    afterEach(async () => {
      await story.close()
      sink.forget()
    })

    const begin = async (options: Parameters<typeof MailStory.begin>[2] = {}, database: OpenDatabase = open) => {
      story = await MailStory.begin(database, sink, { operatorEmail: [TO], ...options })
    }
    /** A run of the renewal that found this out. */
    async function found(problem: RenewalProblem | undefined, ...ends: readonly (readonly [number, number])[]) {
      const proofs = ends.map(
        ([endsAt, signatures]): ProofsThatEnd => ({
          ...{ authority: 'CN=TSA', by: 'timeStamp', because: 'certificate', endsAt, signatures },
        }),
      )
      await story.test.registry.get(RenewalState).done({ proofs, gathered: 0, renewed: 0, batches: 1 }, problem)
    }
    const tell = () => story.test.registry.get(TellOperator).run()
    async function subjects(): Promise<(string | undefined)[]> {
      await story.settle()
      await sink.came(
        (await story.test.registry.get(Deliveries).page({ owner: 'operator', channel: 'mail' }, 99)).length,
      )
      return sink.to(TO).map(({ subject }) => subject)
    }
    const wait = (time: number) => {
      story.test.clock.time += time
    }

    it('tells of a problem that lasts longer than a day: what, since when, how many, until when, what to do', async () => {
      await begin()
      const end = story.test.clock.now() + 80 * DAY
      await found(DOWN, [end, 1200])
      await tell()
      wait(DAY - HOUR)
      await tell()
      expect(await subjects()).to.deep.equal([])
      wait(HOUR)
      await tell()
      await tell()
      expect(await subjects()).to.deep.equal(['Proof of signatures is not renewed'])
      const { text = '', html = '' } = story.only(TO)
      for (const part of [text, html]) {
        expect(part).to.contain('the time-stamping authority gives no time stamp that can be used')
        expect(part).to.contain('1200')
        expect(part).to.contain('signed-registry admin renewal')
        expect(part).to.contain('RENEWAL_TSP_URL')
        expect(part).not.to.contain('http://tsa.example')
      }
      expect(text).to.match(/^Since: /m)
      expect(text).to.match(/^Time until: /m)
    })

    it('tells again every week, every day in the last 30 days before the first end, and once when it is over', async () => {
      await begin()
      const end = story.test.clock.now() + 45 * DAY
      await found(DOWN, [end, 3])
      let before = 0
      const toldOnDays: number[] = []
      for (let hours = 0; hours < 20 * 24; hours += 1) {
        await tell()
        const all = await story.test.registry.get(Deliveries).page({ owner: 'operator', channel: 'mail' }, 99)
        if (all.length > before) toldOnDays.push(Math.floor(hours / 24))
        before = all.length
        wait(HOUR)
      }
      expect(toldOnDays).to.deep.equal([1, 8, 15, 16, 17, 18, 19])
      await story.settle()
      await found(undefined, [end + 1000 * DAY, 3])
      await tell()
      await tell()
      const told = await subjects()
      expect(told).to.have.length(8)
      expect(told.at(-1)).to.equal('Proof of signatures is renewed again')
      await found(DOWN, [end, 3])
      await tell()
      expect(await subjects()).to.have.length(8)
    })

    it('tells at once that proofs have ended', async () => {
      await begin()
      const end = story.test.clock.now() + 50 * DAY
      await found(DOWN, [end, 3])
      wait(2 * DAY)
      await tell()
      await story.settle()
      await found(DOWN, [0, 7], [end, 3])
      await tell()
      await tell()
      expect(await subjects()).to.deep.equal(['Proof of signatures is not renewed', 'Proof of signatures has ended'])
      expect(sink.to(TO)[1]?.text).to.match(/Signatures whose proof has ended: 7\n/)
    })

    it('tells once of records that began anew since the key of an authority was lost', async () => {
      await begin()
      const { registry } = story.test
      await registry.get(BatchStore).growing()
      const lost = { lost_at: registry.get(Clock).now(), lost_for: 'authorityKeyCompromised' }
      await registry.get(Database).query('registry_renewal_batches').update(lost)
      await found(undefined)
      await tell()
      wait(30 * DAY)
      await tell()
      expect(await subjects()).to.deep.equal(['Evidence records began anew'])
      expect(story.only(TO).text).to.contain('authorityKeyCompromised')
    })

    it('tells every address in its languages', async () => {
      await begin({ operatorEmail: [TO, 'duty@example.kz'], mailLanguage: 'kk/ru' })
      await found(DOWN, [story.test.clock.now() - 2 * DAY, 5])
      await tell()
      await subjects()
      for (const to of [TO, 'duty@example.kz']) {
        const { subject, text } = story.only(to)
        expect(subject).to.equal('Қолтаңбалар дәлелдерінің мерзімі аяқталды / Доказательства подписей закончились')
        expect(text).to.contain('Что делать: Выполните').and.to.contain('Не істеу керек: ')
      }
    })

    it('is one mail of two hosts that tell at once', async () => {
      const database = await open()
      await begin({}, async () => database)
      const first = story
      const other = await MailStory.begin(async () => database, sink, { operatorEmail: [TO] })
      try {
        await found(DOWN, [story.test.clock.now() + 50 * DAY, 3])
        wait(2 * DAY)
        other.test.clock.time = first.test.clock.now()
        const hosts = [first, other].map(({ test }) => test.registry.get(TellOperator))
        await Promise.all([...hosts, ...hosts].map((host) => host.run()))
        expect(await subjects()).to.deep.equal(['Proof of signatures is not renewed'])
      } finally {
        await other.close()
      }
    })

    it('is told again by the next run where the host was killed before the mail was kept', async () => {
      await begin()
      await found(DOWN, [story.test.clock.now() + 50 * DAY, 3])
      wait(2 * DAY)
      const { registry } = story.test
      const deliveries = registry.get(Deliveries)
      const add = deliveries.add
      deliveries.add = async () => {
        throw new Error('killed')
      }
      const outcome = await tell().catch((error: unknown) => error)
      expect(outcome).to.be.instanceOf(Error)
      deliveries.add = add
      await tell()
      expect(await subjects()).to.deep.equal(['Proof of signatures is not renewed'])
    })

    it('is not sent where nobody is named, or nothing is renewed', async () => {
      for (const options of [{ operatorEmail: [] }, { renewal: 'off' as const }]) {
        await begin(options)
        await found(DOWN, [0, 3])
        wait(2 * DAY)
        await tell()
        expect(await subjects()).to.deep.equal([])
        await story.close()
      }
      await begin()
    })
  })
})
