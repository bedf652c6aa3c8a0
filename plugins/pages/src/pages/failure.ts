import { RegistryError } from '@signed-registry/core'
import { type Html, html, nothing } from '../html.js'
import { missingToSeeItems } from '../missing.js'
import { findForm } from '../views/find-form.js'
import { missingTitle, missingWords } from '../views/missing-right.js'
import type { Shown, Visit } from '../visit.js'

/** Statuses of refusals; any other error is a failure. */
const STATUS: Readonly<Record<string, number>> = {
  invalid: 404,
  unauthenticated: 401,
  forbidden: 403,
  absent: 404,
  tooMany: 429,
  unavailable: 503,
}

/** The page shown instead of one that failed or was refused. */
export async function failurePage(visit: Visit, error: unknown): Promise<Shown> {
  const { errors, nav } = visit.texts
  const kind = error instanceof RegistryError ? error.kind : 'unexpected'
  const status = STATUS[kind] ?? 500
  const isDocument = /^\/(d|show|R|find)\b/.test(visit.address)
  const isObject = isDocument || visit.address.startsWith('/p/')
  const isOfItems = /^\/(incoming|outgoing)/.test(visit.address)
  const missing = status === 403 && isOfItems ? await missingToSeeItems(visit) : undefined
  const loginLink = html`<p class="actions"><a class="button strong" href="/login?next=${encodeURIComponent(visit.url)}">${nav.login}</a></p>`
  const [title, text, more]: readonly [string, string | Html, Html] = missing
    ? [missingTitle(visit, missing), nothing, missingWords(visit, missing)]
    : status === 401
      ? [
          isDocument ? errors.privateTitle : isObject ? errors.privatePackageTitle : errors.loginTitle,
          isObject ? errors.privateText : visit.texts.login.lead,
          loginLink,
        ]
      : status === 403
        ? [
            isDocument ? errors.privateTitle : errors.deniedTitle,
            isObject
              ? errors.deniedText
              : visit.caller.kind === 'employee'
                ? errors.noRightText
                : visit.texts.organization.noRight,
            nothing,
          ]
        : status === 404
          ? isObject
            ? [errors.absentTitle, errors.absentText, findForm(visit)]
            : [errors.noPageTitle, visit.texts.about.noPageText, findForm(visit)]
          : status === 429
            ? [errors.busyTitle, errors.busyText, nothing]
            : [errors.failedTitle, errors.failedText, nothing]
  return {
    title,
    status,
    scripts: status === 401 ? ['session'] : [],
    body: html`<section class="card narrow failure"><h1>${title}</h1>${text === nothing ? nothing : html`<p>${text}</p>`}${more}<p><a href="/">${errors.home}</a></p></section>`,
  }
}
