import { expect } from 'chai'
import { MailKeys } from '#core/mail/recipients.js'
import { violations } from '../../../support/axe.js'
import { describeInBrowser } from '../../../support/browser.js'
import type { TestHost } from '../../../support/host.js'
import { startPagesHost } from '../../../support/pages-host.js'

describeInBrowser('the page of the unsubscribe link', (browser) => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost()
  })
  after(() => host.close())

  it('looks like the other pages, in their languages, and works without scripts', async () => {
    const token = await host.registry.get(MailKeys).token('stranger@example.kz', 'signatures')
    const { page, problems } = await browser.open(host.url, { width: 360, javaScript: false })
    await page.goto(`/unsubscribe/${token}?lang=kk`)
    expect(await page.locator('h1').textContent()).to.equal('Жаңа қолтаңбалар туралы хаттар')
    expect(await page.locator('header.top .brand').count()).to.equal(1)
    await page.getByRole('link', { name: 'English' }).click()
    await page.getByText('Stop sending you e-mails of this kind?').waitFor()
    await page.getByRole('button', { name: 'Stop sending' }).click()
    await page
      .getByText('Done: e-mails of this kind will no longer be sent to your address, whoever gives it.')
      .waitFor()
    expect(await host.registry.get(MailKeys).read(token)).to.include({ kind: 'signatures' })
    await page.getByRole('button', { name: 'Send them again' }).click()
    await page.getByText('Done: you will receive them again.').waitFor()
    expect(problems).to.deep.equal([])
  })

  it('says that a link is not ours, and has no violations that axe finds', async () => {
    const token = await host.registry.get(MailKeys).token('stranger@example.kz', 'packages')
    const { page } = await browser.open(host.url)
    for (const path of [`/unsubscribe/${token}`, '/unsubscribe/x']) {
      await page.goto(path)
      expect(await violations(page), path).to.deep.equal([])
    }
    expect(await page.locator('main').textContent()).to.include('This link is not from our service')
  })
})
