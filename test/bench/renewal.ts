import { setTimeout as pause } from 'node:timers/promises'
import type { Registry } from '@signed-registry/core'
import { defaultAlgorithmPolicy, defaultSignaturePolicy } from '@signed-registry/core/signatures'
import { Database } from '#core/database/database.js'
import { signatureFact } from '#core/documents/document-facts.js'
import { SignatureStore } from '#core/documents/index.js'
import { LogEntries } from '#core/log/index.js'
import { closeDatabases, openMariaDb, openSqlite } from '../support/databases.js'
import { mariaDbProgram } from '../support/mariadb.js'
import { DAY, NOW } from '../support/pki/authorities.js'
import { OIDS } from '../support/pki/records.js'
import { type RenewingRegistry, renewingRegistry } from '../support/renewal/renewing-registry.js'
import { median } from './interleave.js'

const SIGNATURES = 100_000
const ROWS_AT_ONCE = 200
const MILLION = 1_000_000
const MINUTE = 60_000
/** Registrations that are measured, one each so many milliseconds. */
const PACED = 200
const PACE_MS = 20
const YEAR = 365 * DAY

/** First trees, renewal by stamp and by hash of this many signatures, as minutes of processor time for a million. */
export async function run(argument?: string): Promise<void> {
  const count = argument === undefined ? SIGNATURES : Number(argument)
  await measure('SQLite', await openSqlite(), count)
  if (mariaDbProgram === undefined) console.log('MariaDB is not installed: its half is left out')
  else await measure('MariaDB', await openMariaDb(), count)
  await closeDatabases()
}

async function measure(name: string, url: string, count: number): Promise<void> {
  const digestsTrustedUntil = { [OIDS.sha384]: NOW + 8 * YEAR, [OIDS.sha512]: NOW + 10 * YEAR }
  const test = await renewingRegistry(url, {
    years: 3,
    signaturePolicy: { ...defaultSignaturePolicy, algorithms: { ...defaultAlgorithmPolicy, digestsTrustedUntil } },
    renewal: { digests: [OIDS.sha384, OIDS.sha512, OIDS.sha256] },
  })
  await fill(test, count)
  const steps: [string, number, () => void][] = [
    ['first trees, not stamped (aim <= 10)', 0, () => undefined],
    ['their time stamps (aim <= 1)', 3 * YEAR - 80 * DAY, () => test.tsa.rollOver(4)],
    ['renewal by stamp (aim <= 1)', 7 * YEAR - 140 * DAY, () => test.tsa.rollOver(8)],
    ['renewal by hash (aim <= 20)', 8 * YEAR - 80 * DAY, () => test.tsa.rollOver(9)],
  ]
  for (const [step, at, prepare] of steps) {
    test.clock.time = Math.max(test.clock.time, NOW + at)
    prepare()
    const [cpu, started] = [process.cpuUsage(), performance.now()]
    const { asked } = test.tsa
    await test.renew()
    const { user, system } = process.cpuUsage(cpu)
    const minutes = (ms: number) => ((ms / MINUTE) * (MILLION / count)).toFixed(2)
    const { problem, renewed } = await test.report()
    console.log(
      `  ${name}, ${step}: ${minutes((user + system) / 1000)} minutes of this process for a million, ${minutes(performance.now() - started)} by the clock; ` +
        `${test.tsa.asked - asked} time stamps, ${renewed} renewed, ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB${problem ? `; ${problem.text}` : ''}`,
    )
  }
  await besideRegistrations(name, test)
  await test.registry.close()
}

/** How long a registration takes while everything is hashed anew, against nothing else: 50 are begun each second. */
async function besideRegistrations(name: string, test: RenewingRegistry): Promise<void> {
  const [alone, beside]: [number[], number[]] = [[], []]
  await registrations(test, alone, PACED)
  // Before the second digest ends, everything is hashed by the third.
  test.clock.time = Math.max(test.clock.time, NOW + 10 * YEAR - 80 * DAY)
  test.tsa.rollOver(11)
  await Promise.all([test.renew(), registrations(test, beside, PACED)])
  const [floor, found] = [median(alone), median(beside)]
  console.log(
    `  ${name}, a registration beside a tree that is hashed: ${(floor / found).toFixed(2)} of the speed alone (aim >= 0.9), ${found.toFixed(1)} against ${floor.toFixed(1)} ms`,
  )
}

async function registrations(test: RenewingRegistry, times: number[], count: number): Promise<void> {
  const begun: Promise<void>[] = []
  for (let n = 0; n < count; n += 1) {
    const started = performance.now()
    begun.push(test.register().then(() => void times.push(performance.now() - started)))
    await pause(PACE_MS)
  }
  await Promise.all(begun)
}

/** Copies one registered signature, and logs each copy. */
async function fill(test: RenewingRegistry, count: number): Promise<void> {
  const [first] = await test.documents(1)
  if (first === undefined) throw new Error('Nothing was registered')
  const { registry } = test
  const database = registry.get(Database)
  const [signature] = await database.rows('select * from registry_signatures where sign_id = ?', [first.signId])
  const [document] = await database.rows('select * from registry_documents where id = ?', [first.documentId])
  for (let from = 1; from < count; from += ROWS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(ROWS_AT_ONCE, count - from) }, (_, n) => from + n)
    const idOf = (n: number) => `B${`${n}`.padStart(15, '0')}`
    await database.transaction(async () => {
      await insert(database, 'registry_documents', numbers, (n) => ({ ...document, id: idOf(n) }))
      await insert(database, 'registry_signatures', numbers, (n) => ({
        ...signature,
        ...{ sign_id: first.signId + n, document_id: idOf(n), fingerprint: Buffer.from(`${n}`.padStart(32, '0')) },
      }))
      await log(
        registry,
        numbers.map((n) => first.signId + n),
      )
    })
    if (from % 20_000 < ROWS_AT_ONCE) process.stderr.write(`\r${from} of ${count} signatures `)
  }
  process.stderr.write('\n')
  await test.integrate()
  test.clock.time += DAY
  await test.integrate()
}

async function insert(
  database: Database,
  table: string,
  numbers: readonly number[],
  row: (n: number) => Readonly<Record<string, unknown>>,
): Promise<void> {
  await database.query(table).insert(numbers.map(row))
}

async function log(registry: Registry, signIds: readonly number[]): Promise<void> {
  const stored = await registry.get(SignatureStore).withEvidence(signIds)
  await registry.get(LogEntries).append(stored.map((one) => signatureFact({ ...one, documentStoredAt: NOW })))
}
