import { expect } from 'chai'
import { openActs } from '../acts.js'
import { registered } from '../pages-host.js'
import type { Journey } from './journey.js'
import { Visitor } from './visitor.js'

/** A lawyer has a file: whether it is what was signed, by whom, and how that is proved later. */
export const lawyer: Journey = async ({ host, url }, browser, view) => {
  const original = Buffer.from(`A lease, signed; ${view.language} ${view.width}\n`)
  const id = await registered(host, { title: 'Lease.txt' }, original)
  const visitor = await Visitor.open(browser, url, { journey: 'lawyer', view })
  const { page, main } = visitor
  const give = (field: string, name: string, buffer: Buffer) =>
    page.locator(field).setInputFiles({ name, mimeType: 'application/octet-stream', buffer })

  await visitor.go('/')
  await visitor.sees('front')
  await give('#file', 'Lease.txt', original)
  await main.locator(`.said.good a[href="/d/${id}"]`).waitFor()
  expect(visitor.path).to.equal('/check')
  await visitor.sees('found')

  await main.locator(`a[href="/d/${id}"]`).click()
  await main.locator('.signature').waitFor()
  await visitor.sees('document')
  await give('#original', 'Lease.txt', Buffer.from('another lease'))
  await main.locator('#verdict .said.bad').waitFor()
  await visitor.sees('another-file')

  await openActs(page)
  const [saved] = await Promise.all([page.waitForEvent('download'), main.locator('a[data-evidence]').first().click()])
  await visitor.go('/check')
  await page.locator('#file').setInputFiles([await saved.path()])
  await main.locator('#verdict .said.warn').waitFor()
  await give('#original', 'Lease.txt', original)
  await main.locator('#verdict .said.good').waitFor()
  await visitor.sees('evidence')
}
