import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DevAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { type HostProcess, startHostProcess } from '../support/host-process.js'
import { postJson } from '../support/http.js'
import { getAs, logInOverHttp } from '../support/login-over-http.js'
import { mariaDbProgram } from '../support/mariadb.js'
import { type Replicated, startReplicated } from '../support/replica.js'
import { until } from '../support/until.js'

const onMariaDb = mariaDbProgram === undefined ? describe.skip : describe

interface Documents {
  readonly documents: readonly { readonly title: string }[]
}

onMariaDb('a host whose user at the replica may select, and nothing else', () => {
  let servers: Replicated
  let host: HostProcess
  let folder: string
  before(async () => {
    servers = await startReplicated()
    folder = mkdtempSync(join(tmpdir(), 'registry-replica-host-'))
  })
  after(async () => {
    await host?.end('SIGTERM')
    await servers?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('lists what was just registered, from the replica', async () => {
    const { primary, replica } = await servers.createDatabase()
    const reader = Object.assign(new URL(replica), { username: 'reader', password: 'secret' })
    await servers.tell(
      'set sql_log_bin = 0',
      "create user reader@'127.0.0.1' identified by 'secret'",
      `grant select on ${reader.pathname.slice(1)}.* to reader@'127.0.0.1'`,
    )
    host = startHostProcess({ DATABASE_URL: primary, DATABASE_READ_URL: String(reader), DATA_DIR: folder })
    const url = await host.url
    const people = DevAuthorities.create({ folder: join(folder, 'dev-authorities') })
    const person = people.named('person-1')
    const cookie = await logInOverHttp(url, people.named('person-1-auth'))
    const titles = async () => {
      const { status, json } = await getAs<Documents>(`${url}/api`, cookie)
      expect(status).to.equal(200)
      return json.documents.map(({ title }) => title).sort()
    }
    const byReplica = async () => {
      const text = await (await fetch(`${url}/metrics`)).text()
      return Number(/^registry_replica_reads_total\{by="replica"\} (\d+)$/m.exec(text)?.[1] ?? 0)
    }
    await until(async () => {
      await titles()
      return (await byReplica()) > 0
    })
    const before = await byReplica()
    const all: string[] = []
    for (let n = 10; n < 30; n += 1) {
      const title = `Contract ${n}`
      const signature = person.signCms(Buffer.from(title)).toString('base64')
      expect((await postJson(`${url}/api`, { title, signature })).status).to.equal(200)
      all.push(title)
      expect(await titles()).to.deep.equal(all)
    }
    await until(async () => {
      expect(await titles()).to.deep.equal(all)
      return (await byReplica()) > before
    })
  })
})
