import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { Ledger } from '@signed-registry/core'
import { expect } from 'chai'
import { type BehindHaproxy, startBehindHaproxy, suiteOfHaproxy } from '../support/behind-haproxy.js'
import { forServer } from '../support/databases.js'
import { presentAuthorities } from '../support/pki/authorities.js'
import { SystemClient } from '../support/systems.js'
import { until } from '../support/until.js'

suiteOfHaproxy('deploy/haproxy.cfg while a host stops', () => {
  forServer((open) => {
    const authorities = presentAuthorities()
    let behind: BehindHaproxy
    beforeEach(async () => {
      behind = await startBehindHaproxy(await open(), authorities)
    })
    afterEach(() => behind.close())

    it('loses no call without a key at a host that drains before it closes', async () => {
      const { first, second } = behind.hosts
      const calls = { first: 0, second: 0 }
      const count = (at: 'first' | 'second') => (request: IncomingMessage) => {
        if (request.method === 'POST') calls[at] += 1
      }
      first.app.server.on('request', count('first'))
      second.app.server.on('request', count('second'))
      const callers = Array.from({ length: 4 }, () => new SystemClient(behind.peoplePort))
      const outcomes = new Map<unknown, number>()
      let isOver = false
      const calling = callers.map(async (caller) => {
        while (!isOver) {
          const outcome = await caller.ask('POST', '/auth', {}).then(({ status }) => status, String)
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        }
      })
      await until(async () => calls.first > 20 && calls.second > 20)
      second.app.exchanges.drain()
      // As DRAIN_SECONDS does: the proxy has had the time to see it.
      await until(async () => {
        const before = { ...calls }
        await until(async () => calls.first > before.first + 50)
        return calls.second === before.second
      })
      await second.app.close()
      const since = calls.first
      await until(async () => calls.first > since + 20)
      isOver = true
      await Promise.all(calling)
      expect([...outcomes.keys()]).to.deep.equal([200])
      for (const caller of callers) caller.close()
    })

    /** The hosts that hold a call. */
    const holding = () => behind.hosts.hosts.filter(({ registry }) => registry.get(Ledger).state().heldCalls.all > 0)

    it('holds calls of phones at the other host, and goes on with it, where one has ended', async () => {
      const { people, peoplePort } = behind
      const { json } = await people.ask<{ signURL: string }>('POST', '/govQr', { description: '' })
      const { pathname: path } = new URL(json.signURL)
      const held = https.get({ host: '127.0.0.1', port: peoplePort, path, rejectUnauthorized: false })
      const answer = once(held, 'response').then(([{ statusCode }]) => statusCode)
      await until(async () => holding().length > 0)
      const [ending] = holding()
      await ending?.app.close()
      const heldAgain = until(async () => holding().some((host) => host !== ending)).then(() => 'held')
      expect(await Promise.race([answer, heldAgain])).to.equal('held')
      answer.catch(() => undefined)
      held.destroy()
      for (let asked = 0; asked < 20; asked += 1)
        expect((await people.ask('GET', '/version')).status, `question ${asked}`).to.equal(200)
    })

    it('sends what a host left without an answer to another one under a key alone', async () => {
      const { hosts, system, thirdPort } = behind
      const arrived: unknown[] = []
      const arrives = ({ headers }: IncomingMessage) => arrived.push(headers['x-call'])
      for (const { app } of hosts.hosts) app.server.on('request', arrives)
      let broken: unknown[] = []
      /** Takes calls, and breaks off. */
      const third = createServer((request, answer) => {
        arrives(request)
        if (request.method !== 'POST') return void answer.end('{}')
        broken.push(request.headers['x-call'])
        request.socket.destroy()
      })
      await once(third.listen(thirdPort, '127.0.0.1'), 'listening')
      const call = async (number: string, key: Record<string, string> = {}) => {
        const headers = { 'x-call': number, ...key }
        const status = await system.ask('POST', '', { title: 'a' }, headers).then((answer) => answer.status, String)
        return { status, times: arrived.filter((one) => one === number).length }
      }
      let calls = 0
      await until(async () => {
        const found = await call(`without-${++calls}`)
        expect(found.times).to.equal(1)
        return broken.length > 0
      })
      broken = []
      await until(async () => {
        const number = `with-${++calls}`
        const found = await call(number, { 'idempotency-key': number })
        expect(found).to.deep.equal({ status: 200, times: broken.includes(number) ? 2 : 1 })
        return broken.length > 0
      })
      third.closeAllConnections()
      third.close()
    })
  })
})
