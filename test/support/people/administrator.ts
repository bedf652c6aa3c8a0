import { expect } from 'chai'
import { logInOverHttp } from '../login-over-http.js'
import type { Journey } from './journey.js'
import { Visitor } from './visitor.js'

const TABS = ['people', 'systems', 'webhooks', 'contacts', 'looks', 'changes'] as const
const NEWCOMER = '900101300050'
const NAMES = { kk: 'ҮЛГІ', ru: 'ОБРАЗЕЦ', en: 'SAMPLE' }

/** An administrator looks through the organization, lets somebody send documents, and says how the organization looks. */
export const administrator: Journey = async (people, browser, view) => {
  const cookies = await logInOverHttp(people.url, people.host.authorities.named('head-1-auth'))
  const visitor = await Visitor.open(browser, people.url, { journey: 'administrator', view, cookies })
  const { page, main, texts } = visitor
  const save = async () => {
    const button = main.getByRole('button', { name: texts.settings.save })
    // The page is read again when it is saved.
    await Promise.all([page.waitForEvent('load'), button.click()])
  }

  await visitor.go('/organization')
  for (const tab of TABS) {
    await main.locator('nav.tabs').getByRole('link', { name: texts.workplace.tabs[tab], exact: true }).click()
    await main.locator(`nav.tabs a[href="/organization?tab=${tab}"][aria-current="page"]`).waitFor()
    await visitor.sees(tab)
  }

  await visitor.go('/organization?tab=people')
  await page.fill('#new-person', NEWCOMER)
  await page.check('input[name="documentsPackagesRoute"][value="new"]')
  await save()
  await visitor.sees('right-given')
  await visitor.go('/organization?tab=people')
  const row = page.locator(`tr[data-row="IIN${NEWCOMER}"]`)
  expect(await row.locator('input[name="documentsPackagesRoute"]').isChecked()).to.equal(true)
  expect(await row.locator('input[name="organizationSettings"]').isChecked()).to.equal(false)

  await visitor.go('/organization?tab=looks')
  await page.check('#withColor')
  for (const [language, name] of Object.entries(NAMES)) await page.fill(`#name-${language}`, name)
  await save()
  const original = Buffer.from(`Ours, ${view.language} ${view.width}\n`)
  const id = await people.register('employee-1', { title: 'Ours.txt' }, original)
  await visitor.go(`/d/${id}`)
  await page.locator('.brand-band').getByText(NAMES[view.language]).waitFor()
  await visitor.sees('document-of-ours')
}
