import type { UserSettings } from '@signed-registry/client'
import { expect } from 'chai'
import { NOTIFICATION_KINDS } from '#core/settings/schema.js'
import { violations } from '../../../support/axe.js'
import { describeInBrowser } from '../../../support/browser.js'
import type { TestHost } from '../../../support/host.js'
import { getAs, logInOverHttp } from '../../../support/login-over-http.js'
import { startPagesHost } from '../../../support/pages-host.js'

const LOOKS = [
  { language: 'kk', width: 360, dark: true },
  { language: 'ru', width: 1440, dark: false },
  { language: 'en', width: 360, dark: false },
]

describeInBrowser('the settings of a person', (browser) => {
  let host: TestHost
  let cookies: string
  before(async () => {
    host = await startPagesHost()
    cookies = await logInOverHttp(host.url, host.authorities.named('person-1-auth'))
  })
  after(() => host.close())

  const settings = async () => (await getAs<UserSettings>(`${host.url}/api/settings`, cookies)).json

  it('choose the language of mails and the kinds that are wanted, and tell how they changed', async () => {
    const { page, problems } = await browser.open(host.url, { cookies })
    await page.goto('/settings')
    for (const kind of NOTIFICATION_KINDS) expect(await page.isChecked(`#mail-${kind}`), kind).to.equal(true)
    await page.selectOption('#notificationsLanguage', { label: 'Қазақша / Русский' })
    await page.uncheck('#mail-comments')
    await page.uncheck('#mail-turns')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved.').waitFor()
    const { notificationsLanguage, notificationsOff } = await settings()
    expect([notificationsLanguage, notificationsOff]).to.deep.equal(['kk/ru', ['comments', 'turns']])
    await page.goto('/settings')
    expect(await page.inputValue('#notificationsLanguage')).to.equal('kk/ru')
    expect([await page.isChecked('#mail-turns'), await page.isChecked('#mail-received')]).to.deep.equal([false, true])
    expect(await page.locator('#changes .history').textContent())
      .to.include('language of e-mails: none → Қазақша / Русский')
      .and.include('Comments; It is my turn to sign')
    expect(problems).to.deep.equal([])
  })

  it('keep a language that the page does not offer', async () => {
    const headers = { cookie: cookies }
    await host.app.inject({
      ...{ method: 'POST', url: '/api/settings', headers },
      payload: { notificationsLanguage: 'en/kk' },
    })
    const { page } = await browser.open(host.url, { cookies })
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved.').waitFor()
    expect((await settings()).notificationsLanguage).to.equal('en/kk')
  })

  for (const { language, width, dark } of LOOKS)
    it(`can be read by everybody in ${language} at ${width} pixels`, async () => {
      const { page } = await browser.open(host.url, { cookies, width, dark })
      await page.goto(`/settings?lang=${language}`)
      expect(await violations(page)).to.deep.equal([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0)
    })
})
