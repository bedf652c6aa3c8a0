import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Caller, Registry } from '@signed-registry/core'
import { anonymous } from '@signed-registry/core'
import { ListDocuments, RegisterDocument } from '@signed-registry/core/documents'
import type { Subject } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { Database } from '#core/database/database.js'
import { openDatabase } from '#core/database/open.js'
import { mariaDbProgram } from '../../support/mariadb.js'
import { RecordingLogger } from '../../support/recording-logger.js'
import { testRegistry } from '../../support/registry.js'
import { type Replicated, startReplicated } from '../../support/replica.js'
import { until } from '../../support/until.js'

const onMariaDb = mariaDbProgram === undefined ? describe.skip : describe
const ME: Caller = { kind: 'person', iin: 'IIN900101300010' }

onMariaDb('a registry with a replica', () => {
  let servers: Replicated
  let logger: RecordingLogger
  let registry: Registry
  let signer: Subject
  before(async function () {
    this.timeout(120_000)
    servers = await startReplicated(2)
  })
  after(() => servers?.stop())
  afterEach(async () => {
    await registry.close()
    await servers.release()
  })

  /** Opens a registry; of its lists the replica answers from the first on, unless it may not. */
  async function open(): Promise<void> {
    const { primary, replica } = await servers.createDatabase()
    await openAt(primary, replica)
  }

  async function openAt(primary: string, replica: string): Promise<void> {
    logger = new RecordingLogger()
    const test = await testRegistry(primary, { replica, logger })
    registry = test.registry
    signer = test.authorities.person({ iin: '900101300010' })
  }

  const figures = () => registry.get(Database).replicaFigures ?? { replica: 0, primary: 0 }
  const register = async (title: string) => {
    const signature = signer.signCms(Buffer.from(title)).toString('base64')
    await registry.get(RegisterDocument).execute(anonymous, { request: { title, signature } })
  }
  const titles = async () => {
    const { documents } = await registry.get(ListDocuments).execute(ME, {})
    return documents.map(({ title }) => title).sort()
  }
  const warnings = () => logger.about(/the replica cannot answer/).length
  /** Who answered the reads of `work`. */
  const answering = async <T>(work: () => Promise<T>) => {
    const before = figures()
    const { replica, primary } = { ...before }
    const answer = await work()
    return { answer, replica: figures().replica - replica, primary: figures().primary - primary }
  }
  const untilUsed = () => until(async () => (await answering(titles)).replica > 0)

  it('reads lists there, each with everything that was registered before', async () => {
    await open()
    await untilUsed()
    const all: string[] = []
    const { replica } = await answering(async () => {
      for (let n = 10; n < 40; n++) {
        all.push(`Contract ${n}`)
        await register(`Contract ${n}`)
        expect(await titles()).to.deep.equal(all)
      }
    })
    expect(replica).to.be.above(0)
    await untilUsed()
    const search = { query: { searchQuery: 'contract 39' } }
    const found = await answering(() => registry.get(ListDocuments).execute(ME, search))
    expect(found.answer.documents.map(({ title }) => title)).to.deep.equal(['Contract 39'])
    expect(found.replica + found.primary).to.be.above(3)
  })

  it('reads at the primary what a replica that is held has not got, says so once, and goes back', async () => {
    await open()
    await untilUsed()
    await servers.hold()
    const said = warnings()
    await register('first')
    const held = await answering(titles)
    expect(held.answer).to.deep.equal(['first'])
    expect(held.replica, 'answered behind').to.equal(0)
    expect(held.primary).to.be.above(0)
    await register('second')
    expect(await titles()).to.deep.equal(['first', 'second'])
    expect(warnings() - said).to.equal(1)
    await servers.release()
    await untilUsed()
    expect(await titles()).to.deep.equal(['first', 'second'])
  })

  it('reads at the primary while the replica is down, and goes back when it is there again', async () => {
    await open()
    await register('first')
    await untilUsed()
    await servers.kill()
    try {
      await register('second')
      expect((await answering(titles)).answer).to.deep.equal(['first', 'second'])
    } finally {
      await servers.restart()
    }
    await untilUsed()
    expect(await titles()).to.deep.equal(['first', 'second'])
  })

  it('lets no read wait for a replica that hangs, but those which it was answering', async () => {
    await open()
    await register('first')
    await untilUsed()
    const database = registry.get(Database)
    const select = (query: Knex) => query('registry_documents').pluck('title')
    let runs = 0
    servers.freeze()
    try {
      // The first of all waits, with a frozen replica; what its work asks has to be limited, too.
      const caught = await answering(() => database.read((query) => select(query)))
      expect(caught).to.deep.equal({ answer: ['first'], replica: 0, primary: 1 })
      servers.thaw()
      await untilUsed()
      const frozenMeanwhile = await answering(() =>
        database.read((query) => {
          if (runs++ === 0) servers.freeze()
          return select(query)
        }),
      )
      expect(frozenMeanwhile).to.deep.equal({ answer: ['first'], replica: 0, primary: 1 })
    } finally {
      servers.thaw()
    }
    await untilUsed()
  })

  it('never waits at one server and reads another of the same address', async () => {
    const { primary, replica, others } = await servers.createDatabase()
    // Every second connection leads to the replica that is held, the others to one that has everything.
    const ports = [replica, ...others].map((url) => new URL(url).port)
    let connections = 0
    const balancer = createServer((client) => {
      const server = connect(Number(ports[connections++ % 2]), '127.0.0.1')
      client.on('error', () => server.destroy())
      server.on('error', () => client.destroy())
      client.pipe(server).pipe(client)
    })
    balancer.listen(0, '127.0.0.1')
    await once(balancer, 'listening')
    const address = new URL(replica)
    address.port = String(Object(balancer.address()).port)
    try {
      await openAt(primary, String(address))
      await untilUsed()
      await servers.hold()
      const all: string[] = []
      for (let n = 10; n < 30; n++) {
        all.push(`Contract ${n}`)
        await register(`Contract ${n}`)
        const [found] = await Promise.all([titles(), titles(), titles()])
        expect(found).to.deep.equal(all)
      }
    } finally {
      await registry.close()
      balancer.close()
    }
  })

  it('never reads a server that follows another database, however far its transactions have come', async () => {
    const { primary } = await servers.createDatabase()
    const other = await startReplicated()
    try {
      // The same tables under the same name, and higher numbers of transactions.
      const { pathname, port } = new URL((await other.createDatabase()).replica)
      const name = new URL(primary).pathname
      await other.tell(`create database if not exists ${name.slice(1)}`)
      const stranger = `mysql://root@127.0.0.1:${port}${name}`
      await (await testRegistry(stranger)).registry.close()
      await other.tell('stop slave', "set global gtid_slave_pos = '0-1-999999999'")
      expect(pathname).not.to.equal(name)
      await openAt(primary, stranger)
      await register('first')
      expect(await titles()).to.deep.equal(['first'])
      expect(figures().replica).to.equal(0)
      await until(async () => warnings() > 0)
      const [{ error }] = logger.about(/the replica cannot answer/) as [{ error: Error }]
      expect(error.message).to.equal('It is the replica of another database')
      const root = openDatabase(primary)
      expect(await root('registry_replica_checks').select()).to.deep.equal([])
      await root.destroy()
    } finally {
      await other.stop()
    }
  })

  it('sees at once what a transaction has changed', async () => {
    await open()
    await untilUsed()
    const database = registry.get(Database)
    const mark = 'a'.repeat(16)
    const { answer, replica } = await answering(() =>
      database.transaction(async () => {
        await database.insert('registry_replica_checks', [{ mark }])
        return database.read((query) => query('registry_replica_checks').pluck('mark'))
      }),
    )
    expect([answer, replica]).to.deep.equal([[mark], 0])
  })
})
