import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { ListDocuments } from '@signed-registry/core/documents'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { Database } from '#core/database/database.js'
import { openDatabase } from '#core/database/open.js'
import { mariaDbProgram } from '../../support/mariadb.js'
import { testRegistry } from '../../support/registry.js'
import { type Replicated, startReplicated } from '../../support/replica.js'
import { OWNER, openReplicated, type ReplicatedRegistry } from '../../support/replicated-registry.js'
import { until } from '../../support/until.js'

const onMariaDb = mariaDbProgram === undefined ? describe.skip : describe

onMariaDb('a registry with a replica', () => {
  let servers: Replicated
  let opened: ReplicatedRegistry
  before(async () => {
    servers = await startReplicated(2)
  })
  after(() => servers?.stop())
  afterEach(async () => {
    await opened.registry.close()
    await servers.release()
  })

  /** Opens a registry; of its lists the replica answers from the first on, unless it may not. */
  async function open(): Promise<void> {
    const { primary, replica } = await servers.createDatabase()
    opened = await openReplicated(primary, replica)
  }

  it('reads lists there, each with everything that was registered before', async () => {
    await open()
    const all: string[] = []
    let byReplica = 0
    for (let n = 10; n < 40; n++) {
      await opened.untilUsed()
      all.push(`Contract ${n}`)
      await opened.register(`Contract ${n}`)
      const { answer, replica } = await opened.answering(opened.titles)
      expect(answer).to.deep.equal(all)
      byReplica += replica
    }
    expect(byReplica).to.be.above(0)
    await opened.untilUsed()
    const search = { query: { searchQuery: 'contract 39' } }
    const found = await opened.answering(() => opened.registry.get(ListDocuments).execute(OWNER, search))
    expect(found.answer.documents.map(({ title }) => title)).to.deep.equal(['Contract 39'])
    expect(found.replica + found.primary).to.be.above(3)
  })

  it('reads at the primary what a replica that is held has not got, says so once, and goes back', async () => {
    await open()
    await opened.untilUsed()
    await servers.hold()
    await opened.register('first')
    const held = await opened.answering(opened.titles)
    expect(held.answer).to.deep.equal(['first'])
    expect(held.replica, 'answered behind').to.equal(0)
    expect(held.primary).to.be.above(0)
    await opened.register('second')
    expect(await opened.titles()).to.deep.equal(['first', 'second'])
    // Or because the replica did not have the new database yet: once a minute.
    expect(opened.reasons()).to.have.length(1)
    await servers.release()
    await opened.untilUsed()
    expect(await opened.titles()).to.deep.equal(['first', 'second'])
  })

  it('reads at the primary while the replica is down, and goes back when it is there again', async () => {
    await open()
    await opened.register('first')
    await opened.untilUsed()
    await servers.kill()
    try {
      await opened.register('second')
      expect((await opened.answering(opened.titles)).answer).to.deep.equal(['first', 'second'])
    } finally {
      await servers.restart()
    }
    await opened.untilUsed()
    expect(await opened.titles()).to.deep.equal(['first', 'second'])
  })

  it('lets no read wait for a replica that hangs, but those which it was answering', async () => {
    await open()
    await opened.register('first')
    await opened.untilUsed()
    const database = opened.registry.get(Database)
    const select = (query: Knex) => query('registry_documents').pluck('title')
    let runs = 0
    servers.freeze()
    try {
      // The first of all waits, with a frozen replica; what its work asks has to be limited, too.
      const caught = await opened.answering(() => database.read((query) => select(query)))
      expect(caught).to.deep.equal({ answer: ['first'], replica: 0, primary: 1 })
      servers.thaw()
      await opened.untilUsed()
      const frozenMeanwhile = await opened.answering(() =>
        database.read((query) => {
          if (runs++ === 0) servers.freeze()
          return select(query)
        }),
      )
      expect(frozenMeanwhile).to.deep.equal({ answer: ['first'], replica: 0, primary: 1 })
    } finally {
      servers.thaw()
    }
    await opened.untilUsed()
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
      opened = await openReplicated(primary, String(address))
      await opened.untilUsed()
      await servers.hold()
      const all: string[] = []
      for (let n = 10; n < 30; n++) {
        all.push(`Contract ${n}`)
        await opened.register(`Contract ${n}`)
        const [found] = await Promise.all([opened.titles(), opened.titles(), opened.titles()])
        expect(found).to.deep.equal(all)
      }
    } finally {
      await opened.registry.close()
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
      opened = await openReplicated(primary, stranger)
      await opened.register('first')
      expect(await opened.titles()).to.deep.equal(['first'])
      expect(opened.registry.get(Database).replicaFigures?.replica).to.equal(0)
      await until(async () => opened.reasons().length > 0)
      expect(opened.reasons()).to.deep.equal(['It is the replica of another database'])
      const root = openDatabase(primary)
      expect(await root('registry_replica_checks').select()).to.deep.equal([])
      await root.destroy()
    } finally {
      await other.stop()
    }
  })

  it('sees at once what a transaction has changed', async () => {
    await open()
    await opened.untilUsed()
    const database = opened.registry.get(Database)
    const mark = 'a'.repeat(16)
    const { answer, replica } = await opened.answering(() =>
      database.transaction(async () => {
        await database.insert('registry_replica_checks', [{ mark }])
        return database.read((query) => query('registry_replica_checks').pluck('mark'))
      }),
    )
    expect([answer, replica]).to.deep.equal([[mark], 0])
  })
})
