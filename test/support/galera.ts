import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import mysql from 'mysql2/promise'
import { freePort } from './free-port.js'
import {
  createDatabase,
  giveFolders,
  inFolder,
  installIn,
  type MariaDbServer,
  mariaDbProgram,
  startServer,
} from './mariadb.js'
import { onPath } from './programs.js'
import { until } from './until.js'

/** A private cluster of three nodes, each with its own folder, socket and ports. Nodes are told by 0, 1 and 2. */
export interface Galera {
  /** Makes a database, empty or with what these statements make in it, and gives its URL at each node. */
  createDatabase(schema?: string): Promise<[string, string, string]>
  /**
   * Holds the applier of a node: the node goes on as it stands, and what the others commit waits there. It tells the others
   * nothing of it, so they go on.
   */
  hold(node: number): Promise<void>
  release(node: number): Promise<void>
  /** Cuts a node off from the others, which find out within seconds, as it does. */
  isolate(node: number): Promise<void>
  /** Ends that, and waits until the node has what it missed. */
  join(node: number): Promise<void>
  /** Ends a node as a failure of its machine would, or as an operator does. */
  end(node: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Starts a node that has ended, and waits until it has what it missed: all of it from another node if it has lost its data. */
  start(node: number, has?: 'itsData' | 'nothing'): Promise<void>
  /** How many transactions a node has undone for those of other nodes since it started. */
  lost(node: number): Promise<number>
  stop(): Promise<void>
}

const PROVIDER = '/usr/lib/galera/libgalera_smm.so'
const NODES = [0, 1, 2] as const
const SYNCED =
  "show status where (variable_name, value) in (('wsrep_ready', 'ON'), ('wsrep_local_state_comment', 'Synced'))"

const LOST = `select cast(sum(variable_value) as signed) as lost from information_schema.global_status
  where variable_name in ('wsrep_local_cert_failures', 'wsrep_local_bf_aborts')`

/** True where a cluster can be started; nodes that join get the data by rsync. */
export const galeraIsInstalled = mariaDbProgram !== undefined && existsSync(PROVIDER) && onPath('rsync') !== undefined

/** Declares a suite that runs on one cluster of its own, whose nodes may be told more than others are. */
export function onGalera(title: string, suite: (galera: () => Galera) => void, more: readonly string[] = []): void {
  if (!galeraIsInstalled && process.env.REQUIRE_GALERA !== '1')
    return void describe.skip(`${title} (skipped: Galera is not installed)`, () => suite(unstarted))
  describe(title, () => {
    let galera: Galera | undefined
    before(async () => {
      if (!galeraIsInstalled) throw new Error('REQUIRE_GALERA=1, but galera-4 or rsync is not installed')
      galera = await startGalera(more)
    })
    after(() => galera?.stop())
    suite(() => galera ?? unstarted())
  })
}

function unstarted(): never {
  throw new Error('The cluster was not started')
}

/** Starts three nodes, one after the other: each gets the data of those before it. */
export async function startGalera(more: readonly string[] = []): Promise<Galera> {
  const folder = await mkdtemp(join(tmpdir(), 'registry-galera-'))
  await giveFolders(folder, [])
  const own = (node: number) => join(folder, String(node))
  for (const node of NODES) {
    await mkdir(own(node))
    if (node === 0) await installIn(own(node))
    else await giveFolders(own(node), ['data', 'tmp'])
  }
  const ports = await Promise.all(NODES.map(async () => ({ sql: await freePort(), group: await freePort() })))
  const address = `gcomm://${ports.map(({ group }) => `127.0.0.1:${group}`).join(',')}`
  const settings: string[][] = []
  const servers: MariaDbServer[] = []
  const stop = async () => {
    await Promise.all(servers.map(({ kill }) => kill()))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    for (const [at, { sql, group }] of ports.entries()) {
      const its = [...SETTINGS, `--wsrep-cluster-address=${address}`, ...(await settingsOf(at, group, more))]
      settings.push(its)
      servers.push(await startServer(own(at), sql, at === 0 ? [...its, '--wsrep-new-cluster'] : its))
    }
  } catch (error) {
    await stop()
    throw error
  }
  const socketOf = (node: number): string => servers[node]?.socket ?? ''
  const connect = (node: number) => mysql.createConnection({ socketPath: socketOf(node), user: 'root' })
  /** The rows of the last statement. */
  const tell = async (node: number, ...statements: string[]): Promise<object[]> => {
    const connection = await connect(node)
    try {
      let rows: unknown
      for (const sql of statements) [rows] = await connection.query(sql)
      return Array.isArray(rows) ? rows : []
    } finally {
      await connection.end()
    }
  }
  const isolation = (node: number, is: 0 | 1) =>
    tell(node, `set global wsrep_provider_options = 'gmcast.isolate=${is}'`)
  const isSynced = async (node: number) => (await tell(node, SYNCED)).length === 2
  const holders = new Map<number, mysql.Connection>()
  for (const node of NODES) await until(() => isSynced(node))
  return {
    async createDatabase(schema) {
      const [first, second, third] = ports.map(({ sql }) => sql)
      const url = new URL(await createDatabase({ socket: socketOf(0), port: first ?? 0 }, schema))
      for (const node of NODES) await tell(node, 'set session wsrep_sync_wait = 1', 'select 1')
      const at = (port = 0) => {
        url.port = String(port)
        return String(url)
      }
      return [at(first), at(second), at(third)]
    },
    async hold(node) {
      const holder = await connect(node)
      await holder.query('flush tables with read lock')
      holders.set(node, holder)
    },
    async release(node) {
      await holders.get(node)?.end()
      holders.delete(node)
      await until(() => isSynced(node))
    },
    async isolate(node) {
      await isolation(node, 1)
    },
    async join(node) {
      await isolation(node, 0)
      await until(() => isSynced(node))
    },
    async end(node, signal) {
      await servers[node]?.kill(signal)
    },
    async start(node, has = 'itsData') {
      if (has === 'nothing') {
        rmSync(join(own(node), 'data'), { recursive: true })
        await giveFolders(own(node), ['data'])
      }
      const its = settings[node] ?? []
      const from = has === 'nothing' ? [] : [`--wsrep-start-position=${await positionOf(own(node), its)}`]
      servers[node] = await startServer(own(node), ports[node]?.sql ?? 0, [...its, ...from])
      await until(() => isSynced(node))
    },
    async lost(node) {
      return Number(Object.values((await tell(node, LOST))[0] ?? {})[0])
    },
    stop,
  }
}

const SETTINGS = [
  '--innodb-buffer-pool-size=64M',
  '--innodb-log-file-size=16M',
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-autoinc-lock-mode=2',
  '--binlog-format=ROW',
  '--wsrep-on=ON',
  `--wsrep-provider=${PROVIDER}`,
  '--wsrep-cluster-name=tests',
  '--wsrep-sst-method=rsync',
]
/** A statement waits so long for what the others committed; unless told otherwise for thirty seconds. */
const WAIT = 'repl.causal_read_timeout=PT4S'

/** How far a node has come that has ended; without it, it would get everything anew. */
async function positionOf(folder: string, settings: readonly string[]): Promise<string> {
  const program = mariaDbProgram ?? 'mariadbd'
  const { stderr } = await promisify(execFile)(program, [...inFolder(folder), ...settings, '--wsrep-recover'])
  const [, position] = /Recovered position: ?(\S+)/.exec(stderr) ?? []
  if (position === undefined) throw new Error(`The node does not know how far it has come: ${stderr.slice(-1000)}`)
  return position
}

async function settingsOf(node: number, group: number, more: readonly string[]): Promise<string[]> {
  const options = [
    WAIT,
    ...more,
    'gcache.size=64M',
    `gmcast.listen_addr=tcp://127.0.0.1:${group}`,
    `ist.recv_addr=127.0.0.1:${await freePort()}`,
  ]
  return [
    `--wsrep-node-name=node-${node}`,
    `--wsrep-node-address=127.0.0.1:${group}`,
    `--wsrep-sst-receive-address=127.0.0.1:${await freePort()}`,
    `--wsrep-provider-options=${options.join(';')}`,
  ]
}
