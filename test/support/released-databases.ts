import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DevAuthorities } from '@signed-registry/dev-authorities'
import { everyOperation } from '../journeys/every-operation.js'
import { type OpenDatabase, openMariaDb, openSqlite } from './databases.js'
import { DAY, type TestClock, testClock } from './pki/authorities.js'

/** One archive for each release, `<version>.tar.gz`: its schema with data on both databases, and who signed and issued. */
export const RELEASED = fileURLToPath(new URL('../../test/upgrades/', import.meta.url))

/** A database as a release left it, with the authorities that it trusts, a day later. */
export interface ReleasedDatabase {
  readonly open: OpenDatabase
  readonly authorities: DevAuthorities
  readonly clock: TestClock
}

const KINDS = { sqlite: openSqlite, mariadb: openMariaDb }

/** Fills a database of each kind by every operation of this version, and keeps both in an archive. */
export async function writeReleased(archive: string): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const starts: Record<string, number> = {}
    for (const [kind, openEmpty] of Object.entries(KINDS)) {
      const url = await openEmpty()
      const authoritiesFolder = join(folder, 'authorities')
      starts[kind] = (await everyOperation({ open: async () => url, authoritiesFolder })).start
      if (kind === 'sqlite') copyFileSync(url.slice('sqlite:'.length), join(folder, 'sqlite'))
      else writeFileSync(join(folder, 'mariadb.sql'), dumped(url))
    }
    writeFileSync(join(folder, 'starts.json'), JSON.stringify(starts))
    execFileSync('tar', ['czf', archive, '-C', folder, 'authorities', 'sqlite', 'mariadb.sql', 'starts.json'])
  })
}

/** Puts one of the databases of an archive into an empty database, and uses it. */
export function useReleased(
  archive: string,
  openEmpty: OpenDatabase,
  use: (released: ReleasedDatabase) => Promise<void>,
): Promise<void> {
  return inTemporaryFolder(async (folder) => {
    execFileSync('tar', ['xzf', archive, '-C', folder])
    const url = await openEmpty()
    const isSqlite = url.startsWith('sqlite:')
    if (isSqlite) copyFileSync(join(folder, 'sqlite'), url.slice('sqlite:'.length))
    else load(url, join(folder, 'mariadb.sql'))
    const starts: Record<string, number> = JSON.parse(readFileSync(join(folder, 'starts.json'), 'utf8'))
    const clock = testClock((starts[isSqlite ? 'sqlite' : 'mariadb'] ?? 0) + DAY)
    const authorities = DevAuthorities.create({ clock, folder: join(folder, 'authorities') })
    await use({ open: async () => url, authorities, clock })
  })
}

async function inTemporaryFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-released-'))
  mkdirSync(join(folder, 'authorities'))
  try {
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** How the programs of MariaDB reach a database of a test. */
function options(url: string): string[] {
  const { hostname, port, username, pathname } = new URL(url)
  return [
    '--no-defaults',
    '--protocol=tcp',
    `--host=${hostname}`,
    `--port=${port}`,
    `--user=${username}`,
    pathname.slice(1),
  ]
}

const dumped = (url: string): Buffer =>
  execFileSync('mariadb-dump', [...options(url), '--hex-blob', '--skip-dump-date', '--skip-comments'], {
    maxBuffer: 2 ** 28,
  })

function load(url: string, file: string): void {
  execFileSync('mariadb', options(url), { stdio: [openSync(file, 'r'), 'ignore', 'inherit'] })
}
