import { expect } from 'chai'
import { describeInBrowser } from '../../support/browser.js'
import { clientCertificate } from '../../support/client-certificate.js'
import type { TestHost } from '../../support/host.js'
import { getAs, logInOverHttp, postAs } from '../../support/login-over-http.js'
import { startPagesHost } from '../../support/pages-host.js'
import { png } from '../../support/png.js'

interface Systems {
  readonly tlsCertificatesList: readonly { description: string; body: string; byKey: boolean; settings: object }[]
}

describeInBrowser('the page of an organization with much in its settings', (browser) => {
  let host: TestHost
  let cookies: string
  before(async () => {
    host = await startPagesHost()
    cookies = await logInOverHttp(host.url, host.authorities.named('head-1-auth'))
  })
  after(() => host.close())

  const save = async (settings: object) => {
    const { status, text } = await postAs(`${host.url}/api/organizationSettings`, cookies, settings)
    expect(status, text).to.equal(200)
  }
  const look = async (tab: string) =>
    (await host.app.inject({ url: `/organization?tab=${tab}`, headers: { cookie: cookies } })).body
  const people = (from: number) => ({
    iins: Array.from({ length: 1000 }, (_, at) => `IIN9${String(from + at).padStart(11, '0')}`),
    authorities: [],
    tlsCertificatesIndices: [],
  })

  it('shows a list once, and long changes abbreviated with a count', async () => {
    await save({ documentsAccess: people(0) })
    await save({ documentsAccess: people(5000) })
    const html = await look('changes')
    expect((await look('people')).split('900000005999')).to.have.length(2)
    expect(html).not.to.include('900000005999')
    expect(html).to.include('900000000019, … (+980)').and.include('900000005019, … (+980)')
  })

  it('saves systems with what it does not show: their logos, and a system that was listed meanwhile', async () => {
    const [first, second] = [clientCertificate(), clientCertificate()]
    const qrLogo = png({ width: 100, height: 100 }).toString('base64')
    const one = { body: first.pem, description: 'first', disabled: false, byKey: true, settings: { qrLogo } }
    const other = { body: second.pem, description: 'second', disabled: false, settings: {} }
    await save({ tlsCertificatesList: [one] })
    expect(await look('systems')).not.to.include(qrLogo)
    const { page, problems } = await browser.open(host.url, { cookies })
    await page.goto('/organization?tab=systems')
    await save({ tlsCertificatesList: [other, one] })
    await page.fill('#description-0', 'renamed')
    const reloaded = page.waitForResponse(
      (answer) => answer.url().endsWith('/api/organizationSettings') && answer.request().method() === 'POST',
    )
    await page.click('[data-form=organization-systems] button.strong')
    await reloaded
    const { json } = await getAs<Systems>(`${host.url}/api/organizationSettings`, cookies)
    expect(
      json.tlsCertificatesList.map(({ description, byKey, settings }) => [description, byKey, settings]),
    ).to.deep.equal([
      ['second', false, other.settings],
      ['renamed', true, { qrLogo }],
    ])
    expect(problems).to.deep.equal([])
  })
})
