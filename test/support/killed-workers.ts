import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DevAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { openDatabase } from '#core/database/open.js'
import { request } from './http.js'
import { until } from './until.js'
import type { WorkersHost } from './workers-host.js'

const WRITERS = 6

/** A registration that was acknowledged. */
interface Acknowledged {
  readonly title: string
  readonly documentId: string
}

/**
 * Kills a worker so many times while documents are registered, and lost answers asked for again under the same key. Everything
 * acknowledged must be there once, and the log must say that each was replaced.
 */
export async function killWorkers(host: WorkersHost, database: string, folder: string, kills: number): Promise<void> {
  const url = await host.url
  const authorities = DevAuthorities.create({ folder: join(folder, 'dev-authorities') })
  const signer = authorities.person()
  const acknowledged: Acknowledged[] = []
  const running = { goesOn: true, numbers: 0 }
  const register = async (title: string): Promise<void> => {
    const signature = signer.signCms(Buffer.from(title), { timeStamp: true, ocsp: true }).toString('base64')
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID(), connection: 'close' }
    for (;;) {
      const body = JSON.stringify({ title, signature })
      const answer = await request<Acknowledged>(`${url}/api`, { method: 'POST', headers, body }).catch(() => undefined)
      // The connection broke, or the request of the killed worker still holds the Idempotency-Key.
      if (answer === undefined || answer.status === 409 || answer.status === 503) continue
      expect(answer.status, answer.text).to.equal(200)
      acknowledged.push({ title, documentId: answer.json.documentId })
      return
    }
  }
  const writers = Array.from({ length: WRITERS }, async () => {
    while (running.goesOn) {
      running.numbers += 1
      await register(`contract ${running.numbers}`)
    }
  })
  const replaced = () => host.lines.filter(({ msg }) => msg === 'a worker ended, and is replaced')
  for (let kill = 0; kill < kills; kill += 1) {
    const worker = 1 + (kill % 2)
    const [count, pid] = [acknowledged.length, host.pidOf(worker)]
    await until(async () => acknowledged.length > count + WRITERS)
    process.kill(pid, 'SIGKILL')
    await until(async () => host.pidOf(worker) !== pid)
  }
  running.goesOn = false
  await Promise.all(writers)
  expect(replaced().map(({ worker }) => worker)).to.deep.equal(Array.from({ length: kills }, (_, at) => 1 + (at % 2)))
  expect(new Set(acknowledged.map(({ documentId }) => documentId)).size).to.equal(running.numbers)
  const knex = openDatabase(database)
  const [row] = await knex('registry_documents').count({ documents: '*' })
  await knex.destroy()
  expect(Number(row?.documents)).to.equal(running.numbers)
  for (const { title, documentId } of acknowledged) {
    const { json, status } = await request(`${url}/api/${documentId}`)
    expect([status, json.title]).to.deep.equal([200, title])
  }
}
