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
  readonly child: ChildProcess
  /** Makes an empty database and gives its URL. */
  createDatabase(): Promise<string>
  stop(): Promise<void>
}

/** The installed server program, if there is one. */
export const mariaDbProgram = onPath('mariadbd')

/** Starts a server in a temporary folder. `durable` flushes every commit, as production does; tests do without. */
export async function startMariaDb(options: { durable?: boolean } = {}): Promise<MariaDb> {
  const folder = await mkdtemp(join(tmpdir(), 'registry-mariadb-'))
  await installIn(folder)
  const port = await freePort()
  const flushed = options.durable ? 1 : 0
  const settings = ['--innodb-buffer-pool-size=256M', `--innodb-flush-log-at-trx-commit=${flushed}`]
  // Hundreds of databases of fifty tables: a file for each table would be most of what making them takes.
  if (!options.durable) settings.push('--innodb-file-per-table=OFF')
  const { socket, child, kill } = await startServer(folder, port, settings)
  return {
    socket,
    port,
    child,
    createDatabase: () => createDatabase({ socket, port }),
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A server in a folder that others made and remove. */
export interface MariaDbServer {
  readonly socket: string
  readonly child: ChildProcess
  /** Ends it as a failure of the machine would, or by another signal. */
  kill(signal?: NodeJS.Signals): Promise<void>
}

/** What every server is started with that keeps all that is its own in a folder. */
export const inFolder = (folder: string): string[] => [
  '--no-defaults',
  ...(isRoot ? ['--user=mysql'] : []),
  `--datadir=${folder}/data`,
  `--tmpdir=${folder}/tmp`,
]

/** Starts a server that keeps all that is its own in a folder, and waits until it takes connections. */
export async function startServer(folder: string, port: number, settings: readonly string[]): Promise<MariaDbServer> {
  const log: string[] = []
  const socket = `${folder}/s.sock`
  const child = spawn(
    mariaDbProgram ?? 'mariadbd',
    [
      ...inFolder(folder),
      `--socket=${socket}`,
      `--pid-file=${folder}/pid`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--character-set-server=utf8mb4',
      '--collation-server=utf8mb4_unicode_ci',
      '--innodb-log-file-size=96M',
      '--max-connections=300',
      ...settings,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  child.stderr.on('data', (text: Buffer) => log.push(text.toString()))
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)
  await untilReady(child, socket, log)
  return {
    socket,
    child,
    async kill(signal = 'SIGKILL') {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill(signal)
        await ended
      }
      process.off('exit', killNow)
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

/** Root starts servers as a user of their own. */
const isRoot = process.getuid?.() === 0

/** Makes what a server finds at its start. */
export async function installIn(folder: string): Promise<void> {
  await giveFolders(folder, ['tmp'])
  const options = [
    '--no-defaults',
    `--datadir=${folder}/data`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ]
  // Two of them at once would delete each other's files in a common folder.
  const env = { ...process.env, TMPDIR: join(folder, 'tmp') }
  await promisify(execFile)('mariadb-install-db', isRoot ? [...options, '--user=mysql'] : options, { env })
}

/** Makes folders in a folder, and gives all of them to the user that servers run as. */
export async function giveFolders(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await mkdir(join(folder, name))
  if (!isRoot) return
  const [, , uid, gid] = (/^mysql:.*$/m.exec(await readFile('/etc/passwd', 'utf8'))?.[0] ?? '').split(':')
  for (const owned of [folder, ...names.map((name) => join(folder, name))]) await chown(owned, Number(uid), Number(gid))
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
