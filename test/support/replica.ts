import { readdirSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import { fileOf } from './child-processes.js'
import { freePort } from './free-port.js'
import { createDatabase, giveFolders, installIn, type MariaDbServer, startServer } from './mariadb.js'
import { until } from './until.js'

/** A primary of MariaDB and replicas that follow it, all private. What is done to "the replica" is done to the first. */
export interface Replicated {
  /** Makes an empty database, and gives its addresses at all of them. */
  createDatabase(): Promise<{ primary: string; replica: string; others: readonly string[] }>
  /** Stops applying at the replica what the primary commits, or goes on and waits until nothing is missing. */
  hold(): Promise<void>
  release(): Promise<void>
  /** Statements at the replica. */
  tell(...statements: string[]): Promise<void>
  /** Lets the replica answer nothing while its connections stay open, or goes on. */
  freeze(): void
  thaw(): void
  /** Ends the replica as a failure of its machine would, and starts it again. */
  kill(): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

const SETTINGS = ['--log-bin', '--binlog-format=ROW', '--innodb-buffer-pool-size=64M', '--innodb-log-file-size=16M']

/** Starts all. Replicas get everything since the first start of the primary by its binary log. */
export async function startReplicated(replicas = 1): Promise<Replicated> {
  const folder = await mkdtemp(join(tmpdir(), 'registry-replica-'))
  const folders = Array.from({ length: 1 + replicas }, (_, at) => join(folder, String(at)))
  const ports: number[] = []
  const servers: MariaDbServer[] = []
  /** Starts one of them, of which the first is the primary; each keeps the port that it was given first. */
  const start = async (at: number) => {
    const port = ports[at] ?? (await freePort())
    ports[at] = port
    servers[at] = await startServer(folders[at] ?? '', port, [
      ...SETTINGS,
      `--server-id=${at + 1}`,
      '--skip-slave-start',
    ])
  }
  const stop = async () => {
    await Promise.all(servers.map(({ kill }) => kill()))
    rmSync(folder, { recursive: true, force: true })
  }
  const tell = async (port: number, ...statements: string[]): Promise<void> => {
    const connection = await mysql.createConnection({ host: '127.0.0.1', port, user: 'root' })
    try {
      for (const sql of statements) await connection.query(sql)
    } finally {
      await connection.end()
    }
  }
  try {
    await giveFolders(folder, [])
    for (const one of folders) {
      await mkdir(one)
      await installIn(one)
    }
    for (const at of folders.keys()) await start(at)
    for (const port of ports.slice(1))
      await tell(
        port,
        `change master to master_host = '127.0.0.1', master_port = ${ports[0]}, master_user = 'root',
          master_use_gtid = slave_pos, master_connect_retry = 1`,
        'start slave',
      )
  } catch (error) {
    await stop()
    throw error
  }
  const [primaryPort = 0, replicaPort = 0, ...otherPorts] = ports
  return {
    async createDatabase() {
      const primary = await createDatabase({ socket: servers[0]?.socket ?? '', port: primaryPort })
      const at = (port: number) => Object.assign(new URL(primary), { port: String(port) })
      const name = new URL(primary).pathname.slice(1)
      for (const port of [replicaPort, ...otherPorts])
        await until(() =>
          tell(port, `use ${name}`).then(
            () => true,
            () => false,
          ),
        )
      return { primary, replica: String(at(replicaPort)), others: otherPorts.map((port) => String(at(port))) }
    },
    hold: () => tell(replicaPort, 'stop slave sql_thread'),
    release: () => tell(replicaPort, 'start slave'),
    tell: (...statements) => tell(replicaPort, ...statements),
    freeze() {
      const child = servers[1]?.child
      child?.kill('SIGSTOP')
      // A thread may answer something before the signal has reached it.
      while (!isSuspended(Number(child?.pid)));
    },
    thaw: () => servers[1]?.child.kill('SIGCONT'),
    async kill() {
      await servers[1]?.kill()
    },
    async restart() {
      await start(1)
      await tell(replicaPort, 'start slave')
    },
    stop,
  }
}

/** True once every thread of a process is stopped, or has ended. */
function isSuspended(pid: number): boolean {
  return readdirSync(`/proc/${pid}/task`).every((id) => {
    const stat = fileOf(pid, `task/${id}/stat`)
    return stat === '' || stat.includes(') T ')
  })
}
