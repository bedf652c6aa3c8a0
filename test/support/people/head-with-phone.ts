import { DevPhone } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import type { Locator } from 'playwright-core'
import type { Journey } from './journey.js'
import { linkIn } from './people-host.js'
import { Visitor } from './visitor.js'

const BIN = 'BIN200140000019'
/** Of employee-1, who signs first. */
const CLERK = 'IIN900101300040'
const HEAD_OF_ORGANIZATION = '1.2.398.3.3.4.1.2.1'

/** A head has a mail that it is their turn, and signs by the application on the phone. */
export const headWithPhone: Journey = async (people, browser, view) => {
  const { language, width } = view
  const mailbox = `head-${language}-${width}@example.kz`
  await (await people.as('head-1')).saveOrganizationSettings({ request: { routingContactEmail: mailbox } })
  const original = Buffer.from(`An order of the day; ${language} ${width}\n`)
  const signersRequirements = [
    { iin: CLERK, bin: BIN },
    { bin: BIN, authorities: [HEAD_OF_ORGANIZATION] },
  ]
  const settings = {
    ...{ private: true, tempStorageAfterRegistration: 24 * 60 * 60_000 },
    ...{ signersRequirements, sequentialSignersRequirements: true, documentAccess: [{ bin: BIN }] },
  }
  const id = await people.register('employee-1', { title: 'Order.txt', settings }, original)

  const turn = await people.mail(mailbox, `/d/${id}`)
  const visitor = await Visitor.open(browser, people.url, { journey: 'head', view })
  const { page, main, texts } = visitor
  const phone = new DevPhone(people.host.authorities.named('head-1'), people.host.authorities.named('head-1-auth'))
  const login = new DevPhone(people.host.authorities.named('head-1-auth'))
  const byPhone = async (button: Locator, app: DevPhone) => {
    await page.check('#way-phone')
    await button.click()
    const link = page.locator('.said a[href*="mobileSign"]').first()
    await link.waitFor()
    return { link, sign: async () => app.sign((await link.getAttribute('href')) ?? '') }
  }

  await visitor.go(linkIn(turn, '/d/'))
  await main.getByRole('link', { name: texts.nav.login, exact: true }).click()
  const loggingIn = await byPhone(main.locator('#login button.strong'), login)
  await visitor.sees('log-in-by-phone')
  await loggingIn.sign()
  await page.waitForURL((url) => url.pathname.startsWith(`/d/${id}`))
  await main.getByText('Order.txt').first().waitFor()
  await visitor.sees('document')

  if (!visitor.path.endsWith('/sign')) await main.locator(`a[href^="/d/${id}/sign"]`).first().click()
  const signing = await byPhone(visitor.signButton, phone)
  await visitor.sees('sign-by-phone')
  await signing.sign()
  await visitor.isSigned()
  await visitor.sees('signed')
  const { signaturesTotal } = await (await people.as('head-1')).getDocument({ id })
  expect(signaturesTotal).to.equal(2)
}
