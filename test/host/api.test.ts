import { mock } from 'node:test'
import { createRegistry, type Registry } from '@signed-registry/core'

import { GetLog } from '@signed-registry/core/log'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { defaultRates, registryApi } from '@signed-registry/host'
import { expect } from 'chai'
import Fastify, { type FastifyInstance } from 'fastify'
import { LogWorker } from '#core/log/log-worker.js'
import { openSqlite } from '../support/databases.js'
import { LOG_KEY } from '../support/log-key.js'
import { presentAuthorities } from '../support/pki/authorities.js'
import { trustingApi } from '../support/trusting-api.js'

describe('registryApi in somebody else’s application', () => {
  const authorities = presentAuthorities()
  let registry: Registry
  let app: FastifyInstance
  before(async () => {
    const plugins = [devAuthorities({ authorities })]
    registry = await createRegistry({ database: await openSqlite(), plugins, log: { key: LOG_KEY } })
    app = Fastify()
    app.setErrorHandler((error, _request, reply) => reply.code(418).send({ theirs: String(error) }))
    app.setNotFoundHandler((_request, reply) => reply.code(404).send('theirs'))
    app.post('/theirs', async (request) => request.body)
    app.get('/theirs', async () => ({ text: '<b>' }))
    app.get('/fails', async () => {
      throw new Error('theirs')
    })
    await app.register(registryApi, {
      prefix: '/registry',
      registry,
      limits: { json: 20_000, upload: 10 },
      ...trustingApi,
    })
  })
  after(async () => {
    await app.close()
    await registry.close()
  })

  it('limits rates as the stock host does, unless it is told otherwise', async () => {
    const now = performance.now()
    const clock = mock.method(performance, 'now', () => now)
    const limited = Fastify()
    await limited.register(registryApi, { registry, sessionSecrets: trustingApi.sessionSecrets })
    const ask = async () => (await limited.inject('/api/version')).statusCode
    for (let asked = 0; asked < defaultRates.anonymous; asked += 1) expect(await ask()).to.equal(200)
    expect(await ask()).to.equal(429)
    await limited.close()
    clock.mock.restore()
  })

  it('serves the API under its prefix', async () => {
    const signature = authorities.person().signCms(Buffer.from('a')).toString('base64')
    const registered = await app.inject({ method: 'POST', url: '/registry/api', payload: { signature } })
    expect(registered.statusCode, registered.body).to.equal(200)
    const { documentId } = registered.json()
    expect((await app.inject(`/registry/api/${documentId}`)).json().signaturesTotal).to.equal(1)
    const fixed = await app.inject({
      method: 'POST',
      url: `/registry/api/${documentId}/data`,
      headers: { 'content-type': 'application/octet-stream' },
      payload: Buffer.from('a'),
    })
    expect(fixed.statusCode, fixed.body).to.equal(200)
  })

  it('serves the log under its prefix, to pages of every origin', async () => {
    const signature = authorities.person().signCms(Buffer.from('text')).toString('base64')
    await app.inject({ method: 'POST', url: '/registry/api', payload: { signature } })
    await registry.get(LogWorker).run()
    const { address, size, checkpoint } = await registry.get(GetLog).execute()
    const log = `/registry${new URL(address).pathname}`
    const { body, headers } = await app.inject(`${log}/checkpoint`)
    expect(body).to.equal(checkpoint)
    expect(headers).to.include({ 'access-control-allow-origin': '*' })
    expect((await app.inject(`${log}/tile/0/000.p/${size}`)).rawPayload).to.have.lengthOf(32 * size)
    const refused = await app.inject(`${log}/tile/0/000`)
    expect([refused.statusCode, refused.json().code]).to.deep.equal([404, 'logNotFound'])
  })

  it('answers errors and applies limits of its own inside', async () => {
    expect((await app.inject('/registry/api/nothing/here/at/all')).json()).to.include({ message: 'Invalid API route' })
    expect((await app.inject({ method: 'DELETE', url: '/registry/api/version' })).statusCode).to.equal(405)
    const large = await app.inject({ method: 'POST', url: '/registry/api', payload: { title: 'a'.repeat(30_000) } })
    expect(large.json()).to.include({ message: 'Request body is too large' })
  })

  it('leaves everything outside as it was', async () => {
    expect((await app.inject('/elsewhere')).body).to.equal('theirs')
    expect((await app.inject('/fails')).json()).to.deep.equal({ theirs: 'Error: theirs' })
    expect((await app.inject('/theirs')).body).to.equal('{"text":"<b>"}')
    const payload = 'text'
    const text = await app.inject({
      method: 'POST',
      url: '/theirs',
      headers: { 'content-type': 'text/plain' },
      payload,
    })
    expect(text.body).to.equal('text')
  })
})
