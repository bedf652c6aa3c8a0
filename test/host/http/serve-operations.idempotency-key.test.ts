import { expect } from 'chai'
import { apiOf, type TestApi } from '../../support/api-of.js'
import { registryWithoutAuthorities } from '../../support/core-registry.js'
import { openSqlite } from '../../support/databases.js'
import { UNTITLED } from '../../support/packages.js'

const KEY = 'b1a5f0f2-7e7b-4f0e-9d3c-2f6f5c1f0a11'

describe('Idempotency-Key over HTTP', () => {
  let api: TestApi
  let close: () => Promise<void>
  before(async () => {
    const registry = await registryWithoutAuthorities(await openSqlite())
    api = await apiOf(registry)
    close = () => registry.close()
  })
  after(async () => {
    await api.app.close()
    await close()
  })

  const register = async (key: string | undefined, title = 'a') => {
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    const payload = { ...UNTITLED, documents: [{ ...UNTITLED, title }] }
    const answer = await api.app.inject({ method: 'POST', url: '/api/package', headers, payload })
    return { status: answer.statusCode, json: answer.json() }
  }

  it('has the first answer again for the same request, and a refusal for another', async () => {
    const first = await register(KEY)
    expect(first.status).to.equal(200)
    expect(await register(KEY)).to.deep.equal(first)
    const other = await register(KEY, 'b')
    expect([other.status, other.json.code]).to.deep.equal([409, 'idempotencyKeyReused'])
  })

  it('is told to be malformed', async () => {
    const refused = await register('short')
    expect([refused.status, refused.json.code]).to.deep.equal([400, 'invalidIdempotencyKey'])
  })

  it('may be left out: every request has its effect then', async () => {
    const [first, second] = [await register(undefined), await register(undefined)]
    expect(first.json.packageId).not.to.equal(second.json.packageId)
  })
})
