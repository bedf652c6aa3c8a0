import type { WebhookDelivery } from '@signed-registry/core/webhooks'
import { time } from '../formats.js'
import { type Html, html, nothing, raw } from '../html.js'
import { copyable, live, outcome } from '../views/controls.js'
import type { Page, Visit } from '../visit.js'

/** `/organization/webhooks/:webhookId`: deliveries of a webhook and their answers, to inspect and resend. */
export const webhookPage: Page = async (visit) => {
  const { use, caller, texts, params, query } = visit
  const { organization: text } = texts
  const webhookId = params.webhookId ?? ''
  const until = Number(query.get('until'))
  const isOlder = Number.isSafeInteger(until) && until > 0
  const isFailed = query.get('state') === 'failed'
  const { deliveries } = await use.listWebhookDeliveries.execute(caller, {
    webhookId,
    query: { ...(isOlder && { until }), ...(isFailed && { state: 'failed' }) },
  })
  const path = `/organization/webhooks/${webhookId}`
  const state = isFailed ? 'state=failed' : ''
  const here = raw(' aria-current="page"')
  const { webhooks } = await use.getWebhooks.execute(caller)
  const webhook = webhooks.find((one) => one.webhookId === webhookId)
  return {
    title: text.webhookLog,
    scripts: ['forms'],
    body: html`<p class="kicker">${text.webhookLog}</p><h1><bdi>${webhook?.url ?? webhookId}</bdi></h1><p><a href="/organization?tab=webhooks">${text.title}</a></p>
${live(
  visit,
  html`<form class="card" data-form="webhook" data-of="${webhookId}">
${webhook === undefined ? nothing : html`<details><summary>${text.webhookSecret}</summary><p>${copyable(visit, webhook.secret)}</p></details>`}
<p class="actions"><button name="do" value="ping" disabled>${text.webhookPing}</button>
${webhook === undefined ? nothing : html`<button name="do" value="rotate" disabled>${text.webhookRotate}</button>`}</p><p class="hint">${text.webhookRotateHint}</p>${outcome('progress')}</form>
<form class="card" data-form="webhook" data-of="${webhookId}"><div class="field"><label for="since">${text.resendSince}</label>
<input type="datetime-local" id="since" name="since" required></div>
<p class="actions"><button name="do" value="since" disabled>${text.resend}</button></p>${outcome('since-progress')}</form>`,
)}
<p class="tabs"><a href="${path}"${isFailed ? nothing : here}>${texts.lists.all}</a><a href="${path}?state=failed"${isFailed ? here : nothing}>${text.deliveryStates.failed}</a></p>
<section class="card"><h2>${text.deliveries}</h2>${deliveries.length === 0 ? html`<p>${isOlder || isFailed ? texts.lists.none : text.deliveriesNone}</p>` : html`<ol class="rows">${deliveries.map((one) => delivery(visit, one, webhookId))}</ol>`}
${pager(visit, { path, state, isOlder, last: deliveries.at(-1)?.createdAt })}</section>`,
  }
}

/** Links to newer and older deliveries; the last page is recognized by being empty. */
function pager(
  { texts }: Visit,
  { path, state, isOlder, last }: { path: string; state: string; isOlder: boolean; last: number | undefined },
): Html {
  const to = (...query: string[]) => [path, query.filter(Boolean).join('&')].filter(Boolean).join('?')
  if (!isOlder && last === undefined) return nothing
  return html`<p class="pager">${isOlder ? html`<a class="button" href="${to(state)}">${texts.lists.newest}</a>` : nothing}
${last === undefined ? nothing : html`<a class="button" rel="next" href="${to(state, `until=${last}`)}">${texts.lists.older}</a>`}</p>`
}

function delivery(
  visit: Visit,
  { deliveryId, createdAt, state, body, attempts }: WebhookDelivery,
  webhookId: string,
): Html {
  const { organization: text } = visit.texts
  return html`<li><details><summary>${time(visit.language, createdAt)} <span class="chip${state === 'delivered' ? ' good' : state === 'failed' ? ' bad' : ''}">${text.deliveryStates[state]}</span></summary>
<p><code>${deliveryId}</code></p><pre>${JSON.stringify(body, undefined, 2)}</pre>
<h3>${text.attempts}</h3><ul>${attempts.map(
    ({ startedAt, durationMs, status, error, answer }) =>
      html`<li>${time(visit.language, startedAt)}: ${status ?? error ?? ''}, ${durationMs} ms ${answer === undefined || answer === '' ? nothing : html`<pre>${answer}</pre>`}</li>`,
  )}</ul>
<form data-live data-form="webhook" data-of="${webhookId}"><input type="hidden" name="deliveryId" value="${deliveryId}"><button class="small" name="do" value="resend" disabled>${text.resend}</button>${outcome(`resend-${deliveryId}`)}</form></details></li>`
}
