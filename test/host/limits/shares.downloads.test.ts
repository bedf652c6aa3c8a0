import { once } from 'node:events'
import { ArchiveStore, Ledger, provideValue } from '@signed-registry/core'

import { devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { openSocket, postJson, request } from '../../support/http.js'
import { MemoryStore } from '../../support/memory-store.js'
import { UNTITLED } from '../../support/packages.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { until } from '../../support/until.js'

/** More than the kernel takes for a client that reads nothing. */
const SIZE = 16 * 2 ** 20
const DAY = 24 * 60 * 60_000

describe('the share of downloads', () => {
  let host: TestHost
  before(async () => {
    const authorities = presentAuthorities()
    const archive = { name: 'memory', provides: [provideValue(ArchiveStore, new MemoryStore())] }
    host = await startTestHost(openSqlite, {
      authorities,
      plugins: [devAuthorities({ authorities }), archive],
      proxies: { trusted: ['127.0.0.1'], certificateHeader: undefined },
      trustedProxies: ['127.0.0.1'],
      registry: { shares: { downloads: { stranger: 1 } } },
    })
  })
  after(() => host.close())

  it('bounds originals that one address reads slowly, until it is gone', async () => {
    const documentsSettings = { tempStorageAfterRegistration: DAY, publicDuringPreregistration: true }
    const { json } = await postJson<{ documentsIds: string[]; dataSecret: string }>(`${host.url}/api/package`, {
      ...{ ...UNTITLED, documentsSettings, documents: [UNTITLED] },
    })
    const data = `/api/${json.documentsIds[0]}/data`
    const headers = { 'content-type': 'application/octet-stream' }
    const body = Buffer.alloc(SIZE)
    await request(`${host.url}${data}?dataSecret=${json.dataSecret}`, { method: 'POST', headers, body })

    const slow = await openSocket(host.url)
    slow.write(`GET ${data} HTTP/1.1\r\nHost: a\r\n\r\n`)
    await once(slow, 'readable')
    const again = () => request(`${host.url}${data}`)
    const refused = await again()
    expect([refused.status, refused.json.code, refused.headers.get('retry-after')]).to.deep.equal([
      429,
      'shareTaken',
      '5',
    ])
    const other = await request(`${host.url}${data}`, { headers: { 'x-forwarded-for': '198.51.100.1' } })
    expect(other.status).to.equal(200)
    expect(host.registry.get(Ledger).state().downloads.all).to.equal(1)
    slow.destroy()
    await until(async () => (await again()).status === 200)
    await until(async () => host.registry.get(Ledger).state().downloads.all === 0)
  })
})
