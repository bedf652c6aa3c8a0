import { EventEmitter, once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { Upload } from '@signed-registry/core'

import { expect } from 'chai'
import type { FastifyInstance } from 'fastify'
import { memoryLimit } from '#host/limits/memory-limit.js'
import { buildServer } from '#host/server.js'
import { listen, serverWith } from '../../support/api-scope.js'
import { openSocket, postJson, receivedBy, request, sendRaw } from '../../support/http.js'
import { type PassingTime, passingTime } from '../../support/passing-time.js'
import { runProgram } from '../../support/run-program.js'
import { until } from '../../support/until.js'

const KIB = 1024
const head = (length: number) =>
  `POST /api HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
const named = (length: number) => JSON.stringify({ name: 'a'.repeat(length - '{"name":""}'.length) })

/** Sends eight thousand bytes in a second: twice as many as have to come, and half as many where memory is held. */
async function dripped({ client, server }: Ends, body: Buffer, time: PassingTime): Promise<string> {
  let text: string | undefined
  void receivedBy(client).then((all) => {
    text = all
  })
  for (let sent = 0; text === undefined; sent += 80) {
    client.write(body.subarray(sent, sent + 80))
    while (text === undefined && !server.destroyed && server.bytesRead < client.bytesWritten) await turn()
    await time.pass(10)
  }
  return text
}

/** Both ends of one connection. */
interface Ends {
  readonly client: Socket
  readonly server: Socket
}

async function connected(app: FastifyInstance, url: string): Promise<Ends> {
  const accepted = once(app.server, 'connection')
  const client = await openSocket(url)
  client.on('error', () => undefined)
  const [server]: Socket[] = await accepted
  return { client, server: server ?? client }
}

describe('the memory of large JSON', () => {
  let app: FastifyInstance
  let url: string
  before(async () => {
    // Four times 48 KiB: one body of an address at a time.
    app = await serverWith({}, {}, { memory: { stranger: 192 * KIB } })
    url = await listen(app)
  })
  after(() => app.close())

  /** Begins a body of 48 KiB and never completes it. */
  const begin = async (): Promise<Socket> => {
    const socket = await openSocket(url)
    socket.on('error', () => undefined)
    const begun = once(app.server, 'request')
    socket.write(head(48 * KIB) + named(48 * KIB).slice(0, 100))
    await begun
    await turn()
    return socket
  }

  it('is waited for, with the body unread, until the previous request is answered', async () => {
    const first = await begin()
    const second = await openSocket(url)
    let answered = ''
    const answer = receivedBy(second)
    void answer.then((text) => {
      answered = text
    })
    const begun = once(app.server, 'request')
    second.write(head(48 * KIB) + named(48 * KIB))
    await begun
    // Smaller ones, and others, are answered meanwhile.
    expect((await postJson(`${url}/api`, { name: 'a'.repeat(8 * KIB) })).status).to.equal(200)
    expect(answered).to.equal('')
    const firstAnswer = receivedBy(first)
    first.write(named(48 * KIB).slice(100))
    expect(await firstAnswer).to.match(/^HTTP\/1\.1 200 /)
    expect(await answer).to.match(/^HTTP\/1\.1 200 /)
  })

  it('is released when a connection breaks off, also a waiting one', async () => {
    const [first, waiting] = [await begin(), await begin()]
    waiting.destroy()
    first.destroy()
    const large = await postJson(`${url}/api`, { name: 'a'.repeat(48 * KIB) })
    expect(large.status).to.equal(200)
  })

  it('is the limit of the route for a body of unknown length', async () => {
    const first = await begin()
    const chunked = await openSocket(url)
    const answer = receivedBy(chunked)
    const begun = once(app.server, 'request')
    const [start] = head(0).split('Content-Length')
    chunked.write(`${start}Transfer-Encoding: chunked\r\n\r\nc\r\n{"name":"a"}\r\n0\r\n\r\n`)
    await begun
    expect((await postJson(`${url}/api`, { name: 'a' })).status).to.equal(200)
    expect(chunked.bytesRead).to.equal(0)
    first.destroy()
    expect(await answer).to.match(/^HTTP\/1\.1 200 /)
  })

  it('is refused to callers with too many waiting requests', async () => {
    const sockets: Socket[] = []
    for (let count = 0; count < 65; count += 1) sockets.push(await begin())
    const refused = await postJson(`${url}/api`, { name: 'a'.repeat(48 * KIB) })
    expect([refused.status, refused.json.code, refused.headers.get('retry-after')]).to.deep.equal([
      429,
      'shareTaken',
      '5',
    ])
    for (const socket of sockets) socket.destroy()
    await until(async () => (await postJson(`${url}/api`, { name: 'a'.repeat(48 * KIB) })).status === 200)
  })

  it('is not held for bodies that trickle in', async () => {
    const time = passingTime()
    const impatient = await serverWith({}, { pace: { grace: 1000, bytesPerSecond: 4000 } })
    const own = await listen(impatient)
    const ended = async (length: number) => {
      const ends = await connected(impatient, own)
      ends.client.write(head(length))
      return (await dripped(ends, Buffer.from(named(length)), time)).slice(0, 12)
    }
    expect([await ended(8 * KIB), await ended(48 * KIB)]).to.deep.equal(['HTTP/1.1 200', ''])
    await impatient.close()
    time.end()
  })
})

describe('an upload that memory is reserved for', () => {
  it('must arrive faster than others', async () => {
    const take = async ({ stream }: Upload, isHeld: boolean) => {
      if (isHeld) stream.hurry?.()
      for await (const _ of stream);
    }
    const ended = async (isHeld: boolean) => {
      const standIns = { take: (upload: Upload) => take(upload, isHeld) }
      const time = passingTime()
      const app = await serverWith(standIns, { pace: { grace: 1000, bytesPerSecond: 4000 } })
      const ends = await connected(app, await listen(app))
      ends.client.write(head(24_000).replace('/api', '/api/a/data').replace('json', 'octet-stream'))
      const text = await dripped(ends, Buffer.alloc(24_000), time)
      await app.close()
      time.end()
      return text.slice(0, 12)
    }
    expect([await ended(false), await ended(true)]).to.deep.equal(['HTTP/1.1 200', ''])
  })
})

describe('a host close to its memory limit', () => {
  it('refuses everything but probes, unread, while other requests are in progress, until garbage is collected', async () => {
    let used = 0
    const gate = new EventEmitter()
    const app = buildServer({ logLevel: 'silent', errorsStatus: 'semantic', memory: { bytes: 100, used: () => used } })
    app.get('/healthz', { config: { isProbe: true } }, async () => ({ status: 'ok' }))
    app.get('/quick', async () => ({}))
    app.get('/slow', async () => {
      gate.emit('begun')
      await once(gate, 'released')
      return {}
    })
    const url = await listen(app)
    const quick = async () => (await request(`${url}/quick`)).status
    used = 86
    // With nothing else in progress, refusing would help nobody.
    expect(await quick()).to.equal(200)
    used = 85
    const begun = once(gate, 'begun')
    const slow = request(`${url}/slow`)
    await begun
    // Memory is looked at now and then.
    await until(async () => (await quick()) === 200)
    used = 86
    await until(async () => (await quick()) === 503)
    const refused = await sendRaw(
      url,
      'POST /quick HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n',
    )
    expect(refused).to.match(/^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: 5\r\n/)
    expect(refused).to.include('"code":"serviceBusy","details":{"resource":"memory","retryAfter":5}')
    expect((await request(`${url}/healthz`)).status).to.equal(200)
    used = 50
    await until(async () => (await quick()) === 200)
    gate.emit('released')
    expect((await slow).status).to.equal(200)
    await app.close()
  })

  it('counts nobody among the others whose connection closed after the answer, before the end of the body', async () => {
    const app = buildServer({ logLevel: 'silent', errorsStatus: 'semantic' })
    app.get('/others', async () => ({ others: app.exchanges.hasOthers }))
    const url = await listen(app)
    const { client, server } = await connected(app, url)
    const closed = new Promise((resolve) => server.once('close', resolve))
    client.write('POST /unknown HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n')
    await once(client, 'data')
    expect((await request(`${url}/others`)).json).to.deep.equal({ others: true })
    client.destroy()
    await closed
    expect((await request(`${url}/others`)).json).to.deep.equal({ others: false })
    await app.close()
  })

  it('has the limit that it is told, or that the machine has set', () => {
    expect(memoryLimit(0)).to.equal(undefined)
    expect(memoryLimit(2 ** 30)).to.include({ bytes: 2 ** 30 })
    expect(memoryLimit(2 ** 30)?.used()).to.be.within(2 ** 20, 2 ** 34)
  })

  it('leaves room for the process that starts workers, and has a part of the rest for each', () => {
    const whole = 2 ** 30
    expect(memoryLimit(whole, 4)?.bytes).to.equal((whole - 160 * 2 ** 20) / 4)
    expect(memoryLimit(300 * 2 ** 20, 2)?.bytes).to.equal(100 * 2 ** 20)
  })

  it('has that of ulimit -d, and counts as the kernel does', async function () {
    if (!existsSync('/proc/self/limits')) this.skip()
    const program = `
      import { memoryLimit } from ${JSON.stringify(import.meta.resolve('#host/limits/memory-limit.js'))}
      const limit = memoryLimit(undefined)
      const before = limit.used()
      const more = Buffer.alloc(${64 * 2 ** 20}, 1)
      console.log(limit.bytes, limit.used() - before >= more.length, limit.used() < 2 ** 30)`
    const command = 'ulimit -d 1048576; exec "$0" --input-type=module --eval "$1"'
    const { stdout } = await runProgram('sh', ['-c', command, process.execPath, program])
    expect(stdout.trim()).to.equal(`${2 ** 30} true true`)
  })
})
