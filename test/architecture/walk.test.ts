import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { archiveFs } from '@signed-registry/archive-fs'
import { Database, DeliveryWorkers, provideValue } from '@signed-registry/core'

import { FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { SendDocument } from '@signed-registry/core/routing'
import { SaveUserSettings } from '@signed-registry/core/settings'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { mailerSmtp } from '@signed-registry/mailer-smtp'
import { expect } from 'chai'
import { defaultLogTimes, LogTimes } from '#core/log/log-worker.js'
import { headCaller, personCaller, systemCaller } from '../support/core-registry.js'
import { openSqlite } from '../support/databases.js'
import { startTestHost, type TestHost } from '../support/host.js'
import { postBytes, postJson, request } from '../support/http.js'
import { presentAuthorities } from '../support/pki/authorities.js'
import { uploadOf } from '../support/registry.js'
import { SmtpSink } from '../support/smtp-sink.js'
import { until } from '../support/until.js'
import { filesEntered } from '../support/walk.js'

/** Most source files that one warm request may enter; raising it needs a reason. */
const BUDGETS = { registration: 53, verify: 40, document: 26, version: 12, mail: 53 }
const WARM = 5
/** A timer that fires during one of them, as when the machine is busy, is not part of the request. */
const MEASURED = 3

/** For so long is looked at what runs while nothing is asked: bodies that hosts of other tests in this process still drain. */
const WATCHED_MS = 120

/** Where a request takes long, a round of the log would be measured with it. */
const rareLog = { name: 'rare log', provides: [provideValue(LogTimes, { ...defaultLogTimes, gatherMs: 3_600_000 })] }

/** Lists the files that a reader of a request has to open. */
function expectAtMost(budget: number, files: readonly string[]): void {
  expect(files.length, `files entered:\n${files.join('\n')}`).to.be.within(1, budget)
}

describe('the source files that a request enters', () => {
  let host: TestHost
  let sink: SmtpSink
  let made = 0
  const authorities = presentAuthorities()
  const signer = authorities.employee()

  before(async () => {
    sink = await SmtpSink.start()
    const mailer = mailerSmtp({ url: sink.url, from: 'registry@example.kz' })
    host = await startTestHost(openSqlite, {
      authorities,
      plugins: [
        devAuthorities({ authorities }),
        mailer,
        archiveFs({ folder: mkdtempSync(join(tmpdir(), 'walk-')) }),
        rareLog,
      ],
      // Polling for deliveries of other hosts would be measured, too.
      registry: { deliveryTimes: { pollMs: 3_600_000 } },
    })
  })
  after(async () => {
    await host.close()
    await sink.close()
  })

  /** The files that a request enters after a few warm-up requests. */
  async function walk(ask: () => Promise<unknown>): Promise<string[]> {
    for (let n = 0; n < WARM; n += 1) await ask()
    const beside = new Set(await filesEntered(() => pause(WATCHED_MS)))
    let files = (await filesEntered(ask)).filter((file) => !beside.has(file))
    for (let n = 1; n < MEASURED; n += 1) {
      const again = new Set(await filesEntered(ask))
      files = files.filter((file) => again.has(file))
    }
    return files
  }

  const contract = () => Buffer.from(`Contract ${++made}`)
  const register = async (original: Buffer) => {
    const signature = signer.signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
    const { status, json } = await postJson<{ documentId: string }>(`${host.url}/api`, { title: 'Contract', signature })
    expect(status).to.equal(200)
    return json.documentId
  }

  it('of a registration', async () => {
    expectAtMost(BUDGETS.registration, await walk(() => register(contract())))
  })

  it('of a verification', async () => {
    const original = contract()
    const id = await register(original)
    await postBytes(`${host.url}/api/${id}/data`, original)
    const verify = async () => expect((await postBytes(`${host.url}/api/${id}/verify`, original)).status).to.equal(200)
    expectAtMost(BUDGETS.verify, await walk(verify))
  })

  it('of a document that is read', async () => {
    const id = await register(contract())
    const read = async () => expect((await request(`${host.url}/api/${id}`)).status).to.equal(200)
    expectAtMost(BUDGETS.document, await walk(read))
  })

  it('of the version', async () => {
    const version = async () => expect((await request(`${host.url}/api/version`)).status).to.equal(200)
    expectAtMost(BUDGETS.version, await walk(version))
  })

  it('of a mail about an item, from sending the item until the mail server accepts it', async () => {
    const [sender, receiver] = [systemCaller(), personCaller()]
    await host.registry.get(SaveUserSettings).execute(receiver, {
      request: { email: 'receiver@example.kz', emailNotificationsRoutingEnabled: true },
    })
    // As hosts do, who check what comes by its schema: calls within a process are checked once more.
    const [sending, workers] = [host.registry.unchecked(SendDocument), host.registry.get(DeliveryWorkers)]
    workers.start()
    const { query } = host.registry.get(Database)
    const waitingRows = () => query('registry_deliveries').whereNot({ state: 'delivered' })
    const complete = async () => {
      const { documentId } = await host.registry.get(RegisterDocument).execute(sender, { request: { title: 'Offer' } })
      await host.registry.get(FixDigests).execute(sender, { id: documentId, upload: uploadOf(contract()) })
      return documentId
    }
    const waiting = [...Array(WARM + MEASURED)].map(complete)
    await Promise.all(waiting)
    const send = async () => {
      const id = (await waiting.pop()) ?? ''
      await sending.execute(headCaller(), { id, request: { to: receiver.iin } })
      await until(async () => (await waitingRows()).length === 0)
    }
    // Nothing was sent to the host: what runs of it are timers of its server.
    expectAtMost(
      BUDGETS.mail,
      (await walk(send)).filter((file) => !file.startsWith('host/')),
    )
    expect(sink.got).to.have.length(WARM + MEASURED)
    await workers.stop()
  })
})
