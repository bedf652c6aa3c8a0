import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import { Allowance, defaultPace, paceAfter } from '#host/limits/pace.js'
import { listen, serverWith } from '../../support/api-scope.js'
import { openSocket } from '../../support/http.js'

describe('the pace of bodies and answers', () => {
  const pace = { grace: 1000, bytesPerSecond: 100 }

  it('lets a body stall for the grace period, and ends it after that', () => {
    const allowance = new Allowance(pace, 500, 0)
    expect(allowance.lasts(500, 1000)).to.equal(true)
    expect(allowance.lasts(500, 1001)).to.equal(false)
  })

  it('extends the deadline with each byte, so that an even flow lasts and a trickle does not', () => {
    const [even, drip] = [new Allowance(pace, 0, 0), new Allowance(pace, 0, 0)]
    let ended = 0
    for (let second = 1; second <= 60; second += 1) {
      expect(even.lasts(second * 100, second * 1000), String(second)).to.equal(true)
      if (ended === 0 && !drip.lasts(second, second * 1000)) ended = second
    }
    expect(ended).to.equal(2)
  })

  it('never extends the deadline beyond the grace period', () => {
    const allowance = new Allowance(pace, 0, 0)
    expect(allowance.lasts(1_000_000, 1)).to.equal(true)
    expect(allowance.lasts(1_000_000, 1001)).to.equal(true)
    expect(allowance.lasts(1_000_000, 1002)).to.equal(false)
  })

  it('doubles in steps while a body goes on, up to a maximum', () => {
    const rising = { ...pace, rises: { after: 10_000, every: 5000, most: 1000 } }
    const rates = [0, 9999, 10_000, 14_999, 15_000, 20_000, 25_000, 1e9].map((ms) => paceAfter(rising, ms))
    expect(rates).to.deep.equal([100, 100, 200, 200, 400, 800, 1000, 1000])
    expect(paceAfter(pace, 1e9)).to.equal(100)
    expect(paceAfter({ ...rising, bytesPerSecond: 2000 }, 1e9)).to.equal(2000)
  })

  /** Bytes that pass at so many in a second, of this many at most, judged every two seconds. */
  const passing = (bytesPerSecond: number, most: number): number => {
    const allowance = new Allowance(defaultPace, 0, 0)
    let passed = 0
    for (let now = 2000; passed < most; now += 2000) {
      passed = Math.min(most, (bytesPerSecond * now) / 1000)
      if (!allowance.lasts(passed, now)) return passed
    }
    return passed
  }

  it('lets 4 GiB pass at 4 Mbit/s, and ends a trickle within minutes', () => {
    const [mib, gib] = [2 ** 20, 2 ** 30]
    expect(passing(4_000_000 / 8, 4 * gib)).to.equal(4 * gib)
    expect(passing(1_000_000 / 8, 4 * gib) / mib).to.be.within(240, 260)
    expect(passing(20 * 1024, 4 * gib) / mib).to.be.within(5, 8)
  })

  it('gives bytes that are sent in one piece their own time', () => {
    const allowance = new Allowance(pace, 0, 0, 1000)
    expect(allowance.lasts(0, 11_000, 1000)).to.equal(true)
    expect(allowance.lasts(0, 11_001, 1000)).to.equal(false)
  })

  it('can be hurried', () => {
    const allowance = new Allowance(pace, 0, 0)
    allowance.hurry(0, 100)
    expect(allowance.lasts(0, 101)).to.equal(false)
    const flowing = new Allowance(pace, 0, 0)
    flowing.hurry(0, 100)
    expect(flowing.lasts(100, 101)).to.equal(true)
  })

  it('ends answers that nobody reads', async () => {
    const app = await serverWith(
      { greet: () => ({ text: 'a'.repeat(2 ** 26) }) },
      { pace: { grace: 50, bytesPerSecond: 2 ** 40 } },
    )
    const url = await listen(app)
    const accepted = once(app.server, 'connection')
    const client = await openSocket(url)
    client.on('error', () => undefined)
    client.pause()
    const [server]: Socket[] = await accepted
    const closed = new Promise((resolve) => (server ?? client).once('close', resolve))
    client.write(
      'POST /api HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"name":"a"}',
    )
    await closed
    client.destroy()
    await app.close()
  })
})
