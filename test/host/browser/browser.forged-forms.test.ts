import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Database } from '@signed-registry/core'

import { expect } from 'chai'
import { MailKeys } from '#core/mail/recipients.js'
import { describeInBrowser } from '../../support/browser.js'
import type { TestHost } from '../../support/host.js'
import { getAs, logInOverHttp } from '../../support/login-over-http.js'
import { startPagesHost } from '../../support/pages-host.js'

interface Form {
  readonly url: string
  readonly request: string
  readonly original: string
}

/** Runs in the page: posts a form, ignoring that the answer is hidden from it. */
async function post({ url, request, original }: Form): Promise<void> {
  const body = new FormData()
  body.append('request', new Blob([request]))
  body.append('original', new Blob([original]))
  await fetch(url, { method: 'POST', body, mode: 'no-cors', credentials: 'include' }).catch(() => undefined)
}

/** Ways to write the address of registrations. */
const ADDRESSES = ['/api', '/api/', '/%61pi', '/%61%70%69/', '//api', '/api?a']

describeInBrowser('a page of another port of the same host', (browser) => {
  let host: TestHost
  let other: Server
  let otherUrl: string
  let cookies: string
  before(async () => {
    host = await startPagesHost()
    cookies = await logInOverHttp(host.url, host.authorities.named('head-1-auth'))
    other = createServer((request, answer) => {
      const { searchParams: query } = new URL(request.url ?? '', 'http://x')
      const [action, type] = [query.get('action') ?? '', query.get('type') ?? '']
      const form = `<form method="post" action="${action}" enctype="${type}"><input name="a"><button>Win</button></form>`
      answer.setHeader('content-type', 'text/html').end(`<!doctype html>${form}`)
    })
    await once(other.listen(0, '127.0.0.1'), 'listening')
    // Cookies ignore ports: the browser sends those of the host along.
    otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  })
  after(async () => {
    other.close()
    await host.close()
  })

  const counted = async (table: string) =>
    Number((await host.registry.get(Database).query(table).count('* as n'))[0]?.n)
  /** What a form needs to register a document and to send it on. */
  const forms = (more: object) =>
    ADDRESSES.map((path, at) => {
      const original = `Forged ${at} ${JSON.stringify(more)}`
      const signature = host.authorities
        .named('person-2')
        .signCms(Buffer.from(original), { timeStamp: true, ocsp: true })
      return {
        url: `${host.url}${path}`,
        original,
        request: JSON.stringify({ signature: signature.toString('base64'), ...more }),
      }
    })

  it('posts forms, and nothing is sent in the name of the visitor', async () => {
    const { page } = await browser.open(otherUrl, { cookies })
    await page.goto(otherUrl)
    for (const form of forms({ send: { to: 'IIN900101300040' } })) {
      const arrived = once(host.app.server, 'request')
      await page.evaluate(post, form)
      const [{ headers }] = await arrived
      // The attack is real: the browser sends the session.
      expect(headers.cookie, form.url).to.include('jwt=')
      expect([headers.origin, headers['sec-fetch-site']]).to.deep.equal([otherUrl, 'same-site'])
    }
    const outgoing = await getAs<{ outgoingTotal: number }>(`${host.url}/api/outgoing`, cookies)
    expect([outgoing.status, outgoing.json.outgoingTotal], outgoing.text).to.deep.equal([200, 0])
    expect(await counted('registry_documents')).to.equal(0)
  })

  it('registers, as anybody may, as nobody', async () => {
    const { page } = await browser.open(otherUrl, { cookies })
    await page.goto(otherUrl)
    for (const form of forms({})) await page.evaluate(post, form)
    const registrators = await host.registry
      .get(Database)
      .query('registry_documents')
      .distinct('registrator_bin as bin')
    expect(registrators).to.deep.equal([{ bin: null }])
  })

  it('changes nothing of the visitor by a form that the browser goes along with', async () => {
    const { page } = await browser.open(otherUrl, { cookies })
    for (const type of ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded']) {
      for (const path of ['/api/settings', '/%61pi/settings/', '/api/auth', '/api/package/']) {
        await page.goto(`${otherUrl}/?${new URLSearchParams({ action: `${host.url}${path}`, type })}`)
        const [answer] = await Promise.all([
          page.waitForResponse((one) => one.request().method() === 'POST'),
          page.click('button'),
        ])
        expect([answer.status(), (await answer.json()).code], `${type} ${path}`).to.deep.equal([403, 'foreignOrigin'])
      }
    }
  })

  it('does not keep who has logged in from the form of our own page', async () => {
    const token = await host.registry.get(MailKeys).token('stranger@example.kz', 'signatures')
    const { page, problems } = await browser.open(host.url, { cookies })
    await page.goto(`/unsubscribe/${token}?lang=en`)
    await page.getByRole('button', { name: 'Stop sending' }).click()
    await page.getByText('Done: e-mails of this kind will no longer').waitFor()
    expect(problems).to.deep.equal([])
  })
})
