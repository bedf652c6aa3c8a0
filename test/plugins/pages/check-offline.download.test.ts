import { createHash } from 'node:crypto'
import { expect } from 'chai'
import type { TestHost } from '../../support/host.js'
import { startPagesHost } from '../../support/pages-host.js'

describe('the page for checking without a network', () => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost()
  })
  after(() => host.close())
  const fetched = (name: string, headers: Record<string, string> = {}) => fetch(`${host.url}/${name}`, { headers })

  it('is saved under an address that stays, with its SHA-256 beside it, and is the same however it is compressed', async () => {
    const published = await (await fetched('check-offline.html.sha256')).text()
    for (const coding of ['br', 'gzip', 'identity']) {
      const answer = await fetched('check-offline.html', { 'accept-encoding': coding })
      expect(answer.headers.get('content-disposition')).to.equal('attachment; filename="check-offline.html"')
      expect(answer.headers.get('content-security-policy')).to.include("default-src 'none'").and.include('sandbox')
      expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8')
      const page = Buffer.from(await answer.arrayBuffer())
      expect(published).to.equal(`${createHash('sha256').update(page).digest('hex')}  check-offline.html\n`)
    }
  })

  it('is sent once to a browser that keeps it', async () => {
    const etag = (await fetched('check-offline.html')).headers.get('etag') ?? ''
    const again = await fetched('check-offline.html', { 'if-none-match': `W/${etag}` })
    expect([again.status, await again.text()]).to.deep.equal([304, ''])
    expect((await fetched('check-offline.html', { 'if-none-match': '"other"' })).status).to.equal(200)
  })

  it('is offered by /check, in every language', async () => {
    for (const lang of ['kk', 'ru', 'en']) {
      const html = await (await fetch(`${host.url}/check?lang=${lang}`)).text()
      expect(html).to.include('href="/check-offline.html" download').and.include('href="/check-offline.html.sha256"')
    }
  })

  it('lets nothing run but its own script, and nothing out', async () => {
    const html = await (await fetched('check-offline.html')).text()
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html) ?? []
    expect(policy.split('; ').map((one) => one.replace(/'sha256-[^']+'/, 'HASH'))).to.deep.equal([
      "default-src 'none'",
      "script-src HASH 'wasm-unsafe-eval'",
      'worker-src blob:',
      'frame-src blob:',
      'style-src HASH',
      "base-uri 'none'",
      "form-action 'none'",
    ])
    const script = html.slice(html.indexOf('<script type="module">') + 22, html.lastIndexOf('</script>'))
    expect(policy).to.include(createHash('sha256').update(script).digest('base64'))
    expect(html.match(/<script/g)).to.have.length(2)
  })
})
