import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { mock } from 'node:test'
import { expect } from 'chai'
import { limitConnections } from '#host/limits/connection-limit.js'
import { openSqlite } from '../../support/databases.js'
import { startTestHost } from '../../support/host.js'
import { postJson, receivedBy } from '../../support/http.js'

const ANSWER = /^HTTP\/1\.1 200 /

describe('a host', () => {
  it('lets one address have so many connections open, and others when they are closed', async () => {
    const host = await startTestHost(openSqlite, { connectionsPerAddress: 2 })
    const { port } = host.app.server.address() as AddressInfo
    const sockets: Socket[] = []
    const open = async () => {
      const socket = connect(port, '127.0.0.1')
      sockets.push(socket)
      await once(socket, 'connect')
      return socket
    }
    /** What a connection answers: nothing when it is closed. */
    const ask = async (socket: Socket) => {
      socket.write('GET /api/version HTTP/1.1\r\nHost: x\r\n\r\n')
      return Promise.race([once(socket, 'data').then(String), once(socket, 'close').then(() => '')])
    }
    try {
      const first = await open()
      const second = await open()
      expect(await ask(first)).to.match(ANSWER)
      expect(await ask(second)).to.match(ANSWER)
      expect(await ask(await open())).to.equal('')
      const closed = once(first, 'close')
      first.end()
      await closed
      expect(await ask(await open())).to.match(ANSWER)
    } finally {
      for (const socket of sockets) socket.destroy()
      await host.close()
    }
  })

  it('closes the oldest connection of the address with the most for an address with none, when all are taken', async () => {
    const server = createServer()
    limitConnections(server, 10, () => false, 4)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const opened: Socket[] = []
    const open = async (localAddress: string) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress })
      socket.on('error', () => undefined)
      opened.push(socket.resume())
      await once(socket, 'connect')
      return { closed: once(socket, 'close') }
    }
    const first = await open('127.0.0.2')
    for (let count = 1; count < 4; count += 1) await open('127.0.0.2')
    await open('127.0.0.3')
    await first.closed
    await open('127.0.0.3')
    // Two and two: nobody has more than another one would have.
    await (await open('127.0.0.3')).closed
    for (const socket of opened) socket.destroy()
    server.close()
  })

  it('lets a trusted proxy have any number', async () => {
    const proxies = { trusted: ['127.0.0.1'], certificateHeader: undefined }
    const host = await startTestHost(openSqlite, { connectionsPerAddress: 1, proxies })
    try {
      const answers = await Promise.all([1, 2, 3, 4].map(() => fetch(`${host.url}/api/version`)))
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200])
    } finally {
      await host.close()
    }
  })

  it('counts the bytes of JSON that an address sends', async () => {
    const rates = { anonymous: 0, caller: 0, anonymousBytes: 10_000, holdMs: 0 }
    const host = await startTestHost(openSqlite, { rates })
    try {
      const send = (size: number) => postJson(`${host.url}/api/exported`, { signature: 'A'.repeat(size) })
      expect((await send(8000)).json.code).to.equal('signatureNotParsed')
      const refused = await send(8000)
      expect([refused.status, refused.json.code]).to.deep.equal([429, 'rateLimitReached'])
      expect((await send(500)).json.code).to.equal('signatureNotParsed')
    } finally {
      await host.close()
    }
  })

  it('delays callers over their rate, and nobody else', async () => {
    // A rate is told by a clock: on a slow machine there would be another answer to give meanwhile.
    const now = performance.now()
    const clock = mock.method(performance, 'now', () => now)
    const rates = { anonymous: 2, caller: 0, holdMs: 600_000 }
    const host = await startTestHost(openSqlite, { rates })
    const { port } = host.app.server.address() as AddressInfo
    const ask = (path: string, localAddress: string) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress })
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      return receivedBy(socket)
    }
    const answered: string[] = []
    const held: Promise<string>[] = []
    for (const path of ['/api/version', '/openapi.json', '/nothing', '/healthz']) {
      const most = path === '/api/version' ? 2 : path === '/openapi.json' ? 20 : 0
      for (let count = 0; count < most; count += 1) expect(await ask(path, '127.0.0.1'), path).to.match(ANSWER)
      held.push(ask(path, '127.0.0.1'))
      void held.at(-1)?.then(() => answered.push(path))
      expect(await ask(path, '127.0.0.2'), path).to.match(path === '/nothing' ? /^HTTP\/1\.1 404 / : ANSWER)
    }
    expect(answered).to.deep.equal([])
    const closed = host.close()
    for (const answer of await Promise.all(held)) expect(answer).to.match(/^HTTP\/1\.1 429 /)
    await closed
    clock.mock.restore()
  })

  it('closes a connection that sends many requests before the first is answered', async () => {
    const host = await startTestHost(openSqlite)
    const { port } = host.app.server.address() as AddressInfo
    const answersTo = async (requests: number) => {
      const socket = connect(port, '127.0.0.1')
      const request = 'GET /api/strings HTTP/1.1\r\nHost: x\r\n'
      socket.write(`${`${request}\r\n`.repeat(requests - 1)}${request}Connection: close\r\n\r\n`)
      return (await receivedBy(socket)).split('HTTP/1.1 200').length - 1
    }
    expect(await answersTo(10)).to.equal(10)
    expect(await answersTo(50)).to.be.below(10)
    await host.close()
  })

  /** The answer to an address on a new connection; empty when it is closed unread. */
  const asked = async (port: number, requests = 1, localAddress = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    const request = 'GET /api/version HTTP/1.1\r\nHost: x\r\n'
    socket.write(`${`${request}\r\n`.repeat(requests - 1)}${request}Connection: close\r\n\r\n`)
    return (await receivedBy(socket)).slice(0, 12)
  }

  it('lets one address open four times as many in a minute, and leaves further ones unread', async () => {
    // A rate is told by a clock: on a slow machine there would be another connection meanwhile.
    const now = performance.now()
    const clock = mock.method(performance, 'now', () => now)
    const host = await startTestHost(openSqlite, { connectionsPerAddress: 2 })
    const { port } = host.app.server.address() as AddressInfo
    let read = 0
    host.app.server.on('request', () => {
      read += 1
    })
    const answers: string[] = []
    for (let count = 0; count < 9; count += 1) answers.push(await asked(port))
    expect(answers).to.deep.equal([...new Array(8).fill('HTTP/1.1 200'), ''])
    expect(read).to.equal(8)
    await host.close()
    clock.mock.restore()
  })

  it('counts a connection closed for abuse as many, so that new ones are soon left unread', async () => {
    const now = performance.now()
    const clock = mock.method(performance, 'now', () => now)
    const host = await startTestHost(openSqlite, { connectionsPerAddress: 16 })
    const { port } = host.app.server.address() as AddressInfo
    expect(await asked(port)).to.equal('HTTP/1.1 200')
    for (let flood = 0; flood < 2; flood += 1) await asked(port, 50)
    let read = 0
    host.app.server.on('request', () => {
      read += 1
    })
    const unread = []
    while (unread.length < 32 && read === unread.length) unread.push(await asked(port))
    expect(unread.length).to.be.below(32)
    expect(unread.at(-1)).to.equal('')
    expect(await asked(port, 1, '127.0.0.2')).to.equal('HTTP/1.1 200')
    await host.close()
    clock.mock.restore()
  })
})
