import { expect } from 'chai'
import { MISSED_ROUNDS, ROUND_MS, Watch } from '#host/workers/watch.js'

describe('the watch over workers', () => {
  const worker = () => ({ answers: () => true })
  const silent = () => ({ answers: () => false })
  let now = 0
  /** So many rounds, each in time; what was found in them. */
  const rounds = <W extends { answers(): boolean }>(watch: Watch<W>, workers: readonly W[], count: number): W[] =>
    Array.from({ length: count }, () => {
      now += ROUND_MS
      return watch.look(workers, now)
    }).filter((found) => found !== undefined)

  it('finds one that does not answer in so many rounds, and not before', () => {
    const [good, hanging] = [worker(), silent()]
    const watch = new Watch()
    expect(rounds(watch, [good, hanging], MISSED_ROUNDS - 1)).to.deep.equal([])
    expect(rounds(watch, [good, hanging], 1)).to.deep.equal([hanging])
  })

  it('forgets what was missed when an answer comes', () => {
    const busy = { isBusy: true, answers: () => !busy.isBusy }
    const watch = new Watch()
    expect(rounds(watch, [busy], MISSED_ROUNDS - 1)).to.deep.equal([])
    busy.isBusy = false
    expect(rounds(watch, [busy], 1)).to.deep.equal([])
    busy.isBusy = true
    expect(rounds(watch, [busy], MISSED_ROUNDS - 1)).to.deep.equal([])
    expect(rounds(watch, [busy], 1)).to.deep.equal([busy])
  })

  it('counts nothing while it is late itself, as on a machine that has slept', () => {
    const hanging = silent()
    const watch = new Watch()
    expect(rounds(watch, [hanging], MISSED_ROUNDS - 1)).to.deep.equal([])
    now += 3 * ROUND_MS
    expect(watch.look([hanging], now)).to.equal(undefined)
    expect(rounds(watch, [hanging], MISSED_ROUNDS - 1)).to.deep.equal([])
    expect(rounds(watch, [hanging], 1)).to.deep.equal([hanging])
  })

  it('finds one at a time, and the next one as late again', () => {
    const [first, second] = [silent(), silent()]
    const watch = new Watch()
    expect(rounds(watch, [first, second], MISSED_ROUNDS)).to.deep.equal([first])
    expect(rounds(watch, [second], MISSED_ROUNDS - 1)).to.deep.equal([])
    expect(rounds(watch, [second], 1)).to.deep.equal([second])
  })
})
