import { unsubscribeWords } from '@signed-registry/core'
import { html } from '../html.js'
import type { Page } from '../visit.js'

/** `/unsubscribe/{token}`: asks for confirmation after a click on the link in a mail. The host handles the answer. */
export const unsubscribePage: Page = async ({ params, query, language, use }) => {
  const words = unsubscribeWords[language]
  const link = await use.unsubscribing.find(params.token ?? '')
  if (link === undefined) {
    return {
      title: words.title,
      status: 404,
      body: html`<section class="card narrow failure"><h1>${words.title}</h1><p>${words.unknown}</p></section>`,
    }
  }
  const { kind, isRefused } = link
  const told = isRefused ? words.refused : query.has('accepted') ? words.accepted : words.ask
  const button = isRefused
    ? html`<button name="answer" value="accept">${words.acceptAgain}</button>`
    : html`<button class="strong" name="answer" value="refuse">${words.refuse}</button>`
  return {
    title: words.title,
    body: html`<section class="card narrow"><p class="kicker">${words.title}</p><h1>${words.kinds[kind]}</h1><p>${told}</p>
<form method="post" action="?"><p class="actions">${button}</p></form></section>`,
  }
}
