import { expect } from 'chai'
import type { Knex } from 'knex'
import { openDatabase } from '#core/database/open.js'
import { type ForwardTime, forwardTime } from '../../support/forward-time.js'
import { mariaDbProgram } from '../../support/mariadb.js'
import { type Replicated, startReplicated } from '../../support/replica.js'
import { openReplicated, type ReplicatedRegistry } from '../../support/replicated-registry.js'
import { until } from '../../support/until.js'

const onMariaDb = mariaDbProgram === undefined ? describe.skip : describe
const CHECKS = 'registry_replica_checks'

onMariaDb('a replica is left alone', () => {
  let servers: Replicated
  let opened: ReplicatedRegistry
  let urls: { primary: string; replica: string }
  let primary: Knex
  let replica: Knex
  let time: ForwardTime
  before(async () => {
    servers = await startReplicated()
  })
  after(() => servers?.stop())
  beforeEach(async () => {
    time = forwardTime()
    urls = await servers.createDatabase()
    primary = openDatabase(urls.primary)
    replica = openDatabase(urls.replica)
    opened = await openReplicated(urls.primary, urls.replica)
    await opened.untilUsed()
  })
  afterEach(async () => {
    await opened.registry.close()
    time.end()
    await primary.destroy()
    await replica.destroy()
  })

  const name = () => new URL(urls.replica).pathname.slice(1)

  /** A registration is in the next list, which nothing of the replica was in. */
  async function readsThePrimary(title: string): Promise<void> {
    // The log tells a reason once a minute, and it was late before, perhaps.
    time.pass(61_000)
    await opened.register(title)
    const { answer, replica: byReplica } = await opened.answering(opened.titles)
    expect(answer).to.include(title)
    expect(byReplica, 'answered by the replica').to.equal(0)
  }

  /** Waits until the replica has gone through everything that the primary has committed. */
  async function replicaHasAll(): Promise<void> {
    const [[{ position }]] = await primary.raw('select @@global.gtid_binlog_pos as position')
    await replica.raw('select master_gtid_wait(?, 60)', [position])
  }

  /** Runs `work` while the replica stands apart from its primary like this, and lets it go on as before. */
  async function whileIt(begin: readonly string[], end: readonly string[], work: () => Promise<void>): Promise<void> {
    await servers.tell('stop slave', ...begin)
    try {
      await work()
    } finally {
      await servers.tell('stop slave', ...end, 'start slave')
    }
    await opened.untilUsed()
  }

  for (const setting of ['replicate_ignore_table', 'replicate_wild_ignore_table']) {
    it(`that leaves out a table (${setting})`, async () => {
      const filter = `set global ${setting} = '${name()}.registry_timelines'`
      await whileIt([filter, 'start slave'], [`set global ${setting} = ''`], async () => {
        await opened.register('first')
        await replicaHasAll()
        expect(await replica('registry_documents').pluck('title')).to.deep.equal(['first'])
        expect(await replica('registry_timelines').pluck('item')).to.deep.equal([])
        await readsThePrimary('second')
        expect(opened.reasons().at(-1)).to.match(/^It leaves out tables/)
      })
    })
  }

  it('that lacks a table, for each read that needs it; the log says so once a minute', async () => {
    await opened.register('first')
    await opened.untilUsed()
    await servers.tell('set foreign_key_checks = 0', `drop table ${name()}.registry_documents`)
    const answered: string[][] = []
    let downs = 0
    await until(async () => {
      // It answers other reads of a list, until one of this table sends them all to the primary.
      const { answer, replica: byReplica } = await opened.answering(opened.titles)
      answered.push(answer)
      if (byReplica > 0) downs += 1
      return downs === 3
    })
    for (const titles of answered) expect(titles).to.deep.equal(['first'])
    expect(opened.reasons()).to.have.length(1)
  })

  it('whose primary another server has become', async () => {
    await opened.register('first')
    await opened.untilUsed()
    const [[{ before }]] = await replica.raw('select @@global.gtid_slave_pos as `before`')
    // As after `change master to` a server that was promoted: its own transactions have higher numbers in the same domain.
    const [begin, end] = ['0-77-999999999', before].map((position) => `set global gtid_slave_pos = '${position}'`)
    await whileIt([String(begin)], [String(end)], async () => {
      await readsThePrimary('second')
      expect(opened.reasons().at(-1)).to.equal('It follows another primary')
    })
  })

  it('for reasons that the log tells apart', async () => {
    await whileIt([], [], async () => {
      await readsThePrimary('first')
      expect(opened.reasons().at(-1)).to.match(/^It applies nothing/)
    })
  })

  it('when it gets nothing', async () => {
    await whileIt(['start slave sql_thread'], [], async () => {
      await readsThePrimary('first')
      expect(opened.reasons().at(-1)).to.equal('It is more than 50 ms behind, or has no connection to its primary')
    })
  })

  it('when it is late', async () => {
    const late = ['change master to master_delay = 3600', 'start slave']
    await whileIt(late, ['change master to master_delay = 0'], async () => {
      await until(async () => {
        const [[status]] = await replica.raw("show global status like 'Slave_running'")
        return status?.Value === 'ON'
      })
      await readsThePrimary('first')
      expect(opened.reasons().at(-1)).to.equal('It is more than 50 ms behind')
    })
  })

  it('and no mark of a host that ended is kept', async () => {
    const [[{ seconds }]] = await primary.raw('select unix_timestamp() as seconds')
    const markOf = (time: number) => `${time.toString(16).padStart(8, '0')}00000000`
    await primary(CHECKS).insert([{ mark: markOf(seconds - 7200) }, { mark: markOf(seconds) }])
    const { registry } = opened
    opened = await openReplicated(urls.primary, urls.replica)
    await registry.close()
    await opened.untilUsed()
    await until(async () => (await primary(CHECKS).select()).length === 1)
    expect(await primary(CHECKS).pluck('mark')).to.deep.equal([markOf(seconds)])
  })
})
