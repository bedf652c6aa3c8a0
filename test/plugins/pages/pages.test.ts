import { gzipSync } from 'node:zlib'
import type { RegisteredPackage } from '@signed-registry/core/packages'
import { expect } from 'chai'
import type { TestHost } from '../../support/host.js'
import { postJson } from '../../support/http.js'
import { logInOverHttp } from '../../support/login-over-http.js'
import { UNTITLED } from '../../support/packages.js'
import { registered, startPagesHost } from '../../support/pages-host.js'

const HOSTILE = '<script>alert(1)</script>"\'&=HYPERLINK("x")\u202Egnp.exe é́́ 😀'

describe('pages', () => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost({ limits: { auditEventsPerCall: 2 } })
  })
  after(() => host.close())

  const look = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(host.url + path, {
      headers: { 'accept-language': 'en', ...headers },
      redirect: 'manual',
    })
    return { status: response.status, headers: response.headers, html: await response.text() }
  }

  it('show who signed a document, with time stamp and certificate status, under each of its URLs', async () => {
    const id = await registered(host, { description: 'about money' })
    const pages = await Promise.all([`/d/${id}`, `/show/?id=${id}`, `/R/?id=${id}`].map((path) => look(path)))
    for (const { status, html } of pages) {
      expect(status).to.equal(200)
      for (const told of [
        'contract.txt',
        'about money',
        id,
        '1 valid signature',
        'АСАНОВА АЙГУЛЬ АСАНОВНА',
        '900101300020',
        'DEVELOPMENT TSA',
        'DEVELOPMENT OCSP RESPONDER',
      ]) {
        expect(html).to.include(told)
      }
    }
  })

  it('begin a search again where the address has no cursor of one', async () => {
    const cookie = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    for (const list of ['/documents', '/packages', '/incoming', '/outgoing']) {
      const { status, headers } = await look(`${list}?q=contract&cursor=x`, { cookie })
      expect(status, list).to.equal(303)
      expect(headers.get('location'), list).to.equal(`${list}?q=contract`)
      expect((await look(`${list}?cursor=x`, { cookie })).status, list).to.equal(200)
    }
  })

  it('speak Kazakh, Russian and English: as chosen, else as the browser asks, else Russian', async () => {
    const id = await registered(host)
    for (const [language, words] of [
      ['kk', 'Қолтаңба жарамды'],
      ['ru', 'Подпись действительна'],
      ['en', 'The signature is valid'],
    ] as const) {
      const chosen = await look(`/d/${id}?lang=${language}`, { 'accept-language': 'de' })
      expect((await look(`/d/${id}?lang=${language}/en`)).html).to.include(`<html lang="${language}"`)
      expect(chosen.html).to.include(`<html lang="${language}"`).and.include(words)
      expect(chosen.headers.get('set-cookie')).to.include(`lang=${language};`)
      expect(
        (await look(`/d/${id}`, { 'accept-language': 'de, fr;q=0.9', cookie: `lang=${language}` })).html,
      ).to.include(words)
      expect((await look(`/d/${id}`, { 'accept-language': `de, ${language};q=0.8, xx;q=0.1` })).html).to.include(words)
    }
    expect((await look(`/d/${id}`, { 'accept-language': 'de' })).html).to.include('<html lang="ru"')
    expect((await look(`/d/${id}?lang=xx`, { 'accept-language': '' })).html).to.include('<html lang="ru"')
  })

  it('run only our scripts, cannot be framed, and connect to the signing program only where one signs', async () => {
    for (const path of ['/', '/check', '/nowhere-here', `/d/${await registered(host)}`, '/d/0123456789abcdef']) {
      const policy = (await look(path)).headers.get('content-security-policy') ?? ''
      expect(policy, path)
        .to.include("default-src 'none'")
        .and.include("frame-ancestors 'none'")
        .and.not.include('unsafe')
      expect(policy, path).not.to.include('13579')
    }
    for (const path of ['/new', '/login']) {
      expect((await look(path)).headers.get('content-security-policy'), path).to.include(
        "connect-src 'self' wss://127.0.0.1:13579;",
      )
    }
  })

  it('show every text of users as text', async () => {
    const id = await registered(host, { title: "O'Neill & =1+1 שלום é́ 😀", description: HOSTILE })
    const { html } = await look(`/d/${id}`)
    expect(html).to.include('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;=HYPERLINK(&quot;x&quot;)')
    expect(html).to.include('<bdi>O&#39;Neill &amp; =1+1 שלום é́ 😀</bdi>')
    expect(html).not.to.include('<script>alert').and.not.include('"title":"<')
    const found = await look(`/d/${id}?lang=%22%3E%3Cscript%3Ealert(2)%3C/script%3E&x=%3Cb%3E`)
    expect(found.html).not.to.include('<script>alert').and.not.include('<b>')
  })

  it('may be cached with revalidation when they are the same for every visitor', async () => {
    const original = Buffer.from('signed twice')
    const id = await registered(host, {}, original)
    const first = await look(`/d/${id}`)
    const etag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).to.equal('public, no-cache')
    expect(first.headers.get('vary'))
      .to.match(/cookie/)
      .and.match(/accept-language/)
    expect(await look(`/d/${id}`, { 'if-none-match': `W/${etag}` })).to.include({ status: 304, html: '' })
    const signer = host.authorities.named('employee-1')
    await fetch(`${host.url}/api/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ signature: signer.signCms(original).toString('base64') }),
    })
    const changed = await look(`/d/${id}`, { 'if-none-match': etag })
    expect(changed.status).to.equal(200)
    expect(changed.html)
      .to.include('2 valid signatures')
      .and.include('ТОО &quot;ОБРАЗЕЦ&quot;')
      .and.include('Employee of the organization')
    const cookie = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    const mine = await look(`/d/${id}`, { cookie })
    expect(mine.headers.get('cache-control')).to.equal('no-store')
    expect(mine.headers.has('etag')).to.equal(false)
    expect(mine.html).to.include('data-logout').and.include(`/d/${id}/settings`)
  })

  it('say only that a document is private until its signer has logged in', async () => {
    const id = await registered(host, { title: 'secret.txt', settings: { private: true } })
    const refused = await look(`/d/${id}`)
    expect(refused.status).to.equal(401)
    expect(refused.headers.get('cache-control')).to.equal('no-store')
    expect(refused.html).to.include('This document is private').and.include(`/login?next=%2Fd%2F${id}`)
    expect(refused.html).not.to.include('secret').and.not.include('АСАНОВА')
    const stranger = await logInOverHttp(host.url, host.authorities.named('employee-1-auth'))
    const denied = await look(`/d/${id}`, { cookie: stranger })
    expect([denied.status, denied.html.includes('secret')]).to.deep.equal([403, false])
    const cookie = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    expect((await look(`/d/${id}`, { cookie })).html).to.include('secret.txt')
  })

  it('say that something does not exist', async () => {
    for (const path of ['/d/0123456789abcdef', '/d/x', '/p/0123456789abcdef', '/show/', '/find?id=none']) {
      const { status, html } = await look(path)
      expect([status, html.includes('There is no such document')], path).to.deep.equal([404, true])
    }
    for (const path of ['/assets/x/pages.css', '/assets/..%2f..%2fpackage.json', '/d/a/b/c'])
      expect((await look(path)).status, path).to.equal(404)
  })

  it('lead from an identifier, a link or a file name to the document', async () => {
    const id = await registered(host)
    for (const text of [id, ` ${id} `, `https://elsewhere.example/show/?id=${id}`, `a-SigexId${id}.pdf`]) {
      const { status, headers } = await look(`/find?id=${encodeURIComponent(text)}`)
      expect([status, headers.get('location')], text).to.deep.equal([303, `/d/${id}`])
    }
  })

  it('show who has not signed which documents of a package', async () => {
    const signer = host.authorities.named('person-2')
    const {
      json: { packageId, documentsIds, dataSecret },
    } = await postJson<RegisteredPackage>(`${host.url}/api/package`, {
      ...UNTITLED,
      title: 'Two papers',
      documents: ['one.txt', 'two.txt'].map((title) => ({ ...UNTITLED, title })),
    })
    for (const id of documentsIds) {
      await fetch(`${host.url}/api/${id}/data?dataSecret=${dataSecret}`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: `paper ${id}`,
      })
    }
    const sign = (id: string) =>
      postJson(`${host.url}/api/${id}`, { signature: signer.signCms(Buffer.from(`paper ${id}`)).toString('base64') })
    await sign(documentsIds[0] ?? '')
    expect((await look(`/p/${packageId}`)).html)
      .to.include('Two papers')
      .and.include('not signed yet: <bdi>two.txt</bdi>')
    await sign(documentsIds[1] ?? '')
    expect((await look(`/p/${packageId}`)).html).to.include('signed all 2')
    expect((await look(`/d/${documentsIds[0]}`)).html).to.include(`/p/${packageId}`)
  })

  it('show how the settings of a document changed, in words and page by page, to those who may see it', async () => {
    const id = await registered(host)
    const cookie = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    const change = (settings: object) =>
      fetch(`${host.url}/api/${id}/settings`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify(settings),
      })
    expect((await look(`/d/${id}`, { cookie })).html).not.to.include('Changes to settings')
    await change({ private: true })
    await change({
      private: true,
      signaturesLimit: 2,
      documentAccess: [{ iin: 'IIN900101300010', bin: 'BIN200140000019' }],
    })
    const { html } = await look(`/d/${id}`, { cookie })
    expect(html)
      .to.include('Changes to settings (2)')
      .and.include('private: <del>no</del> → <ins>yes</ins>')
      .and.include('signatures expected: <del>none</del> → <ins>2</ins>')
      .and.include('who else can see it: <del>none</del> → <ins>BIN 200140000019, IIN 900101300010</ins>')
      .and.include('IIN 900101300020')
    for (const isPrivate of [true, false]) await change({ private: isPrivate })
    const long = (await look(`/d/${id}`, { cookie })).html
    const [, next = ''] = /href="([^"]+#changes)"/.exec(long) ?? []
    const later = (await look(next, { cookie })).html
    expect(later.match(/<ol class="history">.*?<\/ol>/s)?.[0].match(/class="hint"/g)).to.have.length(2)
    expect(later).to.include(`href="/d/${id}#changes"`).and.not.include('Later changes')
    await change({ private: false })
    for (const other of ['', await logInOverHttp(host.url, host.authorities.named('employee-1-auth'))])
      expect((await look(`/d/${id}`, { cookie: other })).html)
        .to.include('contract.txt')
        .and.not.include('Changes to settings')
  })

  it('offer the settings of a document and of a package only to those who may change them', async () => {
    const id = await registered(host)
    const {
      json: { packageId },
    } = await postJson<RegisteredPackage>(`${host.url}/api/package`, { ...UNTITLED, documents: [UNTITLED] })
    const signer = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    const other = await logInOverHttp(host.url, host.authorities.named('employee-1-auth'))
    const form = 'data-form="document-settings"'
    expect((await look(`/d/${id}/settings`, { cookie: signer })).html).to.include(form)
    for (const [path, cookie] of [
      [`/d/${id}`, ''],
      [`/d/${id}`, other],
      [`/p/${packageId}`, ''],
      [`/p/${packageId}`, other],
    ] as const) {
      expect((await look(path, { cookie })).html, path).not.to.include(`${path}/settings"`)
      const { html } = await look(`${path}/settings`, { cookie })
      expect(html, path).to.include('Only those who signed or registered it').and.not.include('data-form')
      expect(html.includes('/login?next=%2F'), path).to.equal(cookie === '')
    }
  })

  it('offer what the visitor has the right to, and nothing that would be refused', async () => {
    const id = await registered(host, { settings: { private: true } })
    const signer = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    const receiver = await logInOverHttp(host.url, host.authorities.named('head-1-auth'))
    const employee = await logInOverHttp(host.url, host.authorities.named('employee-1-auth'))
    const sent = await fetch(`${host.url}/api/${id}/send`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: signer },
      body: JSON.stringify({ to: 'BIN200140000019' }),
    })
    expect(sent.status, await sent.text()).to.equal(200)
    const notify = `href="/d/${id}/notify"`
    expect((await look(`/d/${id}`, { cookie: signer })).html).to.include(notify)
    expect((await look(`/d/${id}/notify`, { cookie: signer })).html).to.include('data-form="notify"')
    const received = await look(`/d/${id}`, { cookie: receiver })
    expect([received.status, received.html.includes(notify)]).to.deep.equal([200, false])
    expect((await look(`/d/${id}/notify`, { cookie: receiver })).html)
      .to.include('You have no access to this page')
      .and.not.include('data-form')
    expect(received.html).to.include('href="/organization"')
    expect((await look('/', { cookie: employee })).html).not.to.include('href="/organization"')
  })

  it('say why access is denied: anonymous visitors are asked to log in, others to ask the head of the organization', async () => {
    const id = await registered(host)
    for (const way of ['send', 'notify'])
      expect((await look(`/d/${id}/${way}`)).html, way)
        .to.include(`/login?next=%2Fd%2F${id}%2F${way}`)
        .and.not.include('data-form')
    const cookie = await logInOverHttp(host.url, host.authorities.named('employee-1-auth'))
    for (const path of ['/organization', '/documents?of=organization']) {
      const { status, html } = await look(path, { cookie })
      expect([status, html.includes('has not given you this right')], path).to.deep.equal([403, true])
      expect(html, path).not.to.include('You are logged in on your own behalf')
    }
    const items = await look('/incoming', { cookie })
    expect([items.status, items.html.includes('the right “See incoming and outgoing items”')]).to.deep.equal([
      403,
      true,
    ])
    const person = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    expect((await look('/organization', { cookie: person })).html).to.include('You are logged in on your own behalf')
  })

  it('redirect visitors who are logged in already, and never to another site', async () => {
    const cookie = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    const { status, headers } = await look('/login?next=%2Fd%2Fx%3Fafter%3D1', { cookie })
    expect([status, headers.get('location')]).to.deep.equal([303, '/d/x?after=1'])
    for (const next of ['', '?next=//evil.example/', '?next=https://evil.example/', '?next=/.//evil.example/'])
      expect((await look(`/login${next}`, { cookie })).status, next).to.equal(200)
    expect((await look('/login?next=/settings')).status).to.equal(200)
  })

  it('take less than 60 KB on the first visit', async () => {
    const sizes = new Map<string, number>()
    const fetchAll = async (path: string, seen: Set<string>): Promise<void> => {
      if (seen.has(path)) return
      seen.add(path)
      const response = await fetch(host.url + path, { headers: { 'accept-encoding': 'gzip' } })
      expect(response.status, path).to.equal(200)
      if (path.startsWith('/assets/')) expect(response.headers.get('cache-control')).to.include('immutable')
      const text = await response.text()
      sizes.set(path, gzipSync(text).length)
      const found = path.startsWith('/assets/')
        ? [...text.matchAll(/(?:from|import\(?)"(\.[^"]+)"/g)].map(
            ([, to = '']) => new URL(to, `http://x${path}`).pathname,
          )
        : [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, to = '']) => to)
      for (const one of found) await fetchAll(one, seen)
    }
    for (const path of [`/d/${await registered(host)}`, '/check']) {
      const seen = new Set<string>()
      await fetchAll(path, seen)
      expect([...seen].some((one) => /\/ru-\w+\.js$/.test(one))).to.equal(true)
      const bytes = [...seen].reduce((sum, one) => sum + (sizes.get(one) ?? 0), 0)
      expect(bytes, path).to.be.lessThan(60_000)
    }
  })
})
