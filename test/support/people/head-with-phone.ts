import { DevPhone } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import type { Journey } from './journey.js'
import { linkIn } from './people-host.js'
import { Visitor } from './visitor.js'

const BIN = 'BIN200140000019'
/** Of head-1 and employee-1, who signs first. */
const [HEAD, CLERK] = ['IIN900101300030', 'IIN900101300040']

/** A head has a mail that it is their turn, and signs by the application on the phone. */
export const headWithPhone: Journey = async (people, browser, view) => {
  const { language, width } = view
  const mailbox = `head-${language}-${width}@example.kz`
  await people.mailboxOf('head-1', mailbox, language)
  const original = Buffer.from(`An order of the day; ${language} ${width}\n`)
  const signersRequirements = [
    { iin: CLERK, bin: BIN },
    { iin: HEAD, bin: BIN },
  ]
  const settings = {
    ...{ private: true, tempStorageAfterRegistration: 24 * 60 * 60_000 },
    ...{ signersRequirements, sequentialSignersRequirements: true },
  }
  const id = await people.register('employee-1', { title: 'Order.txt', settings }, original)

  const turn = await people.mail(mailbox, `/d/${id}`)
  const visitor = await Visitor.open(browser, people.url, { journey: 'head', view })
  const { page, main, texts } = visitor
  const phone = new DevPhone(people.host.authorities.named('head-1'), people.host.authorities.named('head-1-auth'))
  const login = new DevPhone(people.host.authorities.named('head-1-auth'))
  const byPhone = async (button: string, app: DevPhone) => {
    await page.check('#way-phone')
    await main.getByRole('button', { name: button, exact: true }).click()
    const link = page.locator('.said a[href*="mobileSign"]').first()
    await link.waitFor()
    return { link, sign: async () => app.sign((await link.getAttribute('href')) ?? '') }
  }

  await visitor.go(linkIn(turn, '/d/'))
  await main.getByRole('link', { name: texts.nav.login, exact: true }).click()
  const loggingIn = await byPhone(texts.login.submit, login)
  await visitor.sees('log-in-by-phone')
  await loggingIn.sign()
  await page.waitForURL((url) => url.pathname.startsWith(`/d/${id}`))
  await main.getByText('Order.txt').first().waitFor()
  await visitor.sees('document')

  if (!visitor.path.endsWith('/sign')) await main.locator(`a[href^="/d/${id}/sign"]`).first().click()
  const signing = await byPhone(texts.sign.submit, phone)
  // On a phone the way into the application is what is offered first.
  if (width === 360) expect(await signing.link.getAttribute('class')).to.include('strong')
  await visitor.sees('sign-by-phone')
  await signing.sign()
  await main.locator('.said.good').waitFor()
  await visitor.sees('signed')
  const { signaturesTotal } = await (await people.as('head-1')).getDocument({ id })
  expect(signaturesTotal).to.equal(2)
}
