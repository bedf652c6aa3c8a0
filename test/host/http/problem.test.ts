import { defineErrors, type ErrorKind } from '@signed-registry/core'

import { expect } from 'chai'
import knex from 'knex'
import { statusOfKind } from '#host/error-status.js'
import { serverWith } from '../../support/api-scope.js'

const text = { message: 'Told so', ru: '', kk: '', description: '' }
const send = { method: 'POST', url: '/api', payload: { name: 'a' } } as const

describe('a refusal', () => {
  const statuses: [ErrorKind, number][] = [
    ['invalid', 400],
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['absent', 404],
    ['conflict', 409],
    ['tooLarge', 413],
    ['unacceptable', 422],
    ['tooMany', 429],
    ['unexpected', 500],
    ['unavailable', 503],
    ['full', 507],
  ]
  for (const [kind, status] of statuses) {
    it(`of kind ${kind} answers ${status} with message, requestID and code`, async () => {
      const { error } = defineErrors({ told: { kind, ...text } })
      const app = await serverWith({
        greet() {
          throw error('told', { why: 'a < b', size: 10n })
        },
      })
      const answer = await app.inject(send)
      expect(answer.statusCode).to.equal(status)
      const { requestID, ...rest } = answer.json()
      expect(requestID).to.be.a('string')
      expect(rest).to.deep.equal({ message: 'Told so', code: 'told', details: { why: 'a < b', size: '10' } })
      expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8')
      expect(answer.headers['retry-after'] !== undefined).to.equal(kind === 'unavailable' || kind === 'tooMany')
      await app.close()
    })
  }

  it('is not cached or saved in place of what was requested', async () => {
    for (const errorsStatus of ['semantic', 'always-200'] as const) {
      const app = await serverWith({}, { errorsStatus })
      const { error } = defineErrors({ told: { kind: 'invalid', ...text } })
      app.get('/contract', async (_request, reply) => {
        reply.header('etag', '"contract"').header('content-disposition', 'attachment; filename="contract.pdf"')
        reply.header('content-range', 'bytes */9')
        throw error('told')
      })
      const { headers } = await app.inject('/contract')
      expect(headers).to.include({ 'content-range': 'bytes */9' })
      expect(headers).to.not.have.any.keys('etag', 'content-disposition')
      await app.close()
    }
  })

  it('has a status for every kind', () => {
    expect(Object.keys(statusOfKind)).to.have.members(statuses.map(([kind]) => kind))
  })

  it('answers 200 always, when the operator asks for that', async () => {
    const app = await serverWith({}, { errorsStatus: 'always-200' })
    for (const [method, url] of [
      ['GET', '/api/a/b/c'],
      ['GET', '/elsewhere'],
      ['DELETE', '/api'],
      ['GET', '/api/count?count=x'],
      ['GET', '/api/%zz'],
    ] as const) {
      const answer = await app.inject({ method, url })
      expect(answer.statusCode, url).to.equal(200)
      expect(answer.json(), url).to.have.all.keys(
        answer.json().details ? ['message', 'requestID', 'code', 'details'] : ['message', 'requestID', 'code'],
      )
    }
    await app.close()
  })

  it('answers 507 when the disk of the database is full', async () => {
    const full = Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
    const app = await serverWith({ greet: () => Promise.reject(full) })
    const answer = await app.inject(send)
    expect([answer.statusCode, answer.json().code]).to.deep.equal([507, 'databaseFull'])
    await app.close()
  })

  it('answers 503 and when to try again while the database cannot be reached', async () => {
    const database = knex({ client: 'mysql2', connection: { host: '127.0.0.1', port: 1 } })
    const app = await serverWith({ greet: () => database.raw('select 1') })
    const answer = await app.inject(send)
    expect([answer.statusCode, answer.json().code]).to.deep.equal([503, 'databaseUnavailable'])
    expect(answer.headers['retry-after']).to.equal('10')
    expect(answer.body).to.not.include('127.0.0.1')
    await database.destroy()
    await app.close()
  })

  it('answers 503 when the kernel has no memory for a buffer', async () => {
    const app = await serverWith({ greet: () => Promise.reject(new RangeError('Array buffer allocation failed')) })
    const answer = await app.inject(send)
    expect([answer.statusCode, answer.json().code, answer.json().details]).to.deep.equal([
      503,
      'serviceBusy',
      { resource: 'memory' },
    ])
    await app.close()
  })

  it('never reveals the message of an unknown failure', async () => {
    for (const thrown of [
      new Error('password=1'),
      'password=1',
      null,
      Object.assign(new Error('no'), { statusCode: 418 }),
    ]) {
      const app = await serverWith({
        greet() {
          throw thrown
        },
      })
      const answer = await app.inject(send)
      expect(answer.statusCode).to.equal(500)
      expect(answer.json()).to.include({ message: 'Unexpected error', code: 'unexpected' })
      expect(answer.body).to.not.include('password')
      await app.close()
    }
  })

  it('knows an error of a second copy of core by its name and kind', async () => {
    const foreign = Object.assign(new Error('Access denied'), {
      name: 'RegistryError',
      kind: 'forbidden',
      code: 'accessDenied',
    })
    const app = await serverWith({
      greet() {
        throw foreign
      },
    })
    expect((await app.inject(send)).statusCode).to.equal(403)
    await app.close()
  })
})

describe('addresses', () => {
  it('that do not exist answer 404 with "Invalid API route"', async () => {
    const app = await serverWith()
    for (const url of ['/', '/api/a/b/c', '/elsewhere', '/api/%zz', `/api/${'a'.repeat(2000)}`]) {
      const answer = await app.inject({ url })
      expect(answer.json(), url).to.include({ message: 'Invalid API route', code: 'invalidRoute' })
      expect(answer.statusCode, url).to.equal(404)
    }
    await app.close()
  })

  it('answer 405 with Allow to methods that they have not', async () => {
    const app = await serverWith()
    for (const [method, url, allow] of [
      ['DELETE', '/api', 'POST'],
      ['GET', '/api', 'POST'],
      ['POST', '/api/count', 'GET, HEAD'],
      ['PUT', '/api/AAAAAAAAAAAAAAAA', 'GET, HEAD'],
      ['GET', '/api/abc/data', 'POST'],
    ] as const) {
      const answer = await app.inject({ method, url })
      expect(answer.json(), url).to.include({ message: 'Invalid HTTP request method' })
      expect(answer.statusCode, url).to.equal(405)
      expect(answer.headers.allow, url).to.equal(allow)
    }
    await app.close()
  })

  it('read numbers and booleans out of their queries, and refuse others', async () => {
    const app = await serverWith()
    expect((await app.inject({ url: '/api/count?count=5&deep=true' })).json()).to.deep.equal({ count: 5, deep: true })
    const answer = await app.inject({ url: '/api/count?count=five' })
    expect(answer.json()).to.deep.include({ message: 'Invalid URL query parameter', code: 'invalidQueryParameter' })
    expect(answer.json().details).to.deep.equal({ part: 'querystring', path: '/count', problem: 'must be integer' })
    await app.close()
  })
})

describe('every JSON answer', () => {
  it('is safe inside <script>', async () => {
    const app = await serverWith()
    const name = '</script><!--&\u2028\u2029'
    const answer = await app.inject({ ...send, payload: { name } })
    expect(answer.body).to.not.match(/[<>&\u2028\u2029]/)
    expect(answer.body).to.include('\\u003c/script\\u003e\\u003c!--\\u0026\\u2028\\u2029')
    expect(answer.json()).to.deep.equal({ name })
    await app.close()
  })
})
