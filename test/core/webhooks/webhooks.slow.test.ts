import { anonymous, type Caller, Deliveries } from '@signed-registry/core'
import { AddSignature, FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { RegisterPackage, SignPackage } from '@signed-registry/core/packages'
import { CommentIncoming, SendPackage } from '@signed-registry/core/routing'
import {
  GetWebhooks,
  ListWebhookDeliveries,
  PingWebhook,
  ResendWebhooks,
  RotateWebhookSecret,
} from '@signed-registry/core/webhooks'
import type { Subject } from '@signed-registry/dev-authorities'
import { webhookHttp } from '@signed-registry/webhook-http'
import { expect } from 'chai'
import { Webhook as Verifier } from 'standardwebhooks'
import { Subscriptions } from '#core/organizations/subscriptions.js'
import { headCaller, personCaller, systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { allTried } from '../../support/deliveries.js'
import { eventsOf } from '../../support/events.js'
import { UNTITLED } from '../../support/packages.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'
import { until } from '../../support/until.js'
import { WebhookSink } from '../../support/webhook-sink.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const [A, B, C] = ['BIN900140000017', 'BIN900140000028', 'BIN900140000039']
const original = Buffer.from('contract')
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const head = (bin: string) => headCaller({ bin })

describe('webhooks', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    let sink: WebhookSink
    let database: string
    const options = {
      plugins: [webhookHttp({})],
      webhookAddresses: 'any',
      webhookPorts: 'any',
      deliveryTimes: { pollMs: 20 },
      logger: silent,
    } as const
    const another = (more: Parameters<typeof testRegistry>[1]) =>
      testRegistry(database, { clock: test.clock, authorities: test.authorities, ...more })
    const restart = async (more: Parameters<typeof testRegistry>[1]) => {
      await test.registry.close()
      test = await another({ ...options, ...more })
      test.registry.start()
    }

    beforeEach(async () => {
      sink = await WebhookSink.start()
      database = await open()
      test = await testRegistry(database, options)
      test.registry.start()
    })
    afterEach(async () => {
      await test.registry.close()
      await sink.close()
    })

    const at = (path: string) => `${sink.url}${path}`
    const save = (bin: string, webhooks: { urls?: string[]; routingUrls?: string[] }) =>
      test.registry.get(SaveOrganizationSettings).execute(head(bin), { request: { webhooks } })
    const signature = (signer: Subject, bytes = original) =>
      signer.signCms(bytes, { timeStamp: true, ocsp: true }).toString('base64')
    const employee = (bin: string, iin = '850101300012') => test.authorities.employee({ iin, bin: bin.slice(3) })
    const register = (signer: Subject, caller: Caller = anonymous) =>
      test.registry.get(RegisterDocument).execute(caller, { request: { signature: signature(signer) } })
    const fix = (id: string) => test.registry.get(FixDigests).execute(anonymous, { id, upload: uploadOf(original) })
    const sign = (id: string, signer: Subject) =>
      test.registry.get(AddSignature).execute(anonymous, { id, request: { signature: signature(signer) } })
    const settle = () => allTried(test.registry, test.clock)
    const webhookOf = async (bin: string) => {
      const [first] = (await test.registry.get(GetWebhooks).execute(head(bin))).webhooks
      if (first === undefined) throw new Error('The organization has no webhook')
      return first
    }
    const deliveriesOf = async (bin: string, state?: 'failed' | 'waiting') => {
      const { webhookId } = await webhookOf(bin)
      await settle()
      const list = test.registry.get(ListWebhookDeliveries)
      return (await list.execute(head(bin), { webhookId, query: state ? { state } : {} })).deliveries
    }

    describe('about signatures', () => {
      it('tell the organization of the signer, those that signed before, and the one whose system registered it', async () => {
        for (const [bin, path] of [
          [A, '/a'],
          [B, '/b'],
          [C, '/c'],
        ] as const)
          await save(bin, { urls: [at(path)] })
        const { documentId, signId } = await register(employee(A), systemCaller({ bin: C }))
        await sink.came(2)
        await fix(documentId)
        const second = await sign(documentId, employee(B, '860101300019'))
        await sink.came(5)
        const third = await sign(documentId, test.authorities.person({ iin: '870101300016' }))
        await sink.came(8)
        await settle()
        const bodies = [signId, second.signId, third.signId].map((id) => ({ documentId, signId: id }))
        expect(sink.at('/a')).to.have.deep.members(bodies)
        expect(sink.at('/c')).to.have.deep.members(bodies)
        expect(sink.at('/b')).to.have.deep.members(bodies.slice(1))
        expect(sink.got).to.have.length(8)
        expect(sink.got[0]?.headers['content-type']).to.equal('application/json')
      })

      it('go once to each distinct address, and not to addresses for other events', async () => {
        await save(A, { urls: [at('/a'), at('/a'), at('/other')], routingUrls: [at('/routing')] })
        await register(employee(A))
        await sink.came(2)
        await settle()
        expect(sink.got.map(({ path }) => path)).to.have.members(['/a', '/other'])
      })

      it('go once to each of 100 receivers, one of which never answers', async () => {
        const employees = [A, B, C, 'BIN900140000041', 'BIN900140000052'].map((bin, n) => ({
          ...{
            bin,
            signer: employee(bin, `8${n}0101300012`),
            urls: Array.from({ length: 20 }, (_, at) => `/${n}/${at}`),
          },
        }))
        const [first, ...others] = employees
        if (first === undefined) throw new Error('There is nobody')
        const { documentId } = await register(first.signer)
        await fix(documentId)
        for (const { signer } of others.slice(1)) await sign(documentId, signer)
        for (const { bin, urls } of employees) await save(bin, { urls: urls.map(at) })
        expect((await rejectionOf(save(A, { urls: [...first.urls, '/more'].map(at) }))).code).to.equal(
          'requestFieldTooLarge',
        )
        let letGo = () => undefined
        sink.answer = ({ path }, response) => {
          if (path !== '/1/0') return response.end()
          letGo = () => void response.end()
          return response.flushHeaders()
        }
        if (others[0]) await sign(documentId, others[0].signer)
        await sink.came(100)
        expect(sink.got.map(({ path }) => path)).to.have.members(employees.flatMap(({ urls }) => urls))
        letGo()
      })

      it('are not sent for a preregistration, and name the package of a document', async () => {
        await save(A, { urls: [at('/a')] })
        const caller = systemCaller({ bin: A })
        await test.registry.get(RegisterDocument).execute(caller, { request: { title: 'without signature' } })
        const { packageId, documentsIds } = await test.registry
          .get(RegisterPackage)
          .execute(caller, { request: { ...UNTITLED, documents: [UNTITLED, UNTITLED] } })
        for (const id of documentsIds)
          await test.registry.get(FixDigests).execute(caller, { id, upload: uploadOf(original) })
        const signatures = documentsIds.map(() => ({ signature: signature(employee(A)) }))
        const { registrationResults } = await test.registry.get(SignPackage).execute(anonymous, {
          packageId,
          request: {
            signatures: [signatures[0] ?? { signature: '' }, { signature: signature(employee(A, '860101300019')) }],
          },
        })
        await sink.came(2)
        await settle()
        expect(sink.at('/a')).to.have.deep.members(
          registrationResults.map(({ documentId, signId }) => ({ packageId, documentId, signId })),
        )
        expect(sink.got).to.have.length(2)
      })

      it('need the feature of the subscription', async () => {
        await save(A, { urls: [at('/a')] })
        await test.registry.get(Subscriptions).change(A, { disable: ['webhooks'] }, 'admin')
        await register(employee(A))
        expect(await deliveriesOf(A)).to.deep.equal([])
      })

      it('are not made without a plugin that sends them', async () => {
        await save(A, { urls: [at('/a')] })
        const silent = await another({ webhookAddresses: 'any', webhookPorts: 'any' })
        await silent.registry
          .get(RegisterDocument)
          .execute(anonymous, { request: { signature: signature(employee(A)) } })
        await silent.registry.close()
        expect(await deliveriesOf(A)).to.deep.equal([])
      })
    })

    it('about items tell receiver and sender of new items, comments and decisions', async () => {
      await save(A, { routingUrls: [at('/from')] })
      await save(B, { routingUrls: [at('/to')], urls: [at('/never')] })
      const { packageId, documentsIds } = await test.registry
        .get(RegisterPackage)
        .execute(head(A), { request: { ...UNTITLED, documents: [UNTITLED] } })
      const [id = ''] = documentsIds
      const { outgoingId } = await test.registry.get(SendPackage).execute(head(A), { packageId, request: { to: B } })
      await settle()
      expect(sink.got).to.have.length(0)
      await test.registry.get(FixDigests).execute(head(A), { id, upload: uploadOf(original) })
      await sink.came(2)
      const answer = (request: { comment?: string; status?: 'accepted' }) =>
        test.registry.get(CommentIncoming).execute(head(B), { incomingId: outgoingId, request })
      await answer({ comment: 'reading' })
      await sink.came(4)
      await answer({ status: 'accepted' })
      await sink.came(6)
      const facts = { packageId, receiver: B }
      const told = [
        { ...facts, status: 'new', commentsCount: 0, sender: A },
        { ...facts, status: 'new', commentsCount: 1, sender: B },
        { ...facts, status: 'accepted', commentsCount: 2, sender: B },
      ]
      expect(sink.at('/to')).to.have.deep.members(told.map((body) => ({ incomingId: outgoingId, ...body })))
      // For outgoing items `sender` is the sender; who commented or decided is named beside it.
      const toSender = told.map((body, n) => ({ outgoingId, ...body, sender: A, ...(n > 0 && { author: B }) }))
      expect(sink.at('/from')).to.have.deep.members(toSender)
    })

    describe('are signed', () => {
      const verifies = (secret: string, n: number) => {
        const { text, headers } = sink.got[n] ?? { text: '', headers: {} }
        try {
          // Its timestamp is of the test's clock.
          const now = Date.now
          Date.now = () => test.clock.now()
          try {
            return new Verifier(secret).verify(text, headers as Record<string, string>) !== undefined
          } finally {
            Date.now = now
          }
        } catch {
          return false
        }
      }

      it('by a secret of the organization and the address, by Standard Webhooks', async () => {
        await save(A, { urls: [at('/a'), at('/other')] })
        const secrets = (await test.registry.get(GetWebhooks).execute(head(A))).webhooks
        expect(new Set(secrets.map(({ secret }) => secret)).size).to.equal(2)
        await register(employee(A))
        await sink.came(2)
        const n = sink.got.findIndex(({ path }) => path === '/a')
        expect(secrets.map(({ secret }) => verifies(secret, n))).to.deep.equal([true, false])
        expect((await deliveriesOf(A)).map(({ deliveryId }) => deliveryId)).to.deep.equal([
          sink.got[n]?.headers['webhook-id'],
        ])
      })

      it('by the old and the new secret for a day after a rotation', async () => {
        await save(A, { urls: [at('/a')] })
        const { webhookId, secret } = await webhookOf(A)
        const rotated = await test.registry.get(RotateWebhookSecret).execute(head(A), { webhookId })
        expect(rotated).to.include({ webhookId, previousSecretUntil: test.clock.now() + DAY })
        expect(await webhookOf(A)).to.include({
          secret: rotated.secret,
          previousSecretUntil: rotated.previousSecretUntil,
        })
        await register(employee(A))
        await sink.came(1)
        expect([verifies(secret, 0), verifies(rotated.secret, 0)]).to.deep.equal([true, true])
        test.clock.time += DAY
        await test.registry.get(PingWebhook).execute(head(A), { webhookId })
        await sink.came(2)
        expect([verifies(secret, 1), verifies(rotated.secret, 1)]).to.deep.equal([false, true])
        expect(await webhookOf(A)).not.to.have.property('previousSecretUntil')
      })

      it('by the same secret after an address was removed and added again', async () => {
        await save(A, { urls: [at('/a')] })
        const { secret, webhookId } = await webhookOf(A)
        await save(A, { urls: [] })
        expect((await test.registry.get(GetWebhooks).execute(head(A))).webhooks).to.deep.equal([])
        await save(A, { routingUrls: [at('/a')] })
        expect(await webhookOf(A))
          .to.include({ secret, webhookId })
          .and.deep.include({ lists: ['routingUrls'] })
      })
    })

    describe('that fail', () => {
      beforeEach(() => save(A, { urls: [at('/a')] }))
      const SCHEDULE = [5000, MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 6 * 60 * MINUTE, DAY]

      it('are retried after 5 s, 1, 5, 15 and 60 minutes, 6 and 24 hours, then no more, always with the same id', async () => {
        sink.answer = (_webhook, response) => response.writeHead(500).end('not today')
        await register(employee(A))
        for (const [n, pause] of SCHEDULE.entries()) {
          await sink.came(n + 1)
          const [delivery] = await deliveriesOf(A, 'waiting')
          const wait = (delivery?.nextAttemptAt ?? 0) - test.clock.now()
          expect(wait).to.be.within(0.9 * pause, 1.1 * pause)
          test.clock.time += wait
        }
        await sink.came(SCHEDULE.length + 1)
        const [failed] = await deliveriesOf(A, 'failed')
        expect(failed?.attempts).to.have.length(SCHEDULE.length + 1)
        expect(failed?.attempts[0]).to.include({ status: 500, answer: 'not today', error: 'HTTP status 500' })
        expect(new Set(sink.got.map(({ headers }) => headers['webhook-id']))).to.deep.equal(
          new Set([failed?.deliveryId]),
        )
        expect(new Set(sink.got.map(({ text }) => text)).size).to.equal(1)
      })

      it('by any status but 200 are retried, even 204 and 410; a setting accepts 200 to 299', async () => {
        const codes = [201, 204, 299, 300, 410]
        await save(A, { urls: codes.map((code) => at(`/${code}`)) })
        sink.answer = ({ path }, response) => response.writeHead(Number(path.slice(1))).end()
        const times = () => codes.map((code) => sink.at(`/${code}`).length)
        await register(employee(A))
        await sink.came(codes.length)
        await settle()
        test.clock.time += MINUTE
        await sink.came(2 * codes.length)
        await settle()
        expect(times()).to.deep.equal([2, 2, 2, 2, 2])

        await restart({ webhookSuccess: '2xx' })
        for (const [n, came] of [3 * codes.length, 3 * codes.length + 2].entries()) {
          test.clock.time += (n + 1) * 20 * MINUTE
          await sink.came(came)
          await settle()
        }
        expect(times()).to.deep.equal([3, 3, 3, 4, 4])
      })

      it('by a redirect are not followed', async () => {
        sink.answer = (_webhook, response) => response.writeHead(307, { location: at('/elsewhere') }).end()
        await register(employee(A))
        await sink.came(1)
        const [delivery] = await deliveriesOf(A, 'waiting')
        expect(delivery?.attempts[0]).to.include({ status: 307, error: 'HTTP status 307' })
        expect(sink.at('/elsewhere')).to.deep.equal([])
      })

      it('wait as the receiver asks by Retry-After, in seconds or by a date', async () => {
        const answers = ['600', new Date(test.clock.now() + 20 * MINUTE).toUTCString()]
        sink.answer = (_webhook, response) => response.writeHead(429, { 'retry-after': answers.shift() ?? '' }).end()
        await register(employee(A))
        for (const [n, pause] of [10 * MINUTE, 10 * MINUTE].entries()) {
          await sink.came(n + 1)
          const [delivery] = await deliveriesOf(A, 'waiting')
          const wait = (delivery?.nextAttemptAt ?? 0) - test.clock.now()
          // What is asked for, a tenth more or less; the second wait is what the first one left of 20 minutes.
          expect(wait).to.be.within(0.8 * pause, 1.22 * pause)
          test.clock.time += wait
        }
      })

      it('with 429, 502, 503 or 504 hold back everything for that address, and nothing for others', async () => {
        const statuses = [429, 500, 502, 503, 504]
        await save(A, { urls: statuses.map((status) => at(`/${status}`)) })
        sink.answer = ({ path }, response) => response.writeHead(Number(path.slice(1))).end()
        await register(employee(A))
        await sink.came(statuses.length)
        await settle()
        await register(employee(A, '860101300019'))
        await sink.came(statuses.length + 1)
        await test.registry.stop()
        const times = Object.fromEntries(statuses.map((status) => [status, sink.at(`/${status}`).length]))
        expect(times).to.deep.equal({ 429: 1, 500: 2, 502: 1, 503: 1, 504: 1 })
      })

      it('because the receiver never answers, or answers endlessly, are aborted', async () => {
        const endless = (
          _webhook: unknown,
          response: { write(text: string): boolean; on(event: 'drain', more: () => void): void },
        ) => {
          const more = () => {
            while (response.write('a'.repeat(10_000)));
          }
          response.on('drain', more)
          more()
        }
        await restart({ plugins: [webhookHttp({ timeoutMs: 2000 })] })
        sink.answer = (_webhook, response) => void response.flushHeaders()
        await register(employee(A))
        await sink.came(1)
        const [silent] = await deliveriesOf(A, 'waiting')
        expect(silent?.attempts[0]).to.deep.include({ error: 'No answer in time' })
        sink.answer = endless
        test.clock.time += MINUTE
        await sink.came(2)
        const [long] = await deliveriesOf(A)
        expect(long).to.include({ state: 'delivered' })
        expect(long?.attempts[1]?.answer).to.equal('a'.repeat(1024))
      })

      it('for five days pause their address, until a ping arrives', async () => {
        sink.answer = (_webhook, response) => response.writeHead(410).end()
        await register(employee(A))
        await sink.came(1)
        await settle()
        expect((await webhookOf(A)).failingSince).to.equal(test.clock.now())
        test.clock.time += 5 * DAY - 1
        await sink.came(2)
        await settle()
        expect(await webhookOf(A)).not.to.have.property('pausedAt')
        test.clock.time += 2 * MINUTE
        await sink.came(3)
        await settle()
        const { webhookId, pausedAt } = await webhookOf(A)
        expect(pausedAt).to.equal(test.clock.now())
        expect(eventsOf(test.registry).at(-1)).to.include({ type: 'webhookPaused', businessId: A, url: at('/a') })

        await register(employee(A, '860101300019'))
        await until(async () => (await deliveriesOf(A, 'failed')).length === 1)
        const [skipped] = await deliveriesOf(A, 'failed')
        expect(skipped?.attempts[0]).to.include({ error: 'The address is paused' })
        expect(sink.got).to.have.length(3)

        sink.answer = (_webhook, response) => response.end()
        const { deliveryId } = await test.registry.get(PingWebhook).execute(head(A), { webhookId })
        await sink.came(4)
        expect(sink.got[3]?.body).to.deep.equal({ ping: true, businessId: A })
        expect(sink.got[3]?.headers['webhook-id']).to.equal(deliveryId)
        await settle()
        expect(await webhookOf(A)).not.to.have.any.keys('pausedAt', 'failingSince')

        const again = { webhookId, request: { deliveryId: skipped?.deliveryId ?? '' } }
        expect(await test.registry.get(ResendWebhooks).execute(head(A), again)).to.deep.equal({ webhookId, resent: 1 })
        await sink.came(5)
        expect(sink.got[4]?.headers['webhook-id']).to.equal(skipped?.deliveryId)
      })

      it('are dropped when their address is removed from the settings', async () => {
        sink.answer = (_webhook, response) => response.writeHead(500).end()
        await register(employee(A))
        await sink.came(1)
        await settle()
        await save(A, { urls: [] })
        test.clock.time += MINUTE
        const kept = async () => (await test.registry.get(Deliveries).page({ owner: A, channel: 'webhook' }, 1))[0]
        await until(async () => (await kept())?.state === 'failed')
        expect((await kept())?.lastError).to.equal('The address is no longer in the settings')
        expect(sink.got).to.have.length(1)
      })
    })

    for (const [where, allowed, told] of [
      ['into no private network', { webhookPorts: 'any' }, 'The address leads into a private network'],
      [
        'to no port but those of the web',
        { webhookAddresses: 'any' },
        'The address leads to a port that is not allowed',
      ],
    ] as const)
      it(`go ${where}, unless the operator allows it`, async () => {
        await save(A, { urls: [at('/a'), at('/a').replace('127.0.0.1', 'localhost')] })
        await test.registry.stop()
        await register(employee(A))
        const careful = await another({ plugins: [webhookHttp({})], deliveryTimes: { pollMs: 20 }, ...allowed })
        careful.registry.start()
        const { webhooks } = await careful.registry.get(GetWebhooks).execute(head(A))
        for (const { webhookId } of webhooks) {
          const list = careful.registry.get(ListWebhookDeliveries)
          const attempt = async () => (await list.execute(head(A), { webhookId })).deliveries[0]?.attempts[0]
          await until(async () => (await attempt()) !== undefined)
          const error = (await attempt())?.error
          expect(error).to.equal(told)
        }
        expect(sink.got).to.have.length(0)
        await careful.registry.close()
      })

    it('can be sent again since a moment', async () => {
      await save(A, { urls: [at('/a')] })
      await register(employee(A))
      // Nothing says in which order deliveries arrive: the first is there before there are others.
      await sink.came(1)
      test.clock.time += 1000
      const since = test.clock.now()
      const later = [employee(A, '860101300019'), employee(A, '870101300016')]
      for (const signer of later) await register(signer)
      await sink.came(3)
      await settle()
      const { webhookId } = await webhookOf(A)
      const resend = { webhookId, request: { since } }
      expect(await test.registry.get(ResendWebhooks).execute(head(A), resend)).to.deep.equal({ webhookId, resent: 2 })
      await sink.came(5)
      const ids = sink.got.map(({ headers }) => headers['webhook-id'])
      expect(ids.slice(1, 3)).to.have.members(ids.slice(3))
    })

    it('are shown to and managed by callers who may view the organization’s settings only', async () => {
      await save(A, { urls: [at('/a')] })
      const { webhookId } = await webhookOf(A)
      const deliveryId = 'A'.repeat(16)
      const operations: [string, (caller: Caller, id: string) => Promise<unknown>][] = [
        ['rotate', (caller, id) => test.registry.get(RotateWebhookSecret).execute(caller, { webhookId: id })],
        ['list', (caller, id) => test.registry.get(ListWebhookDeliveries).execute(caller, { webhookId: id })],
        ['ping', (caller, id) => test.registry.get(PingWebhook).execute(caller, { webhookId: id })],
        [
          'resend',
          (caller, id) => test.registry.get(ResendWebhooks).execute(caller, { webhookId: id, request: { deliveryId } }),
        ],
      ]
      const codeOf = async (attempt: Promise<unknown>) => (await rejectionOf(attempt)).code
      for (const [, execute] of operations) {
        expect(await codeOf(execute(anonymous, webhookId))).to.equal('authenticationRequired')
        expect(await codeOf(execute(personCaller(), webhookId))).to.equal('notOrganization')
        expect(await codeOf(execute(systemCaller({ bin: A }), webhookId))).to.equal('accessDenied')
        expect(await codeOf(execute(head(B), webhookId))).to.equal('webhookNotFound')
        expect(await codeOf(execute(head(A), deliveryId))).to.equal('webhookNotFound')
      }
      const resend = test.registry.get(ResendWebhooks)
      expect(await codeOf(resend.execute(head(A), { webhookId, request: { deliveryId } }))).to.equal('webhookNotFound')
      expect(await codeOf(resend.execute(head(A), { webhookId, request: {} }))).to.equal('invalidJsonStructure')
      expect(await codeOf(resend.execute(head(A), { webhookId, request: { deliveryId, since: 0 } }))).to.equal(
        'invalidJsonStructure',
      )
    })
  })
})
