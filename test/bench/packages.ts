import { AddSignature, anonymous, SignPackage } from '@signed-registry/core'
import { closeDatabases, openMariaDb, openSqlite } from '../support/databases.js'
import { mariaDbProgram } from '../support/mariadb.js'
import { fixedPackage, signaturesOver } from '../support/packages.js'
import { type TestRegistry, testRegistry } from '../support/registry.js'

const DOCUMENTS = 50
const ROUNDS = 5
const MOST = 0.7

/** Milliseconds for each of 50 documents alone, and for all of them as a package; both with evidence of their own. */
async function round(test: TestRegistry): Promise<{ single: number; whole: number }> {
  const one = await fixedPackage(test, { count: DOCUMENTS })
  const [alone, together] = [test.authorities.person(), test.authorities.person()].map((signer) =>
    signaturesOver(one.originals, signer),
  )
  const start = performance.now()
  for (const [at, signature] of (alone ?? []).entries()) {
    await test.registry.get(AddSignature).execute(anonymous, one.documentsIds[at] ?? '', signature)
  }
  const single = performance.now() - start
  const again = performance.now()
  await test.registry.get(SignPackage).execute(anonymous, one.packageId, { signatures: together ?? [] })
  return { single, whole: performance.now() - again }
}

const middle = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Signing a package of 50 documents against 50 single signatures, one after the other, in one process. */
export async function run(): Promise<void> {
  await measure('SQLite', await openSqlite())
  if (mariaDbProgram === undefined) console.log('MariaDB is not installed: its half is left out')
  else await measure('MariaDB', await openMariaDb())
  await closeDatabases()
}

async function measure(name: string, url: string): Promise<void> {
  const test = await testRegistry(url)
  try {
    await round(test)
    const rounds = []
    for (let at = 0; at < ROUNDS; at += 1) rounds.push(await round(test))
    const single = middle(rounds.map((one) => one.single)).toFixed(0)
    const whole = middle(rounds.map((one) => one.whole)).toFixed(0)
    const ratio = middle(rounds.map((one) => one.whole / one.single)).toFixed(2)
    console.log(
      `${name}: a package of ${DOCUMENTS} documents against ${DOCUMENTS} single signatures (medians); aim ${MOST}`,
    )
    console.log(`  ${whole} ms / ${single} ms = ${ratio}`)
  } finally {
    await test.registry.close()
  }
}
