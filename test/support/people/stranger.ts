import { expect } from 'chai'
import type { Journey } from './journey.js'
import { linkIn } from './people-host.js'
import { Visitor } from './visitor.js'

const WORDS = 'Please sign by Friday: the lease of the office.'

/**
 * Somebody who has never been here has a mail: they open it, log in, read, sign and accept; the sender has a mail about that, and
 * sees where the document stands.
 */
export const stranger: Journey = async (people, browser, view) => {
  const { language, width } = view
  const [receiver, sender] = [`receiver-${language}-${width}@example.kz`, `sender-${language}-${width}@example.kz`]
  await people.mailboxOf('person-1', receiver, language)
  await people.mailboxOf('person-2', sender, language)
  const original = Buffer.from(`A lease for ${language} ${width}\n`)
  const id = await people.register('person-2', { title: 'Lease.txt' }, original)
  const deadline = Date.now() + 3 * 24 * 60 * 60_000
  const request = { to: 'IIN900101300010', comment: WORDS, toSign: true, deadline }
  await (await people.as('person-2')).sendDocument({ id, request })

  const asked = await people.mail(receiver, WORDS)
  const visitor = await Visitor.open(browser, people.url, { journey: 'stranger', view })
  const { main, texts } = visitor
  await visitor.go(linkIn(asked, '/incoming/'))
  await visitor.sees('log-in-first')
  await main.getByRole('link', { name: texts.nav.login, exact: true }).click()
  await visitor.sees('log-in')
  await visitor.logIn('person-1')
  expect(visitor.path).to.match(/^\/incoming\//)
  await main.getByText(WORDS).waitFor()
  await main.getByText(original.toString().trim()).waitFor()
  await visitor.sees('item')

  await main.getByRole('link', { name: texts.deal.signAndAccept }).click()
  await visitor.sees('reading-and-signing')
  await visitor.choose('person-1')
  await visitor.signs()
  await visitor.sees('signed')
  await visitor.go(new URL(linkIn(asked, '/incoming/')).pathname)
  await main.getByText(texts.deal.states.acceptedSigned).first().waitFor()
  await visitor.sees('accepted')

  const answered = await people.mail(sender, '/outgoing/')
  const other = await Visitor.open(browser, people.url, { journey: 'stranger-sender', view })
  await other.go(linkIn(answered, '/outgoing/'))
  await other.main.getByRole('link', { name: texts.nav.login, exact: true }).click()
  await other.logIn('person-2')
  await other.main.getByText(texts.deal.states.acceptedSigned).first().waitFor()
  await other.sees('answer')
  await other.go(`/d/${id}`)
  await other.main.getByText('ИВАНОВ ИВАН ИВАНОВИЧ').first().waitFor()
  await other.main.getByText(texts.thread.kinds.accepted).first().waitFor()
  await other.sees('document')
}
