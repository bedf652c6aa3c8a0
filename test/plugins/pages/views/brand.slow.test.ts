import { expect } from 'chai'
import { violations } from '../../../support/axe.js'
import { describeInBrowser } from '../../../support/browser.js'
import type { TestHost } from '../../../support/host.js'
import { postBytes, postJson, request } from '../../../support/http.js'
import { logInOverHttp } from '../../../support/login-over-http.js'
import { startPagesHost } from '../../../support/pages-host.js'
import { png } from '../../../support/png.js'

const NAMES = { ru: 'ТОО «Ромашка»', kk: '«Түймедақ» ЖШС', en: 'Daisy LLP' } as const
const LANGUAGES = ['en', 'ru', 'kk'] as const

describeInBrowser('branding on pages', (browser) => {
  let host: TestHost
  let cookies: string
  let id: string
  let bin: string
  before(async () => {
    host = await startPagesHost()
    cookies = await logInOverHttp(host.url, host.authorities.named('head-1-auth'))
    const original = Buffer.from('A branded contract')
    const signature = host.authorities.named('head-1').signCms(original, { timeStamp: true, ocsp: true })
    const { json } = await postJson<{ documentId: string }>(`${host.url}/api`, {
      title: 'contract.txt',
      signature: signature.toString('base64'),
    })
    id = json.documentId
    await postBytes(`${host.url}/api/${id}/data`, original)
    const { text } = await request(`${host.url}/api/organizationSettings`, { headers: { cookie: cookies } })
    bin = /BIN\d{12}/.exec(text)?.[0] ?? ''
  })
  after(() => host.close())

  const brand = async (branding: object) => {
    const headers = { cookie: cookies, 'content-type': 'application/json' }
    const body = JSON.stringify({ branding })
    const { status, text } = await request(`${host.url}/api/organizationSettings`, { method: 'POST', headers, body })
    expect(status, text).to.equal(200)
  }
  const file = (name: string, headers: Record<string, string> = {}) =>
    fetch(`${host.url}/brand/${bin}/${name}`, { headers })

  it('is not there until the organization has said how it is shown', async () => {
    await brand({})
    const { page } = await browser.open(host.url)
    await page.goto(`/d/${id}`)
    expect(await page.locator('.brand-band').count()).to.equal(0)
    expect((await file('logo.png')).status).to.equal(404)
    expect((await file('colors.css')).status).to.equal(404)
    expect((await fetch(`${host.url}/brand/x/logo.png`)).status).to.equal(404)
  })

  it('shows logo, name and BIN in a colour on which text can be read', async () => {
    const logo = png({ width: 200, height: 100 })
    await brand({ logo: logo.toString('base64'), color: '#7a1f3d', name: NAMES })
    for (const width of [360, 1440])
      for (const language of LANGUAGES) {
        const { page, problems } = await browser.open(host.url, { language, width, dark: width === 360 })
        await page.goto(`/d/${id}`)
        const band = page.locator('.brand-band')
        expect(await band.textContent())
          .to.include(NAMES[language])
          .and.include(bin.slice(3))
        const style = `getComputedStyle(document.querySelector('.brand-band'))`
        expect(await page.evaluate(`${style}.backgroundColor`)).to.equal('rgb(122, 31, 61)')
        expect(await page.evaluate(`${style}.color`)).to.equal('rgb(255, 255, 255)')
        expect(await page.evaluate(`document.querySelector('.brand-band img').naturalWidth`)).to.equal(200)
        expect(await violations(page)).to.deep.equal([])
        expect(problems).to.deep.equal([])
      }
    const answer = await file('logo.png')
    expect(Buffer.from(await answer.arrayBuffer()).equals(logo)).to.equal(true)
    expect(answer.headers.get('content-security-policy')).to.include('sandbox')
    const etag = answer.headers.get('etag') ?? ''
    expect((await file('logo.png', { 'if-none-match': etag })).status).to.equal(304)
  })

  it('shows names of an organization as text, whatever they are', async () => {
    await brand({ name: { ...NAMES, en: '<img src=x onerror=alert(1)>' } })
    const { page } = await browser.open(host.url)
    await page.goto(`/d/${id}`)
    await page.getByText('<img src=x onerror=alert(1)>').waitFor()
    expect((await file('colors.css')).status).to.equal(404)
  })
})
