import { EventEmitter, once } from 'node:events'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { listen, serverWith } from '../../support/api-scope.js'
import { openSocket, receivedBy, sendRaw } from '../../support/http.js'

const request = (name: string, head = '') => {
  const body = JSON.stringify({ name })
  return `POST /api HTTP/1.1\r\nHost: x\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

describe('pipelined requests', () => {
  it('are processed one after another, each when the previous one has been answered', async () => {
    const told: string[] = []
    const app = await serverWith({
      async greet(body) {
        told.push(`begins ${JSON.stringify(body)}`)
        await turn()
        await turn()
        told.push(`ends ${JSON.stringify(body)}`)
        return body
      },
    })
    const names = ['a', 'b', 'c', 'd']
    const sent = names.map((name) => request(name, name === 'd' ? 'Connection: close\r\n' : '')).join('')
    const answer = await sendRaw(await listen(app), sent)
    expect(told).to.deep.equal(names.flatMap((name) => [`begins {"name":"${name}"}`, `ends {"name":"${name}"}`]))
    expect([...answer.matchAll(/"name":"(.)"/g)].map(([, name]) => name)).to.deep.equal(names)
    await app.close()
  })

  it('are not processed when the connection has closed', async () => {
    let greeted = 0
    const gate = new EventEmitter()
    const [begun, released] = [once(gate, 'begun'), once(gate, 'released')]
    const app = await serverWith({
      async greet(body) {
        greeted += 1
        gate.emit('begun')
        await released
        return body
      },
    })
    const url = await listen(app)
    const accepted = once(app.server, 'connection')
    const socket = await openSocket(url)
    const [server] = await accepted
    socket.write(request('a') + request('b') + request('c'))
    await begun
    const closed = once(server, 'close')
    socket.destroy()
    await closed
    gate.emit('released')
    // Another connection's request, begun after all that, is answered.
    expect(await sendRaw(url, request('d', 'Connection: close\r\n'))).to.contain('"name":"d"')
    expect(greeted).to.equal(2)
    await app.close()
  })

  for (const [title, bytes] of Object.entries({
    'are no requests': 'hello\r\n\r\n',
    'want a tunnel': 'CONNECT example.kz:443 HTTP/1.1\r\nHost: example.kz:443\r\n\r\n',
  })) {
    it(`are answered before bytes behind them that ${title}, as a whole`, async () => {
      const gate = new EventEmitter()
      const [begun, released] = [once(gate, 'begun'), once(gate, 'released')]
      const app = await serverWith()
      app.get('/streamed', (_request, reply) =>
        reply.header('content-length', 4).send(
          Readable.from(
            (async function* () {
              yield Buffer.from('ab')
              gate.emit('begun')
              await released
              yield Buffer.from('cd')
            })(),
          ),
        ),
      )
      const socket = await openSocket(await listen(app))
      const answer = receivedBy(socket)
      socket.write(`GET /streamed HTTP/1.1\r\nHost: x\r\n\r\n${request('a')}`)
      await begun
      socket.write(bytes)
      await once(app.server, title === 'want a tunnel' ? 'connect' : 'clientError')
      gate.emit('released')
      const parts = (await answer).split(/HTTP\/1\.1 /).slice(1)
      expect(parts.map((part) => part.slice(0, 3))).to.deep.equal(['200', '200', '400'])
      expect(parts[0]?.split('\r\n\r\n')[1]).to.equal('abcd')
      await app.close()
    })
  }
})
