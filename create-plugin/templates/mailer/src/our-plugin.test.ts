import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { createRegistry, Mailer, type MailMessage, type Registry } from '@signed-registry/core'
import { mailerContract, type ReceivedMessage } from '@signed-registry/core/contracts'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { ourPlugin } from './our-plugin.js'

/** What a mail is as JSON. */
interface Sent extends Omit<MailMessage, 'attachments' | 'signal'> {
  readonly attachments: readonly { readonly name: string; readonly content: string }[]
}

describe('our-plugin as a Mailer', () => {
  const came: ReceivedMessage[] = []
  let status = 200
  let service: Server
  let registry: Registry
  before(async () => {
    service = createServer(async (request, response) => {
      const { headers, attachments, ...mail }: Sent = JSON.parse(await text(request))
      came.push({
        ...mail,
        headers: new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
        attachments: attachments.map(({ name, content }) => ({ name, bytes: Buffer.from(content, 'base64') })),
      })
      response.writeHead(status).end()
    }).listen(0, '127.0.0.1')
    await once(service, 'listening')
    const { port } = Object(service.address())
    const plugins = [devAuthorities({}), ourPlugin({ url: `http://127.0.0.1:${port}/`, key: 'a key' })]
    registry = await createRegistry({ database: 'sqlite::memory:', plugins })
  })
  after(async () => {
    await registry.close()
    service.close()
  })
  const open = () => {
    const mailer = registry.get(Mailer)
    assert.ok(mailer)
    return mailer
  }

  for (const { title, check } of mailerContract({ open, received: async () => came })) it(title, check)

  it('tells a refused recipient from a service that failed', async () => {
    const mail = {
      ...{ to: 'a@example.kz', subject: 'a', text: 'a', html: '<p>a</p>', messageId: '<a@example.kz>' },
      ...{ headers: {}, attachments: [], signal: AbortSignal.timeout(5000) },
    }
    status = 422
    assert.equal((await open().send(mail)).code, 550)
    status = 503
    await assert.rejects(open().send(mail), /answered 503/)
  })
})
