import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DevAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { type HostProcess, startHostProcess } from '../support/host-process.js'
import { postJson, request } from '../support/http.js'
import { until } from '../support/until.js'

const REGISTRATIONS = 10

describe('two hosts of different databases that were given one DATA_DIR', () => {
  const folder = mkdtempSync(join(tmpdir(), 'registry-one-folder-'))
  let hosts: HostProcess[] = []
  after(async () => {
    for (const host of hosts) await host.end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  })

  it('both register, started at once; a log that finds the checkpoint of the other is not signed, and says so', async () => {
    hosts = ['one', 'other'].map((name) =>
      startHostProcess({ DATABASE_URL: `sqlite:${join(folder, name)}.sqlite`, DATA_DIR: folder }),
    )
    const urls = await Promise.all(hosts.map(({ url }) => url))
    const person = DevAuthorities.create({ folder: join(folder, 'dev-authorities') }).named('person-1')
    const register = async (url: string, text: string) => {
      const signature = person.signCms(Buffer.from(text)).toString('base64')
      return (await postJson(`${url}/api`, { title: text, signature })).status
    }
    const all = urls.flatMap((url) => Array.from({ length: REGISTRATIONS }, (_, n) => register(url, `${n}`)))
    expect(new Set(await Promise.all(all))).to.deep.equal(new Set([200]))
    const logs = () => Promise.all(urls.map(async (url) => (await request<{ log: string }>(`${url}/readyz`)).json.log))
    // Both are well until one has signed, and the other finds its checkpoint beside the key.
    await until(async () => (await logs()).includes('stale'))
  })
})
