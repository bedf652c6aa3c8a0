import { anonymous, type Caller } from '@signed-registry/core'
import { expect } from 'chai'
import Fastify from 'fastify'
import { countLargeAnswers } from '#host/limits/large-answers.js'
import { openSocket } from '../../support/http.js'
import { until } from '../../support/until.js'

const MIB = 2 ** 20

describe('the memory of answers', () => {
  let taken: number[]
  const app = Fastify()
  let url: string

  before(async () => {
    app.decorateRequest('caller')
    app.addHook('onRequest', async (request) => {
      request.caller = anonymous
    })
    countLargeAnswers(app, {
      charge(_resource: 'memory', _caller: Caller, amount: number) {
        taken.push(amount)
        return { release: () => taken.splice(taken.indexOf(amount), 1) }
      },
    })
    app.get('/large', () => 'a'.repeat(16 * MIB))
    app.get('/small', () => 'a')
    url = await app.listen({ host: '127.0.0.1', port: 0 })
  })
  beforeEach(() => {
    taken = []
  })
  after(() => app.close())

  it('counts for who asked until the client has taken them, however slowly', async () => {
    const client = await openSocket(url)
    client.pause()
    client.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n')
    await until(async () => taken.length > 0)
    expect(taken).to.deep.equal([32 * MIB])
    client.resume()
    await until(async () => taken.length === 0)
    client.destroy()
  })

  it('counts no longer than the client is there', async () => {
    const client = await openSocket(url)
    client.pause()
    client.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n')
    await until(async () => taken.length > 0)
    client.destroy()
    await until(async () => taken.length === 0)
  })

  it('is not worth counting where they are small', async () => {
    expect((await app.inject('/small')).body).to.equal('a')
    expect(taken).to.deep.equal([])
  })
})
