import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import mysql from 'mysql2/promise'
import { freePort } from './free-port.js'
import { onPath } from './programs.js'

/** A private MariaDB: its own folder, socket and port; nobody else's server is touched. */
export interface MariaDb {
  /** Where every process of this machine reaches it. */
  readonly socket: string
  readonly port: number
  /** Makes an empty database and gives its URL. */
  createDatabase(): Promise<string>
  stop(): Promise<void>
}

/** The installed server program, if there is one. */
export const mariaDbProgram = onPath('mariadbd')

/** Starts a server in a temporary folder. `durable` flushes every commit, as production does; tests do without. */
export async function startMariaDb(options: { durable?: boolean } = {}): Promise<MariaDb> {
  const folder = await mkdtemp(join(tmpdir(), 'registry-mariadb-'))
  const identity = await prepare(folder)
  const port = await freePort()
  const log: string[] = []
  const child = spawn(
    mariaDbProgram ?? 'mariadbd',
    [
      '--no-defaults',
      ...identity,
      `--datadir=${folder}/data`,
      `--tmpdir=${folder}/tmp`,
      `--socket=${folder}/s.sock`,
      `--pid-file=${folder}/pid`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--character-set-server=utf8mb4',
      '--collation-server=utf8mb4_unicode_ci',
      '--innodb-buffer-pool-size=256M',
      '--innodb-log-file-size=96M',
      `--innodb-flush-log-at-trx-commit=${options.durable ? 1 : 0}`,
      '--max-connections=300',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  child.stderr.on('data', (text: Buffer) => log.push(text.toString()))
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)
  const socket = `${folder}/s.sock`
  await untilReady(child, socket, log)
  return {
    socket,
    port,
    createDatabase: () => createDatabase({ socket, port }),
    async stop() {
      const ended = once(child, 'exit')
      killNow()
      await ended
      process.off('exit', killNow)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Makes a database on a running server, empty or with what these statements make in it, and gives its URL. */
export async function createDatabase({ socket, port }: Pick<MariaDb, 'socket' | 'port'>, schema = ''): Promise<string> {
  const name = `registry_${randomBytes(6).toString('hex')}`
  const connection = await mysql.createConnection({ socketPath: socket, user: 'root', multipleStatements: true })
  await connection.query(`create database ${name}; use ${name}; ${schema}`)
  await connection.end()
  return `mysql://root@127.0.0.1:${port}/${name}`
}

/** Makes the data folder; answers the arguments that say who owns it. */
async function prepare(folder: string): Promise<string[]> {
  await mkdir(join(folder, 'tmp'))
  const identity: string[] = []
  if (process.getuid?.() === 0) {
    identity.push('--user=mysql')
    const [, , uid, gid] = (/^mysql:.*$/m.exec(await readFile('/etc/passwd', 'utf8'))?.[0] ?? '').split(':')
    for (const owned of [folder, join(folder, 'tmp')]) await chown(owned, Number(uid), Number(gid))
  }
  const options = [
    '--no-defaults',
    `--datadir=${folder}/data`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    ...identity,
  ]
  // Two of them at once would delete each other's files in a common folder.
  await promisify(execFile)('mariadb-install-db', options, { env: { ...process.env, TMPDIR: join(folder, 'tmp') } })
  return identity
}

/** Waits until the server takes connections. */
async function untilReady(child: ChildProcess, socketPath: string, log: string[]): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`mariadbd ended with ${child.exitCode}: ${log.join('').slice(-2000)}`)
    try {
      await stat(socketPath)
      return await (await mysql.createConnection({ socketPath, user: 'root' })).end()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
