import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { anonymous, createRegistry, LogState, ServeLog } from '@signed-registry/core'
import { RegisterDocument } from '@signed-registry/core/documents'
import { GetLog } from '@signed-registry/core/log'
import { DevelopmentAuthorities, devAuthorities } from '@signed-registry/dev-authorities'
import { openCheckpoint } from '@signed-registry/verifier/log'

const folder = process.env.FOLDER ?? './log-example'
mkdirSync(folder, { recursive: true })

// The key is made once and kept: others remember its public half, and take nothing that another one has signed.
const keyFile = join(folder, 'log.key')
if (!existsSync(keyFile)) {
  const { privateKey } = generateKeyPairSync('ed25519')
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
}

const registry = await createRegistry({
  database: `sqlite:${join(folder, 'registry.sqlite')}`,
  plugins: [devAuthorities({ folder: join(folder, 'authorities') })],
  // `folder` keeps the last signed checkpoint outside the database: a database that is restored from a backup is noticed.
  log: { key: readFileSync(keyFile, 'utf8'), origin: 'registry.example/log', folder },
})

const person = registry.get(DevelopmentAuthorities).named('person-1')
const signature = person.signCms(Buffer.from('I owe you 100 tenge.')).toString('base64')
const { documentId } = await registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
console.log(`${documentId} is registered`)

// Entries that come within a second share a round of the log; it runs between start() and stop().
registry.start()
const state = registry.get(LogState)
while ((await state.report()).checkpoint === undefined) await sleep(100)
const log = await registry.get(GetLog).execute()

// What anybody does, with a key that they have kept from elsewhere.
const name = log.address.split('/').at(-1) ?? ''
const note = await registry.get(ServeLog).checkpoint(name)
const { origin, size } = openCheckpoint(note, log.verifierKey ?? '')
console.log(`${origin} has ${size} entries`)
await registry.close()
