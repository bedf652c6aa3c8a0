import type { Templates } from '@signed-registry/core/templates'
import { expect } from 'chai'
import { violations } from '../../../support/axe.js'
import { describeInBrowser } from '../../../support/browser.js'
import type { TestHost } from '../../../support/host.js'
import { getAs, logInOverHttp } from '../../../support/login-over-http.js'
import { startPagesHost } from '../../../support/pages-host.js'

const LOOKS = [
  { language: 'kk', width: 360 },
  { language: 'ru', width: 1440 },
  { language: 'en', width: 360 },
]

describeInBrowser('templates', (browser) => {
  let host: TestHost
  let cookies: string
  before(async () => {
    host = await startPagesHost()
    cookies = await logInOverHttp(host.url, host.authorities.named('head-1-auth'))
  })
  after(() => host.close())

  const kept = async () => (await getAs<Templates>(`${host.url}/api/templates`, cookies)).json.templates

  it('are kept from what is filled in, fill it in again, and are deleted', async () => {
    const { page, problems } = await browser.open(host.url, { cookies })
    await page.goto('/new')
    await page.setInputFiles('#files', { name: 'contract.txt', mimeType: 'text/plain', buffer: Buffer.from('text') })
    await page.locator('#chosen li').waitFor()
    for (const summary of await page.locator('#new > details > summary').all()) await summary.click()
    await page.fill('#title', 'Supply')
    await page.selectOption('#to-kind', 'IIN')
    await page.fill('#toNumber', '900101300010')
    await page.fill('#comment', 'Please sign')
    await page.check('#private')
    await page.click('[data-preset]')
    await page.locator('[data-number]').nth(1).fill('200140000019')
    await page.click('#templates > summary')
    await page.click('#template-save')
    await page.getByText('Give the template a name.').waitFor()
    await page.fill('#template-name', 'Supply of the year')
    await page.click('#template-save')
    await page.locator('#template-outcome .said.good').waitFor()
    const [template] = await kept()
    expect(template).to.deep.include({ name: 'Supply of the year', title: 'Supply', documents: ['contract.txt'] })
    expect(template?.send).to.deep.equal({ to: 'IIN900101300010', comment: 'Please sign', toSign: true })
    expect(template?.documentsSettings?.signersRequirements?.length).to.equal(2)
    await page.goto('/templates')
    await page.click('a[href^="/new?template="]')
    await page.getByText('The form is filled in from “Supply of the year”').waitFor()
    expect(await page.inputValue('#title')).to.equal('Supply')
    expect(await page.inputValue('#toNumber')).to.equal('900101300010')
    expect(await page.isChecked('#private')).to.equal(true)
    expect(await page.locator('[data-number]').nth(1).inputValue()).to.equal('200140000019')
    expect(await page.isChecked('[name=inOrder]')).to.equal(true)
    await page.goto('/templates')
    await page.click('form[data-form=template-delete] button')
    await page.getByText('There is no template yet.').waitFor()
    await page.getByRole('status').getByText('Deleted.').waitFor()
    expect(await kept()).to.deep.equal([])
    expect(problems).to.deep.equal([])
  })

  it('give the documents of a package their titles, which are shown at once', async () => {
    const payload = { name: 'Deal', documents: ['Contract', 'Annex'] }
    await host.app.inject({ method: 'POST', url: '/api/templates', headers: { cookie: cookies }, payload })
    const [template] = await kept()
    const { page, problems } = await browser.open(host.url, { cookies })
    await page.goto(`/new?template=${template?.templateId}`)
    await page.getByText('The form is filled in from “Deal”').waitFor()
    const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })
    await page.setInputFiles('#files', [file('scan-1.txt'), file('scan-2.txt'), file('scan-3.txt')])
    expect(
      await page.evaluate('[...document.querySelectorAll("#chosen li")].map(({ dataset }) => dataset.title)'),
    ).to.deep.equal(['Contract', 'Annex', 'scan-3.txt'])
    expect(await page.locator('#chosen li').first().textContent()).to.include('Contract')
    await host.app.inject({
      method: 'DELETE',
      url: `/api/templates/${template?.templateId}`,
      headers: { cookie: cookies },
    })
    expect(problems).to.deep.equal([])
  })

  for (const { language, width } of LOOKS)
    it(`have no faults of accessibility at ${width} pixels in ${language}`, async () => {
      const headers = { cookie: cookies }
      await host.app.inject({
        method: 'POST',
        url: '/api/templates',
        headers,
        payload: { name: 'Act', documents: ['a', 'b'] },
      })
      const { page, problems } = await browser.open(host.url, { cookies, language, width })
      await page.goto('/templates')
      expect(await violations(page)).to.deep.equal([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(width)
      await page.goto('/new')
      await page.click('#templates > summary')
      await page.locator('#template option').nth(1).waitFor({ state: 'attached' })
      expect(await violations(page)).to.deep.equal([])
      expect(problems).to.deep.equal([])
    })
})
