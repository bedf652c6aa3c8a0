import { expect } from 'chai'
import { lineLogger, logConsole, registryLogger, shortLine } from '#host/monitoring/logging.js'
import { readableLog, readableLogger } from '#host/monitoring/readable-log.js'
import { buildServer } from '#host/server.js'

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

  it('has probes at debug, as long as they are answered well', async () => {
    const probed = buildServer({
      logLevel: 'info',
      errorsStatus: 'semantic',
      logStream: { write: (line) => void lines.push(line) },
    })
    probed.get('/healthz', { config: { isProbe: true } }, async () => ({}))
    await probed.inject('/healthz')
    await probed.close()
    expect(lines).to.deep.equal([])
  })

  it('has what libraries say on the console', () => {
    const restore = logConsole(app.log)
    try {
      console.error('Warning: got packets out of order. Expected %d but received %d', 1, 0)
    } finally {
      restore()
    }
    expect(JSON.parse(lines[0] ?? '')).to.include({
      level: 40,
      from: 'console',
      msg: 'Warning: got packets out of order. Expected 1 but received 0',
    })
  })

  it('is readable on a terminal also before there is a host, without information', () => {
    const written: string[] = []
    const early = readableLogger((text) => void written.push(text))
    const log = registryLogger(() => undefined, early)
    log.info('nothing')
    log.warn('Waiting for another host', { holder: 'other/77', remainingMs: 9000 })
    expect(written.join('')).to.match(
      /^\d\d:\d\d:\d\d \S*warn\S* Waiting for another host holder=other\/77 remainingMs=9000\n$/,
    )
  })

  it('is formatted for people on a terminal', () => {
    const written: string[] = []
    const log = readableLog((text) => void written.push(text))
    const line = {
      level: 30,
      time: 0,
      msg: 'request',
      method: 'GET',
      path: '/api',
      status: 404,
      ms: 1.5,
      code: 'x',
      requestID: 'r',
    }
    log.write(JSON.stringify(line))
    log.write(JSON.stringify({ level: 40, time: 0, msg: 'odd', check: 'trust', err: { message: 'why' } }))
    expect(written[0]).to.match(/^\d\d:\d\d:\d\d info GET \/api 404 1.5 ms x r\n$/)
    expect(written[1]).to.match(/ odd check=trust\n {2}why\n$/)
  })

  it('sends the request id of the log with each answer', async () => {
    const { headers } = await app.inject('/nowhere')
    expect(headers['x-request-id']).to.equal(JSON.parse(lines[0] ?? '').requestID)
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

describe('the log of a host with workers', () => {
  const facts = { level: 30, time: 1, pid: 2, hostname: 'here', worker: 1, requestID: 'r', msg: 'request' }
  const line = (more: object) => `${JSON.stringify({ ...facts, ...more })}\n`

  it('has lines that a pipe takes in one piece, with what is most important of longer ones', () => {
    expect(shortLine(line({ path: '/a' }))).to.equal(line({ path: '/a' }))
    const cut = shortLine(line({ path: `/${'ы'.repeat(5000)}`, err: { stack: 'x'.repeat(3000) } }))
    expect(Buffer.byteLength(cut)).to.be.at.most(4096)
    expect(JSON.parse(cut)).to.deep.include({ ...facts, err: { stack: 'x'.repeat(200) } })
    const bare = shortLine(line({ many: Array.from({ length: 3000 }, (_, n) => n) }))
    expect(JSON.parse(bare)).to.deep.equal({ ...facts, isCut: true })
  })

  it('has the number of the worker in its lines', () => {
    const lines: string[] = []
    const logStream = { write: (said: string) => void lines.push(said) }
    buildServer({ logLevel: 'info', errorsStatus: 'semantic', worker: 2, logStream }).log.info('here')
    expect(JSON.parse(lines[0] ?? '')).to.include({ worker: 2, pid: process.pid, msg: 'here' })
  })

  it('has lines of the process that starts them, by level, for programs or for people', () => {
    const said: string[] = []
    const write = (text: string) => void said.push(text)
    lineLogger('info', write, false)('info', 'here', { worker: 2 })
    lineLogger('error', write, false)('info', 'not said')
    lineLogger('silent', write, false)('error', 'not said')
    lineLogger('info', write, true)('error', 'there')
    expect(said).to.have.length(2)
    expect(JSON.parse(said[0] ?? '')).to.include({ level: 30, worker: 2, msg: 'here' })
    expect(said[1]).to.match(/error.* there\n$/)
  })
})
