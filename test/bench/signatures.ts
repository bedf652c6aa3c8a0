import { anonymous } from '@signed-registry/core'

import { AddSignature, FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { closeDatabases, openMariaDb, openSqlite } from '../support/databases.js'
import { mariaDbProgram } from '../support/mariadb.js'
import { type TestRegistry, testRegistry, uploadOf } from '../support/registry.js'
import { median } from './interleave.js'
import { printRow } from './row.js'

const FEW = 10
const MANY = 1000
const ROUNDS = 40
const WARM_UP = 10

/** Adding a signature to a document that many have signed, against one that few have; `signatures=200` for so many. */
export async function run(argument?: string): Promise<void> {
  const many = argument === undefined ? MANY : Number(argument)
  await measure('SQLite', await openSqlite(), many)
  if (mariaDbProgram === undefined) console.log('MariaDB is not installed: its half is left out')
  else await measure('MariaDB', await openMariaDb(), many)
  await closeDatabases()
}

async function measure(name: string, url: string, many: number): Promise<void> {
  const test = await testRegistry(url)
  const next = signers(test)
  const [few, long] = [await document(test, next, FEW), await document(test, next, many)]
  const rounds: { few: number; long: number }[] = []
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const costs = { few: await cost(few), long: await cost(long) }
    if (round >= 0) rounds.push(costs)
  }
  const ms = (which: 'few' | 'long') => `${median(rounds.map((round) => round[which])).toFixed(2)} ms`
  printRow({
    what: `${name}, one more signature of a document that has ${many}`,
    floor: `one that has ${FEW}`,
    ratios: rounds.map((round) => round.long / round.few),
    aim: '<= 1.5',
    figures: `${ms('long')} against ${ms('few')} of processor time`,
  })
  await test.registry.close()
}

/** Gives signatures of a document, each by another person. */
type Signatures = (original: Uint8Array) => string

function signers({ authorities }: TestRegistry): Signatures {
  let count = 0
  return (original) => {
    count += 1
    const signer = authorities.employee({ iin: `9001013${String(count).padStart(5, '0')}` })
    return signer.signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
  }
}

/** Registers a document with so many signatures; answers how to prepare one more. */
async function document({ registry }: TestRegistry, next: Signatures, count: number) {
  const original = Buffer.from(`A contract that ${count} sign`)
  const request = { title: 'Общий договор', signature: next(original) }
  const { documentId: id } = await registry.get(RegisterDocument).execute(anonymous, { request })
  await registry.get(FixDigests).execute(anonymous, { id, upload: uploadOf(original) })
  const prepare = () => {
    const signature = next(original)
    return () => registry.get(AddSignature).execute(anonymous, { id, request: { signature } })
  }
  for (let signed = 1; signed < count; signed += 1) await prepare()()
  return prepare
}

/** Milliseconds of processor time; signing is not counted. */
async function cost(prepare: () => () => Promise<unknown>): Promise<number> {
  const add = prepare()
  const begun = process.cpuUsage()
  await add()
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}
