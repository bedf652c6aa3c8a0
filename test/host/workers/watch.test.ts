import { expect } from 'chai'
import { MISSED_ROUNDS, ROUND_MS, STARTING_ROUNDS, Watch, type Watched } from '#host/workers/watch.js'

describe('the watch over workers', () => {
  /** One that answers, until it does no more. */
  const worker = () => ({
    isSilent: false,
    waitsMs: 0,
    answers(): boolean {
      return !this.isSilent
    },
    waited(): number {
      return this.waitsMs
    },
  })
  let now = 0
  /** So many rounds, each in time; what was found in them. */
  const rounds = <W extends Watched>(watch: Watch<W>, workers: readonly W[], count: number): W[] =>
    Array.from({ length: count }, () => {
      now += ROUND_MS
      return watch.look(workers, now)
    }).filter((found) => found !== undefined)

  const hang = (...workers: ReturnType<typeof worker>[]) => {
    for (const one of workers) one.isSilent = true
  }

  it('finds one that does not answer in so many rounds, and not before', () => {
    const [good, hanging] = [worker(), worker()]
    const watch = new Watch()
    expect(rounds(watch, [good, hanging], 2 * MISSED_ROUNDS)).to.deep.equal([])
    hang(hanging)
    expect(rounds(watch, [good, hanging], MISSED_ROUNDS - 1)).to.deep.equal([])
    expect(rounds(watch, [good, hanging], 1)).to.deep.equal([hanging])
  })

  it('waits longer for one that has never answered, as it starts', () => {
    const starting = worker()
    hang(starting)
    const watch = new Watch()
    expect(rounds(watch, [starting], STARTING_ROUNDS - 1)).to.deep.equal([])
    expect(rounds(watch, [starting], 1)).to.deep.equal([starting])
  })

  it('counts nothing for which one is kept waiting for a processor', () => {
    const starved = worker()
    const watch = new Watch()
    rounds(watch, [starved], 1)
    hang(starved)
    starved.waitsMs = ROUND_MS
    expect(rounds(watch, [starved], 10 * MISSED_ROUNDS)).to.deep.equal([])
    starved.waitsMs = ROUND_MS / 2
    expect(rounds(watch, [starved], 2 * MISSED_ROUNDS - 1)).to.deep.equal([])
    expect(rounds(watch, [starved], 1)).to.deep.equal([starved])
  })

  it('forgets what was missed when an answer comes', () => {
    const busy = worker()
    const watch = new Watch()
    for (let n = 0; n < 3; n += 1) {
      busy.isSilent = false
      expect(rounds(watch, [busy], 1)).to.deep.equal([])
      hang(busy)
      expect(rounds(watch, [busy], MISSED_ROUNDS - 1)).to.deep.equal([])
    }
    expect(rounds(watch, [busy], 1)).to.deep.equal([busy])
  })

  it('counts no round that is late itself, as on a machine that has slept; finds one that hangs between them', () => {
    const hanging = worker()
    const watch = new Watch()
    rounds(watch, [hanging], 1)
    hang(hanging)
    for (let n = 1; n < MISSED_ROUNDS; n += 1) {
      expect(rounds(watch, [hanging], 1)).to.deep.equal([])
      now += 3 * ROUND_MS
      expect(watch.look([hanging], now)).to.equal(undefined)
    }
    expect(rounds(watch, [hanging], 1)).to.deep.equal([hanging])
  })

  it('finds one at a time, and the next one as late again', () => {
    const [first, second] = [worker(), worker()]
    const watch = new Watch()
    rounds(watch, [first, second], 1)
    hang(first, second)
    expect(rounds(watch, [first, second], MISSED_ROUNDS)).to.deep.equal([first])
    expect(rounds(watch, [second], MISSED_ROUNDS - 1)).to.deep.equal([])
    expect(rounds(watch, [second], 1)).to.deep.equal([second])
  })
})
