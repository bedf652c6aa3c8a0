import { once } from 'node:events'
import { anonymous, type Caller, Ledger } from '@signed-registry/core'
import { expect } from 'chai'
import Fastify from 'fastify'
import { sharesOf } from '#core/ledger/shares.js'
import { finishOwnAnswers } from '#host/http/answers.js'
import { answerProblems } from '#host/http/problem.js'
import { openSocket, request } from '../../support/http.js'
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
    const count = (_resource: unknown, _caller: Caller, amount: number) => {
      taken.push(amount)
      return { release: () => taken.splice(taken.indexOf(amount), 1) }
    }
    finishOwnAnswers(app, { charge: count, take: count })
    app.get('/large', () => 'a'.repeat(16 * MIB))
    app.get('/small', () => 'a')
    url = await app.listen({ host: '127.0.0.1', port: 0 })
  })
  beforeEach(() => {
    taken = []
  })
  after(() => app.close())

  it('counts against the caller until the client has received them, however slowly', async () => {
    const client = await openSocket(url)
    client.pause()
    client.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n')
    await until(async () => taken.length > 0)
    expect(taken).to.deep.equal([32 * MIB])
    client.resume()
    await until(async () => taken.length === 0)
    client.destroy()
  })

  it('counts only as long as the client is connected', async () => {
    const client = await openSocket(url)
    client.pause()
    client.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n')
    await until(async () => taken.length > 0)
    client.destroy()
    await until(async () => taken.length === 0)
  })

  it('is not counted for small ones', async () => {
    expect((await app.inject('/small')).body).to.equal('a')
    expect(taken).to.deep.equal([])
  })
})

describe('the share of a caller that reads large answers slowly', () => {
  const app = Fastify()
  let url: string

  before(async () => {
    answerProblems(app, 'semantic')
    app.decorateRequest('problemCode', undefined)
    app.decorateRequest('caller')
    app.addHook('onRequest', async (request) => {
      request.caller = anonymous
    })
    finishOwnAnswers(app, new Ledger({ shares: sharesOf({ memory: { stranger: 50 * MIB } }) }))
    app.get('/large', () => JSON.stringify('a'.repeat(16 * MIB)))
    app.post('/done', () => JSON.stringify('a'.repeat(16 * MIB)))
    url = await app.listen({ host: '127.0.0.1', port: 0 })
  })
  after(() => app.close())

  it('bounds reads, and never withholds the answer to a change', async () => {
    const slow = await openSocket(url)
    slow.pause()
    const begun = once(app.server, 'request')
    slow.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n')
    await begun
    await until(async () => (await request(`${url}/large`)).status === 429)
    const refused = await request(`${url}/large`)
    expect([refused.status, refused.json.code, refused.headers.get('retry-after')]).to.deep.equal([
      429,
      'shareTaken',
      '5',
    ])
    expect((await request(`${url}/done`, { method: 'POST' })).status).to.equal(200)
    slow.destroy()
    await until(async () => (await request(`${url}/large`)).status === 200)
  })
})
