import { Database, Deliveries, type MailBudgets, type RegistryLimits } from '@signed-registry/core'
import type { Subject } from '@signed-registry/dev-authorities'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { mailerSmtp } from '@signed-registry/mailer-smtp'
import { expect } from 'chai'
import { forEachDatabase } from '../../support/databases.js'
import { allTried } from '../../support/deliveries.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postBytes, postJson, request } from '../../support/http.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { UNTITLED } from '../../support/packages.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { SmtpSink } from '../../support/smtp-sink.js'
import { startTwoHosts } from '../../support/two-hosts.js'

const HOUR = 60 * 60_000
const BANK = 'BIN123456789012'
const VICTIM = 'victim@example.kz'
let made = 0
/** Twenty addresses, the n-th of them. */
const twenty = (n: number) => Array.from({ length: 20 }, (_, at) => `name${20 * n + at}@example.kz`)

interface Registered {
  readonly documentId?: string
  readonly code?: string
  readonly details?: Record<string, unknown>
}

/** Registers a document that asks for mails; the registration is complete. */
async function register(url: string, signer: Subject, to: string[]) {
  const original = Buffer.from(`Your prize No ${++made}`)
  const signature = signer.signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
  const answer = await postJson<Registered>(`${url}/api`, { title: 'a.txt', signature, emailNotifications: { to } })
  if (answer.status === 200) await postBytes(`${url}/api/${answer.json.documentId}/data`, original)
  return { ...answer, original }
}

