import { expect } from 'chai'
import { buildServer } from '../../../host/dist/server.js'

describe('the log', () => {
  const lines: string[] = []
  const app = buildServer({
    logLevel: 'info',
    errorsStatus: 'semantic',
    logStream: { write: (line) => void lines.push(line) },
  })
  app.post('/fail', async () => {
    const driver = Object.assign(new Error(`insert ${'x'.repeat(1000)} secret-value`), {
      code: 'ER_DUP_ENTRY',
      sql: "insert into t values ('secret-sql')",
    })
    throw new Error('could not store', { cause: driver })
  })
  after(() => app.close())
  beforeEach(() => {
    lines.length = 0
  })

  it('has one line for each request, without its query, headers and body', async () => {
    await app.inject({ url: '/nowhere?name=secret', headers: { authorization: 'secret', cookie: 'jwt=secret' } })
    expect(lines).to.have.lengthOf(1)
    expect(lines[0]).to.not.include('secret')
    const line = JSON.parse(lines[0] ?? '')
    expect(line).to.include({ method: 'GET', path: '/nowhere', status: 404, code: 'invalidRoute', msg: 'request' })
    expect(line.requestID).to.match(/^[A-Za-z0-9]{16}$/)
  })

  it('explains an unexpected failure under the requestID that the caller was told, without the values of statements', async () => {
    const answer = await app.inject({ method: 'POST', url: '/fail', payload: { password: 'secret' } })
    const { requestID, message } = answer.json()
    expect(message).to.equal('Unexpected error')
    const failure = JSON.parse(lines.find((line) => line.includes('unexpected error')) ?? '{}')
    expect(failure).to.include({ requestID, level: 50 })
    expect(failure.err).to.include({ type: 'Error', message: 'could not store' })
    expect(failure.err.cause).to.include({ code: 'ER_DUP_ENTRY' })
    expect(lines.join('')).to.not.match(/secret/)
  })
})
