import { expect } from 'chai'
import { violations } from '../../../support/axe.js'
import { describeInBrowser } from '../../../support/browser.js'
import type { TestHost } from '../../../support/host.js'
import { registered, startPagesHost } from '../../../support/pages-host.js'

describeInBrowser('the front page', (browser) => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost()
  })
  after(() => host.close())

  it('checks what is dropped on it, which goes to no server', async () => {
    const original = Buffer.from('A contract that was dropped')
    await registered(host, { title: 'dropped.txt' }, original)
    const { page, problems } = await browser.open(host.url)
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.postData() ?? ''))
    await page.goto('/?lang=en')
    const dropped = await page.evaluateHandle(
      `(() => { const all = new DataTransfer(); all.items.add(new File([${JSON.stringify(original.toString())}], 'dropped.txt')); return all })()`,
    )
    await page.locator('[data-drop="file"]').dispatchEvent('drop', { dataTransfer: dropped })
    await page.getByText('This document is registered.').waitFor()
    expect([new URL(page.url()).pathname, await page.locator('h1').textContent()]).to.deep.equal([
      '/check',
      'Check a file, a signature or a card',
    ])
    expect(sent.join('\n')).not.to.include('A contract that was dropped')
    expect(await violations(page)).to.deep.equal([])
    await page.goBack()
    await page.getByRole('heading', { name: 'Signed documents that anybody can check' }).waitFor()
    expect(problems).to.deep.equal([])
  })

  it('takes a file that is chosen, and several', async () => {
    const { page, problems } = await browser.open(host.url, { width: 360 })
    await page.goto('/?lang=en')
    expect(await violations(page)).to.deep.equal([])
    const files = ['one', 'two'].map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) }))
    await page.locator('#file').setInputFiles(files)
    await page.locator('#verdict .one-of-several').nth(1).waitFor()
    expect(problems).to.deep.equal([])
  })
})
