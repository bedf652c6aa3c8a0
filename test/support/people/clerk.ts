import { expect } from 'chai'
import { logInOverHttp } from '../login-over-http.js'
import type { Journey } from './journey.js'
import type { PeopleHost } from './people-host.js'
import { Visitor } from './visitor.js'

const HEAD_BIN = '200140000019'
const CLERK = 'IIN900101300040'
const COUNTERPARTY = '900101300010'

/** The head lets the clerk do what clerks do. */
async function giveRights(people: PeopleHost): Promise<void> {
  const clerk = { authorities: [], tlsCertificatesIndices: [], iins: [CLERK] }
  const rights = [
    ...['documentsAccess', 'documentsList', 'documentsSettings'],
    ...['documentsPackagesRoute', 'routedDocumentsPackagesView'],
  ]
  const request = Object.fromEntries(rights.map((right) => [right, clerk]))
  await (await people.as('head-1')).saveOrganizationSettings({ request })
}

/**
 * A clerk registers a contract, says that the head signs and then the counterparty, sends it, recalls it and registers a
 * new version.
 */
export const clerk: Journey = async (people, browser, view) => {
  const { language, width } = view
  const counterparty = `counterparty-${language}-${width}@example.kz`
  await people.mailboxOf('person-1', counterparty, language)
  await giveRights(people)
  const cookies = await logInOverHttp(people.url, people.host.authorities.named('employee-1-auth'))
  const visitor = await Visitor.open(browser, people.url, { journey: 'clerk', view, cookies })
  const { page, main, texts } = visitor
  const register = async (text: string) => {
    const buffer = Buffer.from(`${text}; ${language} ${width}\n`)
    await page.setInputFiles('#files', { name: 'contract.txt', mimeType: 'text/plain', buffer })
    await page.fill('#title', 'Contract No 18/2026')
    await page.locator('#title').blur()
  }
  const submit = async (): Promise<string> => {
    await visitor.choose('employee-1')
    await visitor.sees('before-signing')
    await page.click('#submit')
    const link = main.locator('.said.good a[href^="/d/"]').first()
    await link.waitFor()
    await visitor.sees('registered')
    return (await link.getAttribute('href')) ?? ''
  }

  await visitor.go('/new')
  await register('A contract')
  await page.locator('summary', { hasText: texts.signers.title }).click()
  await page.locator('[data-preset]').click()
  await page.locator('[data-kind]').last().selectOption('iin')
  await page.locator('[data-number]').last().fill(COUNTERPARTY)
  const document = await submit()
  const id = document.split('/').at(-1) ?? ''
  const client = await people.as('employee-1')
  const { title, settings } = await client.getDocument({ id })
  expect(title).to.match(/18-2026/)
  expect(settings.signersRequirements?.map(({ iin, bin }) => iin ?? bin)).to.deep.equal([
    ...[CLERK, `BIN${HEAD_BIN}`, `IIN${COUNTERPARTY}`],
  ])

  await visitor.go(`${document}/send`)
  await page.fill('#toNumber', COUNTERPARTY)
  await page.fill('#comment', 'Please sign the contract.')
  await visitor.sees('send')
  await main.getByRole('button', { name: texts.send.submit, exact: true }).click()
  await page.waitForURL('**/outgoing/*')
  await people.mail(counterparty, 'Please sign the contract.')
  await main.getByText(texts.deal.states.unopened).first().waitFor()
  await visitor.sees('sent')

  await main.locator('summary', { hasText: texts.deal.recall }).click()
  await page.fill('#why', 'The sum was wrong.')
  await main.getByRole('button', { name: texts.deal.recall, exact: true }).click()
  await main.getByText(texts.deal.states.recalled).first().waitFor()
  await visitor.sees('recalled')
  await people.mail(counterparty, 'The sum was wrong.')

  await main.getByRole('link', { name: texts.deal.newVersion }).click()
  await page.waitForURL(`**/new?replaces=${id}`)
  await register('A better contract')
  const newer = await submit()
  await visitor.go(document)
  await main.locator(`a[href="${newer}"]`).first().waitFor()
  await visitor.sees('replaced')
}
