import { Readable } from 'node:stream'
import { anonymous, type Registry } from '@signed-registry/core'

import { FixDigests, GetDocument, RegisterDocument } from '@signed-registry/core/documents'
import { GetUserSettings, SaveUserSettings } from '@signed-registry/core/settings'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { personCaller, registryWithoutAuthorities, systemCaller } from '../support/core-registry.js'
import { openSqlite } from '../support/databases.js'
import { rejectionOf } from '../support/refusal.js'

/** Calls without the compiler, as plain JavaScript does. */
const call = (registry: Registry, Operation: Parameters<Registry['get']>[0], ...args: unknown[]) =>
  (registry.get(Operation) as { execute(...args: unknown[]): Promise<unknown> }).execute(...args)

describe('operations that are called in process', () => {
  let registry: Registry
  before(async () => {
    registry = await registryWithoutAuthorities(await openSqlite())
  })
  after(() => registry.close())
  const refusal = async (attempt: Promise<unknown>) => {
    const { code, details } = await rejectionOf(attempt)
    return { code, part: details?.part, path: details?.path }
  }

  it('refuse callers of no kind, each of them', async () => {
    const callers = [
      undefined,
      null,
      'IIN123456789011',
      {},
      { kind: 'person' },
      { kind: 'person', iin: 'x' },
      { kind: 'admin' },
    ]
    let asked = 0
    for (const { Class } of registry.operations) {
      if (Class.prototype.execute.length === 0) continue
      asked += 1
      for (const caller of callers) {
        const { code, part } = await refusal(call(registry, Class, caller, {}))
        expect({ code, part }, Class.name).to.deep.equal({ code: 'invalidJsonStructure', part: 'caller' })
      }
    }
    expect(asked).to.be.above(25)
  })

  it('refuse bodies that HTTP would refuse, and store nothing', async () => {
    const system = systemCaller()
    const bodies: [body: unknown, path: string][] = [
      [undefined, ''],
      [[], ''],
      [{ title: 7 }, '/title'],
      [{ title: 'a.txt', settings: { private: 'yes' } }, '/settings/private'],
    ]
    for (const [request, path] of bodies) {
      const refused = await refusal(call(registry, RegisterDocument, system, { request }))
      expect(refused).to.deep.equal({ code: 'invalidJsonStructure', part: 'body', path })
    }
    const { query } = registry.get(Database)
    expect(await query('registry_documents').first()).to.equal(undefined)
    const wrong = await refusal(
      call(registry, SaveUserSettings, personCaller(), { request: { email: { at: 'b.kz' } } }),
    )
    expect(wrong).to.include({ code: 'invalidJsonStructure', path: '/email' })
  })

  it('refuse parameters and queries that HTTP would refuse', async () => {
    for (const input of [undefined, {}, { id: 7 }, { id: 'a', query: { lastSignId: 'x' } }]) {
      const { code } = await refusal(call(registry, GetDocument, anonymous, input))
      expect(code).to.equal('invalidQueryParameter')
    }
  })

  it('take originals from whatever can be iterated, and nothing else', async () => {
    const fix = (upload: unknown) => refusal(call(registry, FixDigests, anonymous, { id: '0'.repeat(16), upload }))
    const none = { code: 'documentNotFound', part: undefined, path: undefined }
    for (const stream of [[Buffer.from('a')], new Set([Buffer.from('a')]), Readable.from([Buffer.from('a')])]) {
      expect(await fix({ size: 1, stream })).to.deep.equal(none)
    }
    for (const upload of [undefined, {}, { size: 1 }, { size: -1, stream: [] }, { size: 1, stream: 'a' }]) {
      expect(await fix(upload)).to.include({ code: 'invalidJsonStructure', part: 'upload' })
    }
  })

  it('take what is right as it is', async () => {
    await registry.get(SaveUserSettings).execute(personCaller(), { request: { email: 'a@b.kz' } })
    expect((await registry.get(GetUserSettings).execute(personCaller())).email).to.equal('a@b.kz')
  })
})

describe('closing a registry', () => {
  it('twice is as once', async () => {
    const registry = await registryWithoutAuthorities(await openSqlite())
    await Promise.all([registry.close(), registry.close()])
    await registry.close()
  })
})
