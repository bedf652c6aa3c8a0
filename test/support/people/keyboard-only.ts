import { expect } from 'chai'
import type { Locator } from 'playwright-core'
import type { Journey } from './journey.js'
import { press, tabTo } from './keyboard.js'
import { Visitor } from './visitor.js'

const REASON = 'The sum in clause 3 is wrong.'

/** Somebody without a mouse logs in, signs one document and refuses another, with a reason. */
export const keyboardOnly: Journey = async (people, browser, view) => {
  const sender = await people.as('person-2')
  const [first = '', second = ''] = await Promise.all(
    ['Lease.txt', 'Loan.txt'].map(async (title) => {
      const original = Buffer.from(`${title} ${view.language} ${view.width}\n`)
      const id = await people.register('person-2', { title }, original)
      await sender.sendDocument({ id, request: { to: 'IIN900101300010', toSign: true } })
      return id
    }),
  )
  const visitor = await Visitor.open(browser, people.url, { journey: 'keyboard', view })
  const { page, main, texts } = visitor
  /** The people of a development host, by the arrows of the list. */
  const choosePerson = async () => {
    await page.locator('#person option[value="person-1"]').waitFor({ state: 'attached' })
    await tabTo(page, page.locator('#person'))
    await page.keyboard.press('Home')
    expect(await page.locator('#person').inputValue()).to.equal('person-1')
  }
  const link = (href: string): Locator => page.locator(`a[href="${href}"]`).first()

  await visitor.go('/')
  await page.keyboard.press('Tab')
  expect(await page.locator(':focus').textContent()).to.equal(texts.skip)
  await press(page, page.locator('.who a'))
  await page.waitForURL('**/login**')
  await choosePerson()
  await press(page, main.getByRole('button', { name: texts.login.submit }))
  await page.waitForURL('**/documents')
  await visitor.sees('logged-in')

  await press(page, link('/incoming'))
  await page.waitForURL('**/incoming')
  await visitor.sees('incoming')
  await press(page, main.getByRole('link', { name: 'Lease.txt' }).first())
  await press(page, main.getByRole('link', { name: texts.deal.signAndAccept }))
  await page.waitForURL('**/sign?**')
  await choosePerson()
  await press(page, visitor.signButton)
  await visitor.isSigned()
  await visitor.sees('signed')
  expect((await sender.getDocument({ id: first })).signaturesTotal).to.equal(2)

  await visitor.go('/incoming')
  await press(page, main.getByRole('link', { name: 'Loan.txt' }).first())
  await press(page, main.locator('summary', { hasText: texts.item.deny }))
  await tabTo(page, page.locator('#why'))
  await page.keyboard.type(REASON)
  await press(page, main.getByRole('button', { name: texts.item.deny }))
  await main.getByText(texts.deal.states.denied).first().waitFor()
  await main.getByText(REASON).waitFor()
  await visitor.sees('refused')
  expect((await sender.getDocument({ id: second })).signaturesTotal).to.equal(1)
}
