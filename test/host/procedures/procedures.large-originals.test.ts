import { ArchiveStore, Database, provideValue } from '@signed-registry/core'

import { devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { forEachDatabase } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { request } from '../../support/http.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { MemoryStore } from '../../support/memory-store.js'
import { UNTITLED } from '../../support/packages.js'
import { presentAuthorities } from '../../support/pki/authorities.js'

const HOUR = 60 * 60_000
const MAX_BYTES = 100

forEachDatabase((open) => {
  describe('originals that are too large for the app', () => {
    let host: TestHost
    let cookie: string
    before(async () => {
      const authorities = presentAuthorities()
      host = await startTestHost(open, {
        plugins: [
          devAuthorities({ authorities }),
          { name: 'memory', provides: [provideValue(ArchiveStore, new MemoryStore())] },
        ],
        registry: { limits: { procedureBytes: MAX_BYTES } },
      })
      cookie = await logInOverHttp(host.url, authorities.person())
    })
    after(() => host.close())

    const post = async <T>(path: string, body: object | Uint8Array<ArrayBuffer>) => {
      const isBytes = body instanceof Uint8Array
      const type = isBytes ? 'application/octet-stream' : 'application/json'
      const headers = { cookie, 'content-type': type }
      return request<T>(`${host.url}/api${path}`, {
        method: 'POST',
        headers,
        body: isBytes ? body : JSON.stringify(body),
      })
    }
    /** A package of two documents of these sizes. */
    const register = async (sizes: readonly number[]) => {
      const documentsSettings = { tempStorageAfterRegistration: HOUR }
      const documents = sizes.map(() => UNTITLED)
      const { json } = await post<{ packageId: string; documentsIds: string[] }>('/package', {
        ...{ ...UNTITLED, documents, documentsSettings },
      })
      for (const [at, id] of json.documentsIds.entries()) {
        const { status, text } = await post(`/${id}/data`, Buffer.alloc(sizes[at] ?? 0, id))
        expect(status, text).to.equal(200)
      }
      return json
    }

    it('begin nothing: those of a procedure are counted together', async () => {
      const { packageId, documentsIds } = await register([MAX_BYTES, 1])
      const begin = (path: string) => post<{ code: string; details: object }>(path, { description: 'Sign' })
      const { status, json } = await begin(`/package/${packageId}/govQr`)
      expect([status, json.code, json.details]).to.deep.equal([413, 'originalsTooLarge', { limit: MAX_BYTES }])
      const [large = ''] = (await register([MAX_BYTES + 1])).documentsIds
      const alone = await begin(`/${large}/govQr`)
      expect([alone.status, alone.json.code, alone.json.details]).to.deep.equal([
        413,
        'originalsTooLarge',
        { limit: MAX_BYTES },
      ])
      expect(await host.registry.get(Database).query('registry_procedures')).to.deep.equal([])
      for (const id of documentsIds) expect((await begin(`/${id}/govQr`)).status).to.equal(200)
    })
  })
})
