import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from '@signed-registry/core'
import type { BegunRawProcedure } from '@signed-registry/core/procedures'

import { DevAuthorities, DevPhone } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { forEachDatabase, openSqlite } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { startTestHost } from '../support/host.js'
import { killHostProcesses, startHostProcess } from '../support/host-process.js'
import { postJson, request } from '../support/http.js'
import { amount } from '../support/sweep.js'
import { until } from '../support/until.js'

const HELD = amount(100, 1000)
const MEGABYTE = 2 ** 20
const DATA = {
  signMethod: 'CMS_SIGN_ONLY',
  version: 1,
  documentsToSign: [{ id: 1, nameRu: 'a', meta: [], document: { file: { mime: '', data: 'YQ==' } } }],
}

describe(`${HELD} calls that are held at once`, () => {
  it('take less than 200 MB of memory, client and host together, and are all answered', async function () {
    this.timeout(900_000)
    const share = { stranger: HELD + 1, strangers: HELD + 1 }
    const shares = { procedures: share, heldCalls: share }
    const host = await startTestHost(openSqlite, { connectionsPerAddress: 0, registry: { shares } })
    const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
    try {
      const begun: BegunRawProcedure[] = []
      for (let n = 0; n < HELD; n++)
        begun.push((await postJson<BegunRawProcedure>(`${host.url}/api/govQr`, { description: '' })).json)
      globalThis.gc?.()
      const before = process.memoryUsage().rss
      const answers = begun.map(
        ({ signURL }) =>
          new Promise<number | undefined>((resolve, reject) => {
            http
              .get(signURL, { agent }, (answer) => {
                answer.resume()
                answer.on('end', () => resolve(answer.statusCode))
              })
              .on('error', reject)
          }),
      )
      const held = () => host.registry.get(Database).query('registry_held_calls').count({ total: '*' }).first()
      await until(async () => Number((await held())?.total) === HELD)
      expect((process.memoryUsage().rss - before) / MEGABYTE).to.be.below(200)
      for (const { dataURL } of begun) await request(dataURL, { method: 'DELETE' })
      expect(new Set(await Promise.all(answers))).to.deep.equal(new Set([409]))
    } finally {
      agent.destroy()
      await host.close()
    }
  })
})

forEachDatabase((open) => {
  describe('a host that is killed while it holds calls', () => {
    let folder: string
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'registry-held-'))
    })
    after(() => {
      killHostProcesses()
      rmSync(folder, { recursive: true, force: true })
    })

    it('loses no procedure, and no signature that it accepted', async () => {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const env = { DATABASE_URL: await open(), DATA_DIR: folder, PORT: String(port), BASE_URL: url }
      const start = async () => {
        const host = startHostProcess(env)
        await host.url
        return host
      }
      let host = await start()
      const { json: begun } = await postJson<BegunRawProcedure>(`${url}/api/govQr`, { description: '' })
      const sending = postJson(begun.dataURL, DATA).catch(() => 'broken')
      const waiting = request(begun.signURL).catch(() => 'broken')
      const phone = new DevPhone(DevAuthorities.create({ folder: join(folder, 'dev-authorities') }).named('person-1'))
      const announcement = await phone.open(begun.govMobileLaunchLink)
      await host.end('SIGKILL')
      // Neither gets a final answer: both retry.
      expect([await sending, await waiting]).to.deep.equal(['broken', 'broken'])
      host = await start()
      const again = postJson(begun.dataURL, DATA)
      const given = await phone.documents(announcement)
      expect((await again).status).to.equal(200)
      expect((await phone.answer(announcement, given)).status).to.equal(200)
      await host.end('SIGKILL')
      host = await start()
      const { json } = await request<typeof DATA>(begun.signURL)
      expect(json.documentsToSign).to.have.length(1)
      expect((await phone.answer(announcement, given)).status).to.equal(409)
      await host.end('SIGTERM')
    })
  })
})
