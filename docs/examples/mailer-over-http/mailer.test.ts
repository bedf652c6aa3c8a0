import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { json } from 'node:stream/consumers'
import { createRegistry, Mailer, type Registry } from '@signed-registry/core'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { mailerOverHttp } from './mailer.js'

describe('the example of a mailer', () => {
  const came: object[] = []
  let status = 200
  let service: Server
  let registry: Registry
  before(async () => {
    service = createServer(async (request, response) => {
      came.push(Object(await json(request)))
      response.writeHead(status).end()
    }).listen(0, '127.0.0.1')
    await once(service, 'listening')
    const { port } = Object(service.address())
    const mailer = mailerOverHttp({ url: `http://127.0.0.1:${port}/`, key: 'ours' })
    registry = await createRegistry({ database: 'sqlite::memory:', plugins: [devAuthorities({}), mailer] })
  })
  after(async () => {
    await registry.close()
    service.close()
  })

  const send = async () =>
    registry.get(Mailer)?.send({
      to: 'person@example.kz',
      subject: 'Қол қойылды',
      text: 'text',
      html: '<p>text</p>',
      messageId: '<a@registry.example>',
      headers: {},
      attachments: [{ name: 'a.txt', bytes: Buffer.from('a') }],
      signal: AbortSignal.timeout(5000),
    })

  it('carries a mail with its attachments', async () => {
    expect((await send())?.code).to.equal(250)
    expect(came[0]).to.deep.include({ to: 'person@example.kz', attachments: [{ name: 'a.txt', content: 'YQ==' }] })
  })

  it('tells a refused recipient from a failed service', async () => {
    status = 422
    expect((await send())?.code).to.equal(550)
    status = 503
    expect(await send().catch(String)).to.equal('Error: The mail service answered 503')
  })
})
