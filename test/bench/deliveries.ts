import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Deliveries, DeliveryWorkers, type NewDelivery, type Registry, systemClock } from '@signed-registry/core'

import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { GetWebhooks } from '@signed-registry/core/webhooks'
import { mailerFiles } from '@signed-registry/mailer-files'
import { mailerSmtp } from '@signed-registry/mailer-smtp'
import { webhookHttp } from '@signed-registry/webhook-http'
import { SMTPServer } from 'smtp-server'
import { Database } from '#core/database/database.js'
import { BIN, headCaller, registryWithoutAuthorities } from '../support/core-registry.js'
import { closeDatabases, openSqlite } from '../support/databases.js'
import { startHostProcess } from '../support/host-process.js'
import { mariaDbProgram, startMariaDb } from '../support/mariadb.js'
import { until } from '../support/until.js'
import { load } from './http-load.js'
import { median } from './interleave.js'
import { PacedReceiver } from './paced-receiver.js'
import { signedRequests } from './registrations.js'
import { printRow } from './row.js'

const WEBHOOKS = 1800
const MAILS = 200
const MAIL_RATE = 50
const MADE_AT_ONCE = 100
const RATE = 300
const CALLS = 2000
const CONNECTIONS = 32
const ROUNDS = 5
/** Registrations before anything is measured, until V8 has compiled what they need; then half as many webhooks. */
const WARM_UP = 4000

/**
 * Webhooks a second from one host to a fast receiver: all to one address, and to twenty. Mails to a server and into files.
 * Then registrations over HTTP while 300 webhooks a second leave the same host, against none. Every database flushes every
 * commit.
 */
export async function run(): Promise<void> {
  await measure('SQLite', openSqlite)
  await closeDatabases()
  if (mariaDbProgram === undefined) return console.log('MariaDB is not installed: its half is left out')
  const server = await startMariaDb({ durable: true })
  await measure('MariaDB', () => server.createDatabase())
  await server.stop()
}

async function measure(name: string, open: () => Promise<string>): Promise<void> {
  const receiver = await PacedReceiver.start()
  await throughput(name, await open(), receiver)
  await mails(name, await open())
  await registrationsBeside(name, await open(), receiver)
  receiver.close()
}

async function throughput(name: string, database: string, receiver: PacedReceiver): Promise<void> {
  const options = { clock: systemClock, webhookAddresses: 'any', webhookPorts: 'any' } as const
  const registry = await registryWithoutAuthorities(database, options, [webhookHttp({})])
  for (const addresses of [1, 20]) {
    const make = await webhooksTo(registry, receiver.urls(addresses))
    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      await make(WEBHOOKS / ROUNDS)
      ratios.push((await rateOf(registry, WEBHOOKS / ROUNDS)) / RATE)
    }
    printRow({
      what: `${name}, webhooks to ${addresses} address(es)`,
      floor: `${RATE} a second`,
      ratios,
      aim: '>= 1',
      figures: `${(median(ratios) * RATE).toFixed(0)}/s`,
    })
  }
  await registry.close()
}

/** Mails a second: to a mail server on the same machine that takes everything at once, and into files. */
async function mails(name: string, database: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'))
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['AUTH', 'STARTTLS'], logger: false },
    onData: (stream, _session, done) => void stream.resume().on('end', done),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const from = 'registry@example.kz'
  for (const [where, plugin] of [
    ['a mail server', mailerSmtp({ url: `smtp://127.0.0.1:${port}?tls=off`, from })],
    ['files', mailerFiles({ folder: join(folder, 'mail'), from })],
  ] as const) {
    const registry = await registryWithoutAuthorities(database, { clock: systemClock }, [plugin])
    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      await addDeliveries(registry, MAILS, (n) => ({
        ...{ channel: 'mail', target: 'mail server', owner: BIN },
        payload: { to: `person${n}@example.kz`, language: 'ru', news: { kind: 'archiveQuotaExceeded', owner: BIN } },
      }))
      ratios.push((await rateOf(registry, MAILS)) / MAIL_RATE)
    }
    printRow({
      what: `${name}, mails to ${where}`,
      floor: `${MAIL_RATE} a second`,
      ratios,
      aim: '>= 1',
      figures: `${(median(ratios) * MAIL_RATE).toFixed(0)}/s`,
    })
    await registry.close()
  }
  await new Promise<void>((resolve) => server.close(() => resolve()))
  rmSync(folder, { recursive: true, force: true })
}

