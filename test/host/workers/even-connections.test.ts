import { once } from 'node:events'
import http from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import type { FastifyInstance } from 'fastify'
import { buildServer } from '#host/server.js'
import { evenConnections, tooMany } from '#host/workers/even-connections.js'
import { Relay } from '#host/workers/relay.js'
import { openSocket } from '../../support/http.js'
import { seeded } from '../../support/random-der-mutant.js'
import { relayed } from '../../support/relayed-siblings.js'

/** More than a connection answers before it may be ended. */
const MANY = 130
const ROUND_MS = 20

describe('a worker with many more connections than another', () => {
  let app: FastifyInstance
  let url: string
  let agents: http.Agent[]
  /** How often the other was asked what it has, and what it answers. */
  let asked: number
  let others: number
  beforeEach(async () => {
    ;[asked, others, agents] = [0, 0, []]
    const [one, two] = relayed(new Relay(), 2)
    app = buildServer({ logLevel: 'silent', errorsStatus: 'semantic' })
    if (one !== undefined) evenConnections(app, one.siblings, ROUND_MS)
    two?.siblings.on('busy connections', () => {
      asked += 1
      return others
    })
    app.get('/', async () => 'a')
    url = await app.listen({ port: 0 })
  })
  afterEach(async () => {
    for (const agent of agents) agent.destroy()
    await app.close()
  })

  /** A connection, until it is ended. */
  const connect = () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    agents.push(agent)
    return agent
  }
  /** One request; true when the answer ends the connection. */
  const isEnded = async (agent: http.Agent): Promise<boolean> => {
    const sent = http.get(url, { agent })
    const [answer] = (await once(sent, 'response')) as [http.IncomingMessage]
    expect(answer.statusCode).to.equal(200)
    for await (const _ of answer);
    return answer.headers.connection === 'close'
  }
  /** One request on each connection; those that are ended come to the other worker. */
  const askAll = async (kept: Set<http.Agent>): Promise<void> => {
    await Promise.all(
      [...kept].map(async (agent) => {
        if (!(await isEnded(agent))) return
        kept.delete(agent)
        others += 1
      }),
    )
  }
  const askTimes = async (kept: Set<http.Agent>, times: number) => {
    for (let n = 0; n < times; n += 1) await askAll(kept)
  }
  const askForRounds = async (kept: Set<http.Agent>, rounds: number) => {
    for (const until = asked + rounds; asked < until; ) await askAll(kept)
  }

  it('ends some with an answer that says so, and no more when they are even', async () => {
    const kept = new Set(Array.from({ length: 6 }, connect))
    while (others < 2) await askAll(kept)
    await askForRounds(kept, 10)
    expect([kept.size, others]).to.deep.equal([4, 2])
  })

  it('ends none before it has answered a hundred times', async () => {
    const kept = new Set(Array.from({ length: 6 }, connect))
    await askTimes(kept, 100)
    expect(asked).to.be.above(1)
    expect(kept.size).to.equal(6)
  })

  it('ends none of two', async () => {
    const kept = new Set([connect(), connect()])
    await askTimes(kept, 2 * MANY)
    expect(kept.size).to.equal(2)
  })

  it('ends none whose caller sends before it is answered', async () => {
    const sockets = await Promise.all(Array.from({ length: 4 }, () => openSocket(url)))
    let answers = ''
    for (const socket of sockets) socket.setEncoding('latin1').on('data', (text) => (answers += text))
    let closed = 0
    for (const socket of sockets) socket.once('close', () => (closed += 1))
    const ask = async (socket: Socket) => {
      answers = ''
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2))
      while (closed === 0 && answers.split('HTTP/1.1 200').length < 3) await nextTurn()
    }
    for (let n = 0; n < MANY; n += 1) for (const socket of sockets) await ask(socket)
    expect(closed).to.equal(0)
    expect(asked).to.be.above(1)
    for (const socket of sockets) socket.destroy()
  })
})

describe('how many connections a worker has too many', () => {
  it('is half of what it has above the average', () => {
    expect(tooMany(32, [0])).to.equal(8)
    expect(tooMany(12, [12, 0, 0])).to.equal(3)
    expect(tooMany(4, [0])).to.equal(1)
  })

  it('is none of two, of few more, of less than an eighth more, and of one that is alone', () => {
    const none = [
      tooMany(2, [0]),
      tooMany(2, [0, 0, 0, 0, 0, 0, 0]),
      tooMany(3, [0]),
      tooMany(17, [14]),
      tooMany(111, [89]),
    ]
    expect([...none, tooMany(500, [])]).to.deep.equal([0, 0, 0, 0, 0, 0])
  })

  it('comes to an end wherever those that were ended come back', () => {
    for (const [workers, connections, mostEnded] of [
      [2, 32, 60],
      [2, 1000, 1500],
      [8, 64, 150],
    ] as const) {
      for (let seed = 1; seed <= 50; seed += 1) {
        const counts = [connections, ...Array.from({ length: workers - 1 }, () => 0)]
        const next = seeded(seed)
        let ended = 0
        for (let round = 0; round < 200; round += 1) {
          const toEnd = counts.map((mine, at) => tooMany(mine, counts.toSpliced(at, 1)))
          if (toEnd.every((count) => count === 0)) break
          for (const [at, count] of toEnd.entries())
            for (let n = 0; n < count; n += 1) {
              counts[at] = (counts[at] ?? 0) - 1
              const to = Math.floor(next() * workers)
              counts[to] = (counts[to] ?? 0) + 1
              ended += 1
            }
        }
        expect(counts.map((mine, at) => tooMany(mine, counts.toSpliced(at, 1)))).to.deep.equal(counts.map(() => 0))
        expect(ended).to.be.below(mostEnded)
      }
    }
  })
})
