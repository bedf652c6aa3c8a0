import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { pages } from '@signed-registry/pages'
import { expect } from 'chai'
import { openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { presentAuthorities } from '../../support/pki/authorities.js'

const NOW = Date.UTC(2026, 10, 24, 10, 30)

async function startHost(look: Parameters<typeof pages>[0]): Promise<TestHost> {
  const authorities = presentAuthorities()
  const plugins = [devAuthorities({ authorities }), pages(look)]
  return startTestHost(openSqlite, { authorities, plugins, clock: { now: () => NOW } })
}

describe('files under addresses that everybody knows', () => {
  let host: TestHost
  before(async () => {
    const securityContacts = ['mailto:security@example.kz', 'https://example.kz/security']
    host = await startHost({ securityContacts })
  })
  after(() => host.close())

  const readManifest = (text: string): { name: string; lang: string; icons: { src: string; sizes: string }[] } =>
    JSON.parse(text)
  const get = async (path: string, headers: Record<string, string> = {}) => fetch(`${host.url}${path}`, { headers })

  it('security.txt says whom to tell, and until when that holds (RFC 9116)', async () => {
    const answer = await get('/.well-known/security.txt')
    expect(answer.headers.get('content-type')).to.equal('text/plain; charset=utf-8')
    const text = await answer.text()
    expect(text).to.equal(
      [
        'Contact: mailto:security@example.kz',
        'Contact: https://example.kz/security',
        'Expires: 2027-05-25T00:00:00.000Z',
        'Preferred-Languages: kk, ru, en',
        `Canonical: ${host.url}/.well-known/security.txt`,
        '',
      ].join('\n'),
    )
    expect(await get('/contact?lang=en').then((page) => page.text())).to.include('href="mailto:security@example.kz"')
  })

  it('robots.txt keeps search engines from what depends on who looks', async () => {
    const text = await get('/robots.txt').then((answer) => answer.text())
    for (const path of ['/api/', '/documents', '/incoming', '/outgoing', '/organization', '/settings', '/d/*/'])
      expect(text).to.include(`Disallow: ${path}\n`)
    expect(text)
      .to.match(/^User-agent: \*\n/)
      .and.not.match(/^Disallow: \/$/m)
  })

  it('icons are pictures of the size that they say', async () => {
    const manifest = await get('/manifest.webmanifest?lang=kk')
    expect(manifest.headers.get('content-type')).to.equal('application/manifest+json')
    const { name, lang, icons } = readManifest(await manifest.text())
    expect([name, lang]).to.deep.equal(['Test registry', 'kk'])
    for (const { src, sizes } of icons) {
      const answer = await get(src)
      expect(answer.status, src).to.equal(200)
      if (sizes === 'any') continue
      const png = Buffer.from(await answer.arrayBuffer())
      expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).to.equal(sizes)
    }
    const icon = await get('/favicon.ico')
    expect(icon.headers.get('content-type')).to.equal('image/x-icon')
    expect(Buffer.from(await icon.arrayBuffer()).readUInt16LE(2)).to.equal(1)
    expect((await get('/apple-touch-icon.png')).headers.get('content-type')).to.equal('image/png')
    const again = await get('/favicon.ico', { 'if-none-match': icon.headers.get('etag') ?? '' })
    expect(again.status).to.equal(304)
  })

  it('a logo of the operator is the icon', async () => {
    const logo = join(mkdtempSync(join(tmpdir(), 'logo-')), 'ours.svg')
    writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>')
    const own = await startHost({ logo })
    const icon = await fetch(`${own.url}/favicon.ico`)
    expect(icon.headers.get('content-type')).to.equal('image/svg+xml')
    const { icons } = readManifest(await fetch(`${own.url}/manifest.webmanifest`).then((answer) => answer.text()))
    expect(icons).to.have.length(1)
    expect(icons[0]?.src).to.include('logo.svg')
    await own.close()
  })
})
