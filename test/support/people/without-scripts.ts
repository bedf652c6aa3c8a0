import { expect } from 'chai'
import { logInOverHttp } from '../login-over-http.js'
import type { Journey } from './journey.js'
import { Visitor } from './visitor.js'

/** Somebody whose browser runs no scripts reads what is signed, who signed it, and where it stands. */
export const withoutScripts: Journey = async (people, browser, view) => {
  const original = Buffer.from(`A lease to be read; ${view.language} ${view.width}\n`)
  const id = await people.register('person-2', { title: 'Lease.txt' }, original)
  const sender = await people.as('person-2')
  await sender.sendDocument({ id, request: { to: 'IIN900101300010', toSign: true, comment: 'Please sign.' } })
  const { items } = await (await people.as('person-1')).listIncoming({})
  const incomingId = items[0]?.incomingId ?? ''
  const cookies = await logInOverHttp(people.url, people.host.authorities.named('person-1-auth'))
  const visitor = await Visitor.open(browser, people.url, {
    ...{ journey: 'without-scripts', view, cookies, javaScript: false },
  })
  const { page, main, texts } = visitor

  for (const [step, path] of [
    ['front', '/'],
    ['help', '/help'],
    ['privacy', '/privacy'],
    ['documents', '/documents'],
    ['incoming', '/incoming'],
  ] as const) {
    await visitor.go(path)
    await visitor.sees(step)
  }
  await visitor.go(`/incoming/${incomingId}`)
  await main.getByText('Please sign.').waitFor()
  await visitor.sees('item')
  await main.locator(`a[href="/d/${id}"]`).first().click()
  await main.getByText('АСАНОВА АЙГУЛЬ АСАНОВНА').first().waitFor()
  await main.getByText(texts.signature.valid).waitFor()
  await main.getByRole('heading', { name: texts.thread.title }).waitFor()
  await main.locator('.timeline strong', { hasText: texts.thread.kinds.sent }).first().waitFor()
  await visitor.sees('document')
  // Nothing is offered that would do nothing.
  expect(await page.locator('main button:visible').count()).to.equal(0)
}
