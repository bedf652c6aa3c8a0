import { type MailAnswer, type Mailer, Mailer as MailerPort, provideValue } from '@signed-registry/core'

import { expect } from 'chai'
import { violations } from '../../../support/axe.js'
import { describeInBrowser } from '../../../support/browser.js'
import type { TestHost } from '../../../support/host.js'
import { logInOverHttp } from '../../../support/login-over-http.js'
import { registered, startPagesHost } from '../../../support/pages-host.js'
import { until } from '../../../support/until.js'

describeInBrowser('the mails that a visitor asked for', (browser) => {
  let host: TestHost
  let id: string
  const mailer: Mailer = {
    async send({ to }): Promise<MailAnswer> {
      return to.startsWith('gone') ? { code: 550, text: '5.1.1 nobody here' } : { code: 250, text: 'ok' }
    },
  }
  before(async () => {
    const plugin = { name: 'mailer', provides: [provideValue(MailerPort, mailer)] }
    host = await startPagesHost({ deliveryTimes: { pollMs: 20 } }, [plugin])
    host.registry.start()
    id = await registered(host, { emailNotifications: { to: ['a@example.kz', 'gone@example.kz'] } })
  })
  after(() => host.close())

  const text = async (cookies: string, lang: string) =>
    (await fetch(`${host.url}/d/${id}?lang=${lang}`, { headers: { cookie: cookies } })).text()

  it('are shown on the page of the document with their outcome, in each language, and to nobody else', async () => {
    const own = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
    await until(async () => !(await text(own, 'en')).includes('waits'))
    const { page, problems } = await browser.open(host.url, { cookies: own, width: 360 })
    await page.goto(`/d/${id}`)
    await page.click('#mails summary')
    expect(await page.locator('#mails .rows').textContent())
      .to.include('a@example.kz sent')
      .and.include('originals attached: 1')
      .and.include('gone@example.kz refused by the mail server')
      .and.include('there is no such address')
    expect(await violations(page)).to.deep.equal([])
    expect(problems).to.deep.equal([])
    expect(await text(own, 'ru')).to.include('почтовый сервер не принял')
    expect(await text(own, 'kk')).to.include('пошта сервері қабылдамады')
    const other = await logInOverHttp(host.url, host.authorities.named('head-1-auth'))
    expect(await text(other, 'en')).not.to.include('id="mails"')
    expect(await text('', 'en')).not.to.include('id="mails"')
  })
})
