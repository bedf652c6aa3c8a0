import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeDatabases } from './databases.js'
import { migrationHashes, RELEASED_MIGRATIONS } from './migration-hashes.js'
import { RELEASED, writeReleased } from './released-databases.js'

// node dist-test/support/write-released.js VERSION: what `npm run release` leaves behind of the schema of a version:
// its migrations, which never change again, and a database of each kind.
const [version = ''] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'registry-release-'))
// For root the database server is another user, who must reach its files in it.
chmodSync(folder, 0o711)
process.env.TMPDIR = folder
try {
  writeFileSync(RELEASED_MIGRATIONS, `${JSON.stringify(migrationHashes(), undefined, 2)}\n`)
  mkdirSync(RELEASED, { recursive: true })
  await writeReleased(join(RELEASED, `${version}.tar.gz`))
} finally {
  await closeDatabases()
  rmSync(folder, { recursive: true, force: true })
}
