import type { IncomingItem } from '@signed-registry/client'
import { expect } from 'chai'
import type { TestHost } from '../../../support/host.js'
import { postJson } from '../../../support/http.js'
import { getAs, logInOverHttp } from '../../../support/login-over-http.js'
import { registered, startPagesHost } from '../../../support/pages-host.js'

describe('identifiers that stand in mails', () => {
  let host: TestHost
  let sender: string
  let receiver: string
  let incomingId: string
  let outgoingId: string
  before(async () => {
    host = await startPagesHost()
    sender = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    receiver = await logInOverHttp(host.url, host.authorities.named('person-1-auth'))
    const id = await registered(host)
    const sent = await host.app.inject({
      ...{ method: 'POST', url: `/api/${id}/send`, headers: { cookie: sender } },
      payload: { to: 'IIN900101300010' },
    })
    outgoingId = sent.json<{ outgoingId: string }>().outgoingId
    const { json } = await getAs<{ items: IncomingItem[] }>(`${host.url}/api/incoming`, receiver)
    incomingId = json.items[0]?.incomingId ?? ''
  })
  after(() => host.close())

  const find = async (text: string, cookie = '') => {
    const url = `${host.url}/find?id=${encodeURIComponent(text)}&lang=en`
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    return { status: answer.status, location: answer.headers.get('location'), html: await answer.text() }
  }

  it('lead each side of an item to its page', async () => {
    expect(incomingId).to.match(/^\w{16}$/)
    expect((await find(` ${incomingId} `, receiver)).location).to.equal(`/incoming/${incomingId}`)
    expect((await find(outgoingId, sender)).location).to.equal(`/outgoing/${outgoingId}`)
  })

  it('lead to the page of a package, and to a private document although a stranger may not open it', async () => {
    const { json } = await postJson<{ packageId: string }>(`${host.url}/api/package`, {
      ...{ title: 'Papers', description: '', settings: {}, documentsSettings: {} },
      documents: [{ title: 'one.txt', description: '' }],
    })
    expect((await find(json.packageId)).location).to.equal(`/p/${json.packageId}`)
    const id = await registered(host, { settings: { private: true } })
    expect((await find(id)).location).to.equal(`/d/${id}`)
  })

  it('lead from the addresses in mails to the same pages', async () => {
    for (const path of [`/incoming/${incomingId}`, `/outgoing/${outgoingId}`, '/p/0123456789abcdef'])
      expect((await find(`https://registry.example${path}?lang=kk`)).location, path).to.equal(path)
  })

  it('tell a stranger to log in, and the same of an identifier that nothing has', async () => {
    const words = ({ status, html }: Awaited<ReturnType<typeof find>>) => [
      status,
      html.includes('Nothing has this identifier'),
      html.includes('log in first'),
    ]
    expect(words(await find(incomingId))).to.deep.equal([404, true, true])
    expect((await find(incomingId)).html).to.include(`/login?next=%2Ffind%3Fid%3D${incomingId}`)
    expect(words(await find('0123456789abcdef'))).to.deep.equal([404, true, true])
  })

  it('lead nobody to an item of others', async () => {
    const other = await logInOverHttp(host.url, host.authorities.named('employee-1-auth'))
    const { status, html } = await find(incomingId, other)
    expect([status, html.includes('log in first')]).to.deep.equal([404, false])
    expect((await find(outgoingId, other)).status).to.equal(404)
  })
})
