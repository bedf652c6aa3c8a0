import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { type RegistryOptions, WebhookSender } from '@signed-registry/core'

import { webhookSenderContract } from '@signed-registry/core/contracts'
import { localCertificate } from '@signed-registry/dev-authorities'
import { type WebhookHttpOptions, webhookHttp } from '@signed-registry/webhook-http'
import { expect } from 'chai'
import { registryWithoutAuthorities } from '../../support/core-registry.js'
import { hold } from '../../support/hold.js'
import { WebhookSink } from '../../support/webhook-sink.js'

const ANYWHERE = { webhookAddresses: 'any', webhookPorts: 'any' } as const

describe('webhooks by HTTP', () => {
  let sink: WebhookSink
  let folder: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'webhook-http-'))
    const pair = localCertificate(folder)
    sink = await WebhookSink.start({ ...pair, requestCert: true, rejectUnauthorized: false })
  })
  after(async () => {
    await sink.close()
    rmSync(folder, { recursive: true })
  })

  /** What the sink answers to one webhook, or why there is no answer. */
  const post = async (options: WebhookHttpOptions, allowed: Partial<RegistryOptions> = {}) => {
    const database = 'sqlite::memory:'
    const registry = await registryWithoutAuthorities(database, { ...ANYWHERE, ...allowed }, [webhookHttp(options)])
    try {
      const body = Buffer.from('{}')
      const request = { url: sink.url, headers: { 'content-type': 'application/json' }, body }
      const answer = await registry.get(WebhookSender)?.post({ ...request, signal: new AbortController().signal })
      return answer ?? 'no sender'
    } catch (error) {
      return error instanceof Error ? error.message : error
    } finally {
      await registry.close()
    }
  }
  const pem = () => {
    const { cert, key } = localCertificate(folder)
    return { cert: cert.toString(), key: key.toString() }
  }

  describe('keep the contract of a WebhookSender', () => {
    let plain: WebhookSink
    const opened: { close(): Promise<void> }[] = []
    const open = async (allowed: Partial<RegistryOptions>) => {
      const options = { ...ANYWHERE, ...allowed }
      const registry = await registryWithoutAuthorities('sqlite::memory:', options, [webhookHttp({})])
      opened.push(registry)
      const sender = registry.get(WebhookSender)
      if (sender === undefined) throw new Error('The plugin brings nothing')
      return sender
    }
    before(async () => {
      plain = await WebhookSink.start()
    })
    after(async () => {
      for (const one of opened) await one.close()
      await plain.close()
    })

    hold(
      webhookSenderContract({
        open: () => open({}),
        openPublic: () => open({ webhookAddresses: 'public' }),
        openOnUsualPorts: () => open({ webhookPorts: [443, 80] }),
        url: () => plain.url,
        received: () => plain.got,
        answers(answer) {
          plain.answer = (_webhook, response) => {
            if (answer === 'nothing') return
            if (answer === 'endless') {
              const more = () => {
                while (response.write('x'.repeat(10_000)));
              }
              response.writeHead(200).on('drain', more)
              return more()
            }
            response.writeHead(answer.status, answer.headers).end(answer.body)
          }
        },
      }),
    )
  })

  it('fail their contract when they check neither addresses nor ports', async () => {
    const careless = (): WebhookSender => ({
      async post({ url, headers, body, signal }) {
        const answer = await fetch(url, {
          method: 'POST',
          headers,
          body: Buffer.from(body),
          signal,
          redirect: 'manual',
        })
        return { status: answer.status, retryAfter: undefined, body: await answer.text() }
      },
    })
    const plain = await WebhookSink.start()
    const contract = webhookSenderContract({
      ...{ open: careless, openPublic: careless, openOnUsualPorts: careless },
      ...{ url: () => plain.url, received: () => plain.got, answers: () => undefined },
    })
    const strict = contract.filter(({ title }) => /private address|other port/.test(title))
    expect(strict).to.have.length(2)
    for (const { check } of strict)
      expect(
        await check().then(
          () => 'passed',
          () => 'failed',
        ),
      ).to.equal('failed')
    await plain.close()
  })

  it('show the certificate of the service to a receiver that asks for one', async () => {
    sink.answer = (_webhook, response) => {
      const { subject } = (response.req.socket as TLSSocket).getPeerCertificate()
      response.end(subject === undefined ? 'nobody' : 'somebody')
    }
    const { cert } = pem()
    expect(await post({ trust: cert, clientCertificate: pem() })).to.deep.include({ status: 200, body: 'somebody' })
    expect(await post({ trust: cert })).to.deep.include({ status: 200, body: 'nobody' })
  })

  it('do not reach an untrusted receiver, and reveal nothing about the network', async () => {
    expect(await post({})).to.equal('The connection failed')
    expect(await post({ trust: pem().cert }, { webhookAddresses: 'public' })).to.equal(
      'The address leads into a private network',
    )
    const { port } = new URL(sink.url)
    for (const webhookPorts of [[], [443, 80], [Number(port) + 1]])
      expect(await post({ trust: pem().cert }, { webhookPorts })).to.equal(
        'The address leads to a port that is not allowed',
      )
    expect(await post({ trust: pem().cert }, { webhookPorts: [Number(port)] })).to.include({ status: 200 })
  })

  it('refuse options that are none', () => {
    expect(() => webhookHttp({ timeoutMs: 0 })).to.throw(TypeError, 'webhook-http')
    expect(() => webhookHttp({ clientCertificate: { cert: 'x', key: 'y' } })).to.throw(TypeError, 'webhook-http')
  })
})