forEachDatabase((open) => {
  describe('mails that registrations ask for', () => {
    const authorities = presentAuthorities()
    /** Stands still, so that answers name exact times. */
    const clock = { began: 0, ahead: 0, now: () => clock.began + clock.ahead }
    let sink: SmtpSink
    let host: TestHost
    before(async () => {
      sink = await SmtpSink.start()
    })
    after(() => sink.close())
    const start = async (limits: Partial<RegistryLimits> = {}, mailBudgets: MailBudgets = {}) => {
      sink.forget()
      Object.assign(clock, { began: Date.now(), ahead: 0 })
      const mailer = mailerSmtp({ url: sink.url, from: 'Registry <registry@example.kz>' })
      const plugins = [devAuthorities({ authorities }), mailer]
      const registry = { limits, mailBudgets, deliveryTimes: { pollMs: 20 } }
      const logger = { info: () => undefined, warn: () => undefined, error: () => undefined }
      host = await startTestHost(open, { authorities, plugins, clock, logger, registry })
      host.registry.start()
    }
    afterEach(() => host.close())

    /** Somebody who signed before yesterday. */
    const knownSigner = async (fields: Parameters<typeof authorities.person>[0] = {}) => {
      const signer = authorities.person(fields)
      await register(host.url, signer, [])
      await host.registry.get(Database).query('registry_user_settings').update({ created_at: 0 })
      return signer
    }
    const documents = async () => {
      const row = await host.registry.get(Database).query('registry_documents').count({ total: '*' }).first()
      return Number(row?.total)
    }

    it('of one signer are limited per hour, to new addresses and in total', async () => {
      await start()
      const signer = await knownSigner()
      const attack = async () => {
        const told: number[] = []
        for (let n = 0; n < 10; n++) told.push((await register(host.url, signer, twenty(n))).status)
        return told
      }
      expect(await attack()).to.deep.equal([200, 200, 200, 200, 200, 429, 429, 429, 429, 429])
      // To those whom he has written to as many as there are for anybody.
      expect(await attack()).to.deep.equal([200, 200, 200, 200, 200, 429, 429, 429, 429, 429])
      expect(await attack()).to.deep.equal(Array.from({ length: 10 }, () => 429))
      expect(await documents()).to.equal(11)
      await sink.came(200)
      await host.registry.stop()
      expect(sink.got).to.have.length(200)
    })

    it('are few to new addresses on the first day of a signer; nothing is stored of what is refused', async () => {
      await start()
      const signer = authorities.person()
      const refused = await register(host.url, signer, twenty(0))
      expect(refused.status, refused.text).to.equal(429)
      expect(refused.json).to.deep.include({ code: 'mailLimitReached', details: { newAddresses: 20, limit: 10 } })
      expect(await documents()).to.equal(0)
      expect((await register(host.url, signer, twenty(0).slice(0, 10))).status).to.equal(200)
      const more = await register(host.url, signer, [VICTIM])
      expect([more.status, more.headers.get('retry-after')]).to.deep.equal([429, '360'])
      clock.ahead += HOUR / 2
      expect((await register(host.url, signer, [VICTIM, ...twenty(0)].slice(0, 11))).status).to.equal(200)
    })

    it('of many signers to one address are few, and nobody is told', async () => {
      await start({ mailsPerRecipientPerHour: 3 })
      const answers: Awaited<ReturnType<typeof register>>[] = []
      for (let n = 0; n < 5; n++) answers.push(await register(host.url, authorities.person(), [VICTIM]))
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200])
      await allTried(host.registry, clock)
      const all = answers.map(({ json }) =>
        host.registry.get(Deliveries).page({ owner: json.documentId ?? '', channel: 'mail' }, 10),
      )
      const fates = (await Promise.all(all)).flat().map(({ state, lastError }) => lastError ?? state)
      const withheld = 'Withheld: too many mails to the address within an hour'
      expect(fates.sort()).to.deep.equal([withheld, withheld, 'delivered', 'delivered', 'delivered'])
      expect(sink.to(VICTIM)).to.have.length(3)
      await register(host.url, authorities.person(), ['other@example.kz'])
      await sink.came(4)
      clock.ahead += HOUR
      await register(host.url, authorities.person(), [VICTIM])
      await sink.came(5)
      expect(sink.to(VICTIM)).to.have.length(4)
    })

    it('of an organization with a budget are as many as that, whoever of it asks, and count for no address', async () => {
      await start({ mailsPerRecipientPerHour: 1 }, { [BANK]: 45 })
      const bin = BANK.slice(3)
      const [one, other] = [1, 2].map((n) => authorities.employee({ bin, iin: `85010130001${n}` }))
      if (one === undefined || other === undefined) throw new Error('Two employees')
      expect((await register(host.url, one, twenty(0))).status).to.equal(200)
      expect((await register(host.url, other, twenty(0))).status).to.equal(200)
      const refused = await register(host.url, one, twenty(2))
      expect([refused.status, refused.json.details?.limit]).to.deep.equal([429, 45])
      const stranger = authorities.employee({ bin: '210987654321' })
      expect((await register(host.url, stranger, twenty(3))).status).to.equal(429)
      await sink.came(40)
      expect(sink.to(twenty(0)[0] ?? '')).to.have.length(2)
    })

    it('are counted for packages by who registers them', async () => {
      await start({ mailsPerHour: 5 })
      const cookie = await logInOverHttp(host.url, authorities.person())
      const post = (to: string[]) =>
        request<Registered>(`${host.url}/api/package`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', cookie },
          body: JSON.stringify({ ...UNTITLED, documents: [UNTITLED], emailNotifications: { to } }),
        })
      expect((await post(twenty(0).slice(0, 5))).status).to.equal(200)
      const { status, json } = await post([VICTIM])
      expect([status, json.code]).to.deep.equal([429, 'mailLimitReached'])
      expect(await documents()).to.equal(1)
    })

    it('are sent at later signatures within the limits of their signers; no signature is refused for that', async () => {
      await start({ mailsPerHour: 3, newSignersRecipientsPerHour: 3 })
      const { json, original } = await register(host.url, authorities.person(), twenty(0).slice(0, 3))
      await sink.came(3)
      const signer = authorities.person({ iin: '860101300019' })
      expect((await register(host.url, signer, [VICTIM])).status).to.equal(200)
      await sink.came(4)
      const signature = signer.signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
      expect((await postJson(`${host.url}/api/${json.documentId}`, { signature })).status).to.equal(200)
      const kept = await host.registry.get(Deliveries).page({ owner: json.documentId ?? '', channel: 'mail' }, 10)
      expect(kept).to.have.length(3)
    })
  })

  it('mails that registrations ask for are counted by two hosts together', async () => {
    const authorities = presentAuthorities()
    const hosts = await startTwoHosts(await open(), authorities)
    try {
      const signer = authorities.person()
      const urls = [hosts.first.url, hosts.second.url]
      const attempts = twenty(0).map(async (to, n) => {
        // Whoever waits too long for the signer's row is told to come again.
        for (;;) {
          const { status } = await register(urls[n % 2] ?? '', signer, [to])
          if (status !== 503) return status
        }
      })
      const statuses = await Promise.all(attempts)
      expect(statuses.filter((status) => status === 200)).to.have.length(10)
      expect(statuses.filter((status) => status === 429)).to.have.length(10)
    } finally {
      await hosts.close()
    }
  })
})
