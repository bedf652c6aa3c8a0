import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { jsonFault, MAX_JSON_BESIDE_TEXT, MAX_JSON_DEPTH } from '#host/http/json-body.js'
import { listen, serverWith } from '../../support/api-scope.js'
import { postJson, request } from '../../support/http.js'

describe('a JSON body', () => {
  let app: FastifyInstance
  let url: string
  before(async () => {
    app = await serverWith({}, { limits: { json: 4096, upload: 4096 } })
    url = `${await listen(app)}/api`
  })
  after(() => app.close())

  const refused = async (body: string, message: string, status = 400) => {
    const answer = await postJson(url, body)
    expect(answer.json).to.include({ message })
    expect(answer.json.requestID).to.match(/^[A-Za-z0-9]{16}$/)
    expect(answer.status).to.equal(status)
    return answer
  }

  it('is taken as it is, unknown fields and all', async () => {
    const body = { name: 'Әсем', unknown: { a: 1 } }
    expect((await postJson(url, body)).json).to.deep.equal(body)
  })

  it('is refused when it is not JSON, empty, or not UTF-8', async () => {
    for (const body of ['{', '', 'hello', '{"name":"a"} x']) await refused(body, 'Failed to parse JSON')
    const latin = Buffer.from('{"name":"\xe9"}', 'latin1')
    const answer = await request(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: latin })
    expect(answer.json).to.include({ message: 'Failed to parse JSON', code: 'jsonNotParsed' })
  })

  it('is refused when it would change prototypes', async () => {
    await refused('{"name":"a","__proto__":{"isAdmin":true}}', 'Failed to parse JSON')
    await refused('{"name":"a","friends":[{"\\u005f_proto__":1}]}', 'Failed to parse JSON')
    await refused('{"name":"a","constructor":{"prototype":{}}}', 'Failed to parse JSON')
  })

  it('is refused when nested too deeply, whatever its strings say', async () => {
    const nested = (depth: number) => `{"name":"\\"[[[","friends":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect((await postJson(url, nested(MAX_JSON_DEPTH - 1))).status).to.equal(200)
    await refused(nested(MAX_JSON_DEPTH), 'Failed to parse JSON')
    await refused('['.repeat(2000), 'Failed to parse JSON')
  })

  it('is never coerced: wrong types are refused and named', async () => {
    for (const body of ['{"name":5}', '{"name":"a","age":"5"}', '{}', '[]', 'null', '"a"'])
      await refused(body, 'Invalid JSON request structure')
    const { json } = await refused('{"name":"a","age":1.5}', 'Invalid JSON request structure')
    expect(json.details).to.deep.equal({ part: 'body', path: '/age', problem: 'must be integer' })
  })

  it('is refused above the limit, declared or not', async () => {
    await refused(JSON.stringify({ name: 'a'.repeat(5000) }), 'Request body is too large', 413)
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(Buffer.alloc(1024, 32))
      },
    })
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' }
    const answer = await request(url, init as RequestInit).catch(() => undefined)
    if (answer) expect(answer.json.message).to.equal('Request body is too large')
  })

  it('needs Content-Type: application/json', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream', 'nonsense']) {
      const answer = await request(url, { method: 'POST', headers: { 'content-type': type }, body: '{"name":"a"}' })
      expect(answer.json).to.include({ message: 'Invalid HTTP request headers', code: 'unsupportedMediaType' })
      expect(answer.json.details).to.deep.equal({ expected: 'application/json' })
      expect(answer.status).to.equal(415)
    }
  })

  it('is not unpacked: a content coding is refused', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const answer = await request(url, { method: 'POST', headers, body: new Uint8Array(gzipSync('{"name":"a"}')) })
    expect(answer.json).to.include({ message: 'Invalid HTTP request headers', code: 'unsupportedMediaType' })
    expect(answer.json.details).to.deep.equal({ expected: 'identity' })
    expect(answer.headers.get('accept-encoding')).to.equal('identity')
    expect(answer.status).to.equal(415)
  })

  it('tells where JSON breaks off, and of keys that nobody may send', async () => {
    const send = (body: string) =>
      request(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect((await send('{"name":\n  oops}')).json).to.deep.include({
      code: 'jsonNotParsed',
      details: { line: 2, column: 3 },
    })
    expect((await send('{"name":"a"')).json.details).to.deep.equal({ line: 1, column: 12 })
    expect((await send('{"__proto__":{}}')).json.details).to.deep.equal({
      problem: 'a key that is not allowed, such as __proto__',
    })
  })

  it('is measured as a parser would', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
    const countOf = (value: unknown): number => {
      if (typeof value !== 'object' || value === null) return 0
      const inside = Object.values(value)
      return Math.max(1, inside.length) + inside.reduce((sum: number, one) => sum + countOf(one), 0)
    }
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 40 }), (value) => {
        const json = Buffer.from(JSON.stringify(value, null, 1))
        const count = countOf(value)
        expect(jsonFault(json, count)).to.equal(depthOf(value) > MAX_JSON_DEPTH ? 'tooDeep' : undefined)
        if (count > 0) expect(jsonFault(json, count - 1)).to.be.oneOf(['tooMany', 'tooDeep'])
      }),
      { seed: 7 },
    )
  })

  it('may have any escapes in its texts, and only so much beside them', () => {
    const measured = (json: string) => jsonFault(Buffer.from(json), 1)
    for (const text of ['\\\\', '\\"', '\\\\\\"', 'a\\\\\\\\', '[[[,,,', '\\"[[,,'])
      expect(measured(`{"${text}":1}`), text).to.equal(undefined)
    expect(measured(`{"a":"\\\\","b":1}`)).to.equal('tooMany')
    expect(measured(`"${'a'.repeat(2 * MAX_JSON_BESIDE_TEXT)}"`)).to.equal(undefined)
    expect(measured(' '.repeat(MAX_JSON_BESIDE_TEXT + 1))).to.equal('tooMany')
    expect(measured('1'.repeat(MAX_JSON_BESIDE_TEXT + 1))).to.equal('tooMany')
  })
})
