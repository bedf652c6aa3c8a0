import { writeSync } from 'node:fs'
import { anonymous, createRegistry } from '@signed-registry/core'

import { SignPackage } from '@signed-registry/core/packages'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { openDatabase } from '#core/database/open.js'
import { fixedPackage, signaturesOver } from './packages.js'
import { testAuthorities, testClock } from './pki/authorities.js'

// Signs a package of five documents, and kills its own process when it is about to send the given statement.
const [url = '', statement = ''] = process.argv.slice(2)
const clock = testClock()
const authorities = testAuthorities({ clock })
const knex = openDatabase(url)
const registry = await createRegistry({ database: knex, clock, plugins: [devAuthorities({ authorities })] })
const one = await fixedPackage({ registry, authorities, clock, database: knex }, { count: 5 })
writeSync(1, JSON.stringify(one))

knex.on('query', ({ sql }: { sql: string }) => {
  if (sql.toLowerCase().startsWith(statement)) process.kill(process.pid, 'SIGKILL')
})
const signatures = signaturesOver(one.originals, authorities.person())
await registry.get(SignPackage).execute(anonymous, {
  packageId: one.packageId,
  request: {
    signatures,
    signatureEmailNotifications: { to: ['a@example.kz'] },
  },
})
process.exit(1)
