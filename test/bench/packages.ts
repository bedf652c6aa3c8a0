import { anonymous } from '@signed-registry/core'

import { AddSignature } from '@signed-registry/core/documents'
import { RegisterPackage, SignPackage } from '@signed-registry/core/packages'
import { personCaller } from '../support/core-registry.js'
import { closeDatabases, openMariaDb, openSqlite } from '../support/databases.js'
import { mariaDbProgram } from '../support/mariadb.js'
import { fixedPackage, signaturesOver, UNTITLED } from '../support/packages.js'
import { type TestRegistry, testRegistry } from '../support/registry.js'
import { median } from './interleave.js'
import { longestHold } from './loop-held.js'
import { printRow } from './row.js'

const DOCUMENTS = 50
const ROUNDS = 5
const MAX = 0.7
const MANY = 500
const MAX_HELD = 20

/** Milliseconds for each of 50 documents alone, and for all of them as a package; both with evidence of their own. */
async function round(test: TestRegistry): Promise<{ single: number; whole: number }> {
  const one = await fixedPackage(test, { count: DOCUMENTS, caller: personCaller() })
  const [alone, together] = [test.authorities.person(), test.authorities.person()].map((signer) =>
    signaturesOver(one.originals, signer),
  )
  const start = performance.now()
  for (const [at, signature] of (alone ?? []).entries()) {
    await test.registry.get(AddSignature).execute(anonymous, { id: one.documentsIds[at] ?? '', request: signature })
  }
  const single = performance.now() - start
  const again = performance.now()
  await test.registry
    .get(SignPackage)
    .execute(anonymous, { packageId: one.packageId, request: { signatures: together ?? [] } })
  return { single, whole: performance.now() - again }
}

/** Signing a package of 50 documents against 50 single signatures, one after the other, in one process. */
export async function run(): Promise<void> {
  await measure('SQLite', await openSqlite())
  if (mariaDbProgram === undefined) console.log('MariaDB is not installed: its half is left out')
  else await measure('MariaDB', await openMariaDb())
  await closeDatabases()
}

async function measure(name: string, url: string): Promise<void> {
  const test = await testRegistry(url, { limits: { packageDocuments: MANY } })
  try {
    await round(test)
    const rounds: { single: number; whole: number }[] = []
    for (let at = 0; at < ROUNDS; at += 1) rounds.push(await round(test))
    const ms = (which: 'single' | 'whole') => `${median(rounds.map((one) => one[which])).toFixed(0)} ms`
    printRow({
      what: `${name}, signing a package of ${DOCUMENTS} documents as a whole`,
      floor: 'signing them one by one',
      ratios: rounds.map(({ single, whole }) => whole / single),
      aim: `<= ${MAX}`,
      figures: `${ms('whole')} against ${ms('single')}`,
    })
    const held: [number, number][] = []
    for (let at = 0; at < ROUNDS; at += 1) held.push(await holdOf(test))
    for (const [at, what] of ['registering', 'signing'].entries()) {
      printRow({
        what: `${name}, the event loop held by ${what} a package of ${MANY}`,
        floor: `${MAX_HELD} ms of own work`,
        ratios: held.map((one) => (one[at] ?? Number.NaN) / MAX_HELD),
        aim: '<= 1',
      })
    }
  } finally {
    await test.registry.close()
  }
}

/** For how long at most registering a large package, and signing it, let nobody else come. */
async function holdOf(test: TestRegistry): Promise<[registered: number, signed: number]> {
  const caller = personCaller()
  const documents = Array.from({ length: MANY }, (_, index) => ({ ...UNTITLED, title: `${index}.txt` }))
  const registered = await longestHold(() =>
    test.registry.get(RegisterPackage).execute(caller, { request: { ...UNTITLED, documents } }),
  )
  const one = await fixedPackage(test, { count: MANY, caller })
  const signatures = signaturesOver(one.originals, test.authorities.person())
  const signed = await longestHold(() =>
    test.registry.get(SignPackage).execute(anonymous, { packageId: one.packageId, request: { signatures } }),
  )
  return [registered, signed]
}
