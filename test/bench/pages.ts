import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DevAuthorities } from '@signed-registry/dev-authorities'
import { closeDatabases, openSqlite } from '../support/databases.js'
import { startHostProcess } from '../support/host-process.js'
import { postBytes, postJson } from '../support/http.js'
import { processorSeconds } from '../support/process-figures.js'
import { load, requestBytes } from './http-load.js'
import { median } from './interleave.js'
import { printRow } from './row.js'

const ROUNDS = 8
/** The compilers of V8 are busy with the code of both until then. */
const WARM_UP = 4
const CALLS = 600
const CONNECTIONS = 8
const SIGNATURES = 10

/** Processor time of the page of a document, with the proofs of the log that it shows, against the same document over the API. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-pages-'))
  const host = startHostProcess({ DATA_DIR: folder, DATABASE_URL: await openSqlite() })
  const url = await host.url
  const id = await registered(url, DevAuthorities.create({ folder: join(folder, 'dev-authorities') }))
  const requests = { api: requestBytes('GET', `/api/${id}`), page: requestBytes('GET', `/d/${id}`) }
  const costOf = async (which: keyof typeof requests): Promise<number> => {
    const before = processorSeconds(host)
    await load(
      url,
      Array.from({ length: CALLS }, () => requests[which]),
      CONNECTIONS,
    )
    return (1e6 * (processorSeconds(host) - before)) / CALLS
  }
  const rounds: { api: number; page: number }[] = []
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const costs = { api: await costOf('api'), page: await costOf('page') }
    if (round >= 0) rounds.push(costs)
  }
  const middle = (which: 'api' | 'page') => median(rounds.map((round) => round[which])).toFixed(0)
  printRow({
    what: `the page of a document with ${SIGNATURES} signatures, all in the log`,
    floor: 'GET of it',
    ratios: rounds.map(({ api, page }) => page / api),
    aim: '<= 2',
    figures: `processor time of one ${middle('page')} us against ${middle('api')} us`,
  })
  await host.end('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
  await closeDatabases()
}

/** A document whose signatures are in a checkpoint. */
async function registered(url: string, authorities: DevAuthorities): Promise<string> {
  const original = Buffer.from('read often')
  let id = ''
  const signIds: number[] = []
  for (let at = 0; at < SIGNATURES; at += 1) {
    const signature = authorities.employee({ role: 'head' }).signCms(original, { timeStamp: true, ocsp: true })
    const { json } = await postJson<{ documentId: string; signId: number }>(`${url}/api${id && `/${id}`}`, {
      signature: signature.toString('base64'),
    })
    if (id === '') await postBytes(`${url}/api/${json.documentId}/data`, original)
    id = json.documentId
    signIds.push(json.signId)
  }
  for (const signId of signIds) {
    let state: unknown
    while (state !== 'logged')
      state = Object(await (await fetch(`${url}/api/${id}/signature/${signId}/inclusion`)).json()).state
  }
  return id
}
