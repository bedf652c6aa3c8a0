import { expect } from 'chai'
import type { TestHost } from '../../support/host.js'
import { startPagesHost } from '../../support/pages-host.js'

describe('what visitors of pages chose', () => {
  let host: TestHost
  before(async () => {
    // Behind a proxy that ends TLS, of which the host knows by its address alone.
    host = await startPagesHost({ site: { baseUrl: 'https://registry.example', name: 'Test registry' } })
  })
  after(() => host.close())

  const look = async (url: string, cookie = '') => {
    const { headers, body } = await host.app.inject({ url, headers: { cookie } })
    return { set: headers['set-cookie'], html: body }
  }

  it('is kept over HTTPS under names that no other host of the domain can set', async () => {
    expect((await look('/check?lang=kk')).set).to.equal(
      '__Host-lang=kk; Path=/; Max-Age=31536000; Secure; SameSite=Lax',
    )
    expect((await look('/check?scheme=dark')).set).to.equal(
      '__Host-scheme=dark; Path=/; Max-Age=31536000; Secure; SameSite=Lax',
    )
    const kept = '__Host-lang=kk; __Host-scheme=dark'
    expect((await look('/check', kept)).html)
      .to.include('<html lang="kk"')
      .and.include('data-scheme="dark"')
    for (const others of ['lang=kk; scheme=dark', `${kept}; ${kept}`])
      expect((await look('/check', others)).html, others)
        .to.include('<html lang="ru"')
        .and.not.include('data-scheme="dark"')
  })
})
