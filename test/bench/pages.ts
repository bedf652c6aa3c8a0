import { devAuthorities } from '@signed-registry/dev-authorities'
import { pages } from '@signed-registry/pages'
import { closeDatabases, openSqlite } from '../support/databases.js'
import { startTestHost } from '../support/host.js'
import { postBytes, postJson } from '../support/http.js'
import { presentAuthorities } from '../support/pki/authorities.js'
import { median } from './interleave.js'
import { printRow } from './row.js'

const ROUNDS = 40
const WARM_UP = 8
const CALLS = 20
const SIGNATURES = 10

/** What the page of a document costs against the same document over the API. */
export async function run(): Promise<void> {
  const authorities = presentAuthorities()
  const plugins = [devAuthorities({ authorities }), pages({})]
  const host = await startTestHost(openSqlite, { authorities, plugins, rates: { anonymous: 0, caller: 0 } })
  const original = Buffer.from('read often')
  let id = ''
  for (let at = 0; at < SIGNATURES; at += 1) {
    const signature = authorities.person().signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
    const { json } = await postJson<{ documentId: string }>(`${host.url}/api${id && `/${id}`}`, { signature })
    if (id === '') await postBytes(`${host.url}/api/${json.documentId}/data`, original)
    id = json.documentId
  }
  const costs: Record<string, number[]> = { [`/api/${id}`]: [], [`/d/${id}`]: [] }
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    for (const [url, seen] of Object.entries(costs)) {
      const begun = process.cpuUsage()
      for (let call = 0; call < CALLS; call += 1) {
        const { statusCode } = await host.app.inject(url)
        if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`)
      }
      const { user, system } = process.cpuUsage(begun)
      if (round >= WARM_UP) seen.push((user + system) / CALLS)
    }
  }
  const [api = [], page = []] = Object.values(costs)
  printRow({
    what: `the page of a document with ${SIGNATURES} signatures`,
    floor: 'GET of it',
    ratios: page.map((cost, at) => cost / (api[at] ?? Number.NaN)),
    aim: '<= 2',
    figures: `${median(page).toFixed(0)} us against ${median(api).toFixed(0)} us`,
  })
  await host.close()
  await closeDatabases()
}
