import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#core/database/open.js'
import { openMariaDb, openSqlite } from '../../support/databases.js'
import { type LogHostOptions, startLogHost } from '../../support/log-hosts.js'
import { newLogKey } from '../../support/log-key.js'
import { mariaDbProgram } from '../../support/mariadb.js'
import { amount } from '../../support/sweep.js'
import { expectWholeLog } from '../../support/whole-log.js'

/** Statements of some rounds of a host. */
const MOMENTS = 90

describe('a log whose hosts are killed at any moment', () => {
  let root: string
  const running = new Set<ChildProcess>()
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'registry-log-'))
  })
  afterEach(() => {
    for (const child of running) child.kill('SIGKILL')
  })
  after(() => rmSync(root, { recursive: true, force: true }))

  const host = (options: LogHostOptions) => {
    const started = startLogHost(options)
    running.add(started.child)
    return started
  }
  const killAfterLines = (child: ChildProcess, lines: number) => {
    let left = lines
    child.stdout?.on('data', (said: Buffer) => {
      left -= said.toString().split('\n').length - 1
      if (left <= 0) child.kill('SIGKILL')
    })
  }
  const moment = () => 1 + Math.floor(Math.random() * MOMENTS)

  it('has no gap, no doubled entry and no fork on SQLite', async function () {
    this.timeout(1_800_000)
    const [url, key, folder] = [await openSqlite(), newLogKey(), join(root, 'sqlite')]
    const logged: string[] = []
    for (let kill = 0; kill < amount(5, 100); kill += 1) {
      // Before its first statement, then before any, or anywhere: also while it signs.
      const one = host({ url, folder, key, moment: kill === 0 ? 1 : kill % 2 === 0 ? moment() : 0 })
      if (kill % 2 === 1) killAfterLines(one.child, moment())
      logged.push(...(await one.logged))
      await look(url, { logged, folders: [folder] })
    }
  })

  if (mariaDbProgram === undefined) return void it.skip('needs mariadbd')

  it('has none either with two hosts on MariaDB', async function () {
    this.timeout(1_800_000)
    const [url, key] = [await openMariaDb(), newLogKey()]
    const folders = [join(root, 'one'), join(root, 'other')]
    const logged: string[] = []
    for (let kill = 0; kill < amount(3, 30); kill += 1) {
      const hosts = folders.map((folder) => host({ url, folder, key, moment: moment() }))
      logged.push(...(await Promise.all(hosts.map((one) => one.logged))).flat())
      await look(url, { logged, folders })
    }
  })

  it('has none when a host freezes at any moment and wakes late', async function () {
    this.timeout(1_800_000)
    const [url, key] = [await openMariaDb(), newLogKey()]
    const folders = [join(root, 'frozen'), join(root, 'awake')]
    const logged: string[] = []
    for (let freeze = 0; freeze < amount(2, 15); freeze += 1) {
      const frozen = host({ url, key, folder: join(root, 'frozen'), moment: moment(), fate: 'freeze', rounds: 10 })
      const awake = host({ url, key, folder: join(root, 'awake'), rounds: 10 })
      logged.push(...(await awake.logged))
      frozen.wake()
      logged.push(...(await frozen.logged))
      await look(url, { logged, folders })
    }
  })

  async function look(url: string, expected: Parameters<typeof expectWholeLog>[1]) {
    const knex = openDatabase(url)
    await expectWholeLog(knex, expected)
    await knex.destroy()
  }
})
