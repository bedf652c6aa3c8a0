import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import { boundedServer } from '#host/bounded-server.js'
import { Exchanges } from '#host/limits/exchanges.js'
import { defaultPace } from '#host/limits/pace.js'
import { openSocket } from '../support/http.js'

describe('a connection to the host that waits', () => {
  let exchanges: Exchanges
  let server: Server
  let address: string
  let accepted: Promise<Socket>
  beforeEach(async () => {
    exchanges = new Exchanges(defaultPace)
    server = boundedServer(exchanges, ({ url }, answer) => url === '/' && answer.end('{}'), undefined, {})
    accepted = once(server, 'connection').then(([socket]: Socket[]) => socket ?? expect.fail('no connection'))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const found = server.address()
    address = `http://127.0.0.1:${typeof found === 'object' && found?.port}`
  })
  afterEach(() => {
    server.close()
    server.closeAllConnections()
    exchanges.stop()
  })

  /** Opens a connection; gives what asks on it and answers what came. */
  const connection = async () => {
    const socket = await openSocket(address)
    return async (text: string) => {
      socket.write(text)
      const [answer]: Buffer[] = await once(socket, 'data')
      return String(answer)
    }
  }
  const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
  const timeIsOver = (socket: Socket) => server.emit('timeout', socket)

  it('is closed 12 seconds after what its caller was told, so that nothing sent at the last moment is lost', async () => {
    const ask = await connection()
    expect(await ask(request)).to.match(/^keep-alive: timeout=60\r$/im)
    const socket = await accepted
    expect(socket.timeout).to.be.within(60_000, 62_000)
    timeIsOver(socket)
    expect([socket.destroyed, socket.timeout]).to.deep.equal([false, 11_000])
    timeIsOver(socket)
    expect(socket.destroyed).to.equal(true)
  })

  it('has its whole time again after a request that came late', async () => {
    const ask = await connection()
    await ask(request)
    const socket = await accepted
    timeIsOver(socket)
    await ask(request)
    expect(socket.timeout).to.be.within(60_000, 62_000)
  })

  it('is closed when nothing comes of a request for two minutes', async () => {
    const ask = await connection()
    const begun = once(server, 'request')
    ask('GET /never HTTP/1.1\r\nHost: x\r\n\r\n').catch(() => undefined)
    await begun
    const socket = await accepted
    expect(socket.timeout).to.equal(120_000)
    timeIsOver(socket)
    expect(socket.destroyed).to.equal(true)
  })
})
