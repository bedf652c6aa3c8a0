import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect } from 'chai'
import { boundedServer } from '#host/bounded-server.js'
import { Exchanges } from '#host/limits/exchanges.js'
import { defaultPace } from '#host/limits/pace.js'
import { openSocket } from '../support/http.js'

const IDLE = 120_000

describe('a connection to the host that waits', () => {
  let exchanges: Exchanges
  let server: Server
  let address: string
  let accepted: Promise<Socket>
  beforeEach(async () => {
    exchanges = new Exchanges(defaultPace)
    server = boundedServer(exchanges, (_, answer) => answer.end('{}'), undefined, {})
    accepted = once(server, 'connection').then(([socket]: Socket[]) => socket ?? expect.fail('no connection'))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const found = server.address()
    address = `http://127.0.0.1:${isAddress(found) ? found.port : ''}`
  })
  afterEach(() => {
    server.close()
    server.closeAllConnections()
    exchanges.stop()
  })

  /** Sends these requests at once, and gives what came back when it has said so often that it is good. */
  const ask = async (requests: readonly string[]): Promise<string> => {
    const socket = await openSocket(address)
    let received = ''
    socket.setEncoding('utf8').on('data', (text) => {
      received += text
    })
    socket.write(requests.join(''))
    while (received.split(' 200 OK').length <= requests.length) await once(socket, 'data')
    return received
  }
  const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

  it('is closed 12 seconds after what its caller was told, so that nothing sent at the last moment is lost', async () => {
    expect(await ask([request])).to.match(/^keep-alive: timeout=60\r$/im)
    expect((await accepted).timeout).to.equal(72_000)
  })

  it('has the time of any other while further requests wait, and when it is about to be closed', async () => {
    const times: (number | undefined)[] = []
    server.on('request', ({ socket }, answer) => answer.once('finish', () => times.push(socket.timeout)))
    await ask([request, request, request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')])
    expect(times).to.deep.equal([IDLE, IDLE, IDLE])
  })
})

const isAddress = (found: AddressInfo | string | null): found is AddressInfo =>
  typeof found === 'object' && found !== null