const allDelivered = (registry: Registry): Promise<void> =>
  until(async () => (await registry.get(DeliveryWorkers).depths()).every(({ pending }) => pending === 0))

/** How many a second a registry delivers of what waits. */
async function rateOf(registry: Registry, count: number): Promise<number> {
  const begun = performance.now()
  registry.start()
  await allDelivered(registry)
  const seconds = (performance.now() - begun) / 1000
  await registry.stop()
  return count / seconds
}

/** Registrations over HTTP while webhooks leave the same host at `RATE`, and while none does, in turns. */
async function registrationsBeside(name: string, database: string, receiver: PacedReceiver): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-bench-'))
  const host = startHostProcess({
    ...{ DATA_DIR: folder, DATABASE_URL: database, WEBHOOK_ADDRESSES: 'any', WEBHOOK_PORTS: 'any' },
    // So many bytes come from one address.
    RATE_LIMIT_ANONYMOUS_BYTES: '0',
  })
  const url = await host.url
  const options = { clock: systemClock, webhookAddresses: 'any', webhookPorts: 'any' } as const
  const maker = await registryWithoutAuthorities(database, options, [webhookHttp({})])
  const make = await webhooksTo(maker, receiver.urls(20))
  const requests = signedRequests('/api', join(folder, 'dev-authorities'), WARM_UP + 2 * CALLS * ROUNDS, 4)
  const register = (count = CALLS) => load(url, requests.splice(0, count), CONNECTIONS)
  await register(WARM_UP)
  await make(WARM_UP / 2)
  await allDelivered(maker)
  receiver.answer(0)
  const rounds: { quiet: number; busy: number; webhooks: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const quiet = await register()
    // The receiver sets the pace: what waits is always more than it takes.
    await make(Math.ceil(RATE * (4 * quiet + 3)))
    receiver.answer(RATE)
    const before = receiver.got
    await until(async () => receiver.got >= before + RATE)
    const [start, arrived] = [performance.now(), receiver.got]
    const busy = await register()
    rounds.push({ quiet, busy, webhooks: (receiver.got - arrived) / ((performance.now() - start) / 1000) })
    // What is left leaves before the next round without any.
    receiver.answer(Number.POSITIVE_INFINITY)
    await allDelivered(maker)
  }
  const rate = (seconds: number[]) => `${(CALLS / median(seconds)).toFixed(0)}/s`
  const webhooks = median(rounds.map((round) => round.webhooks))
  printRow({
    what: `${name}, registrations while ${webhooks.toFixed(0)} webhooks a second leave`,
    floor: 'registrations alone',
    ratios: rounds.map(({ quiet, busy }) => quiet / busy),
    // Beside less than was asked for, the figure says nothing of the aim.
    ...(webhooks > 0.8 * RATE && { aim: '>= 0.8' as const }),
    figures: `${rate(rounds.map(({ busy }) => busy))} against ${rate(rounds.map(({ quiet }) => quiet))}; ${RATE} webhooks were asked for`,
  })
  await maker.close()
  await host.end('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}

/** Answers how to make webhooks to some addresses, due at once. */
async function webhooksTo(registry: Registry, urls: string[]) {
  const head = headCaller()
  await registry.get(SaveOrganizationSettings).execute(head, { request: { webhooks: { urls } } })
  const ids = (await registry.get(GetWebhooks).execute(head)).webhooks.map(({ webhookId }) => webhookId)
  return (count: number): Promise<void> =>
    addDeliveries(registry, count, (n) => {
      const webhookId = ids[n % ids.length] ?? ''
      const body = { documentId: 'A'.repeat(16), signId: n }
      return { channel: 'webhook', target: webhookId, owner: head.bin, payload: { webhookId, body } }
    })
}

async function addDeliveries(registry: Registry, count: number, make: (n: number) => NewDelivery): Promise<void> {
  for (let made = 0; made < count; made += MADE_AT_ONCE) {
    const some = Array.from({ length: Math.min(MADE_AT_ONCE, count - made) }, (_, at) => make(made + at))
    await registry.get(Database).transaction(() => registry.get(Deliveries).add(some))
  }
}
