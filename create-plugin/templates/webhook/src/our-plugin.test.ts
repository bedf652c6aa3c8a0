import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { createRegistry, type Registry, type RegistryOptions, WebhookSender } from '@signed-registry/core'
import {
  type ReceivedRequest,
  type WebhookSenderUnderTest,
  webhookSenderContract,
} from '@signed-registry/core/contracts'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { ourPlugin } from './our-plugin.js'

describe('our-plugin as a WebhookSender', () => {
  const came: ReceivedRequest[] = []
  const opened: Registry[] = []
  let answer: Parameters<WebhookSenderUnderTest['answers']>[0] = 'nothing'
  let receiver: Server
  before(async () => {
    receiver = createServer(async (request, response) => {
      came.push({ headers: request.headers, text: await text(request) })
      if (answer === 'nothing') return
      if (answer !== 'endless') return void response.writeHead(answer.status, answer.headers).end(answer.body)
      const more = () => {
        while (response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
  })
  after(async () => {
    for (const registry of opened) await registry.close()
    receiver.closeAllConnections()
    receiver.close()
  })
  const open = async (allowed: Partial<RegistryOptions> = {}) => {
    const plugins = [devAuthorities({}), ourPlugin({ header: 'x-our-plugin', value: 'a value' })]
    const anywhere = { webhookAddresses: 'any', webhookPorts: 'any' } as const
    const registry = await createRegistry({ database: 'sqlite::memory:', plugins, ...anywhere, ...allowed })
    opened.push(registry)
    const sender = registry.get(WebhookSender)
    assert.ok(sender)
    return sender
  }
  const contract = webhookSenderContract({
    open: () => open(),
    openPublic: () => open({ webhookAddresses: 'public' }),
    openOnUsualPorts: () => open({ webhookPorts: [80, 443] }),
    url: () => `http://127.0.0.1:${Object(receiver.address()).port}`,
    answers: (next) => {
      answer = next
    },
    received: () => came,
  })

  for (const { title, check } of contract) it(title, check)

  it('adds its header', () => {
    assert.equal(came[0]?.headers['x-our-plugin'], 'a value')
  })
})
