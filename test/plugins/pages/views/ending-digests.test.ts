import { defaultAlgorithmPolicy } from '@signed-registry/verifier'
import { expect } from 'chai'
import { ListEndingDigests } from '#core/documents/list-ending-digests.js'
import { violations } from '../../../support/axe.js'
import { describeInBrowser } from '../../../support/browser.js'
import type { TestHost } from '../../../support/host.js'
import { logInOverHttp } from '../../../support/login-over-http.js'
import { registered, startPagesHost } from '../../../support/pages-host.js'

const SHA256 = '2.16.840.1.101.3.4.2.1'
const DAY = 24 * 60 * 60_000
const ORIGINAL = Buffer.from('A contract of long ago\n')

describeInBrowser('documents whose hashes end', (browser) => {
  let host: TestHost
  let cookies: string
  before(async () => {
    const digestsTrustedUntil = { [SHA256]: Date.now() + 200 * DAY }
    host = await startPagesHost({ signaturePolicy: { algorithms: { ...defaultAlgorithmPolicy, digestsTrustedUntil } } })
    cookies = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
  })
  after(() => host.close())

  const shown = async (path: string) => (await fetch(`${host.url}${path}`, { headers: { cookie: cookies } })).text()

  it('are offered as a list, and leave it when their original was given again', async () => {
    const id = await registered(host, { title: 'Old contract' }, ORIGINAL)
    const { page, problems } = await browser.open(host.url, { cookies, width: 360 })
    await page.goto('/documents')
    await page.getByRole('link', { name: 'Old contract' }).waitFor()
    expect(await page.getByText('to be brought again').count()).to.equal(0)

    await host.registry.get(ListEndingDigests).run()
    await page.goto('/documents')
    await page.getByText('The original of 1 document has to be brought again').waitFor()
    await page.getByRole('link', { name: 'Show these documents' }).click()
    await page.getByText('give the original again before').waitFor()
    expect(await violations(page)).to.deep.equal([])
    await page.getByRole('link', { name: 'Old contract' }).click()
    await page.getByText('The original has to be brought again before').waitFor()
    expect(await violations(page)).to.deep.equal([])

    const file = { name: 'contract.txt', mimeType: 'text/plain', buffer: ORIGINAL }
    await page.setInputFiles('#original', { ...file, buffer: Buffer.from('Another contract') })
    await page.getByText('This is not the document').waitFor()
    expect(await page.getByRole('button', { name: 'Send the original to the registry' }).count()).to.equal(0)
    await page.setInputFiles('#original', file)
    await page.getByRole('button', { name: 'Send the original to the registry' }).click()
    await page.getByText('A hash that is trusted for longer was added').waitFor()
    expect(await violations(page)).to.deep.equal([])
    expect(problems).to.deep.equal([])

    expect(await shown('/documents?digestsEnding=true&lang=en'))
      .to.contain('Nothing here yet.')
      .and.not.to.contain('to be brought again')
    expect(await shown(`/d/${id}?lang=en`)).not.to.contain('brought again')
  })

  it('are named in every language', async () => {
    await registered(host, { title: 'Older contract' }, Buffer.from('older'))
    await host.registry.get(ListEndingDigests).run()
    for (const [language, words] of [
      ['ru', 'Нужно ещё раз предъявить подлинники документов: 1'],
      ['kk', 'Түпнұсқасын қайта көрсету керек құжаттар: 1'],
    ]) {
      expect(await shown(`/documents?lang=${language}`)).to.contain(words)
    }
  })
})
