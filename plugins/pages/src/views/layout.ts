import { digits } from '../formats.js'
import { type Html, html, nothing, raw } from '../html.js'
import { LANGUAGE_NAMES, LANGUAGES } from '../language.js'
import { DARK_MEDIA, SCHEMES, type Scheme } from '../scheme.js'
import type { Shown, Visit } from '../visit.js'
import type { Frame } from './frame.js'
import { head } from './head.js'

const ABOUT = ['help', 'contact', 'privacy'] as const

/** Renders a complete page. */
export function layout(visit: Visit, frame: Frame, shown: Shown): string {
  const { texts, language } = visit
  const siteName = frame.siteName ?? texts.product
  return String(html`<!doctype html>
<html lang="${language}" data-scheme="${visit.scheme}">
<head>
${head(visit, frame, siteName, shown)}
</head>
<body>
<a class="skip" href="#content">${texts.skip}</a>
${visit.development ? html`<aside class="development" aria-label="${texts.development}"><strong>${texts.development}.</strong> ${texts.developmentNote}</aside>` : nothing}
<header class="top">
<a class="brand" href="/"><img src="${frame.logo}" alt="" width="32" height="32"><span>${siteName}</span></a>
<nav class="main" aria-label="${texts.menu}">${navigation(visit)}</nav>
${visit.address === '' ? nothing : html`<div class="who">${visitor(visit, frame)}</div>`}
</header>
<main id="content" tabindex="-1">${shown.body}</main>
<footer class="bottom">
<nav class="choices" aria-label="${texts.language}">${LANGUAGES.map((one) => languageLink(visit, one))}</nav>
<nav class="choices" aria-label="${texts.colours}">${SCHEMES.map((one) => schemeLink(visit, one))}</nav>
<p>${texts.timeZone}</p>
<nav class="choices" aria-label="${texts.about.links}">${ABOUT.map((topic) => html`<a href="/${topic}">${texts.about[topic].title}</a>`)}<a href="/docs">${texts.forPrograms}</a></nav>
</footer>
</body>
</html>
`)
}

function navigation({ caller, texts: { nav }, url }: Visit): Html {
  const isKnown = caller.kind === 'person' || caller.kind === 'employee'
  const links: [string, string][] = [
    ['/check', nav.check],
    ['/new', nav.new],
    ...(isKnown
      ? ([
          ['/documents', nav.documents],
          ['/packages', nav.packages],
          ['/incoming', nav.incoming],
          ['/outgoing', nav.outgoing],
        ] satisfies [string, string][])
      : []),
  ]
  const here = url.split('?')[0]
  return html`<ul>${links.map(
    ([href, text]) =>
      html`<li><a href="${href}"${href === here ? raw(' aria-current="page"') : nothing}>${text}</a></li>`,
  )}</ul>`
}

function visitor({ caller, texts: { nav }, url }: Visit, { visitorName, mayManage }: Frame): Html {
  if (caller.kind !== 'person' && caller.kind !== 'employee') {
    const next = url === '/' || url.startsWith('/login') ? '' : `?next=${encodeURIComponent(url)}`
    return html`<a class="button quiet" href="/login${next}">${nav.login}</a>`
  }
  return html`<details class="account"><summary>${visitorName ?? digits(caller.iin)}</summary>
<ul><li><a href="/settings">${nav.settings}</a></li>
${mayManage ? html`<li><a href="/organization">${nav.organization}</a></li>` : nothing}
<li data-live><button type="button" class="link" disabled data-logout>${nav.logout}</button></li></ul></details>`
}

function languageLink({ language, url }: Visit, one: (typeof LANGUAGES)[number]): Html {
  const name = LANGUAGE_NAMES[one]
  if (one === language) return html`<span lang="${one}" aria-current="true">${name}</span>`
  return html`<a lang="${one}" hreflang="${one}" href="${withChoice(url, 'lang', one)}">${name}</a>`
}

const schemeLink = ({ scheme, texts, url }: Visit, one: Scheme): Html =>
  html`<a href="${withChoice(url, 'scheme', one)}" data-choice="${one}" data-media="${DARK_MEDIA[one]}"${one === scheme ? raw(' aria-current="true"') : nothing}>${texts.schemes[one]}</a>`

/** The URL of this page with a choice, which the answer then stores in a cookie. */
function withChoice(url: string, name: string, value: string): string {
  const here = new URL(url, 'http://here.invalid')
  here.searchParams.set(name, value)
  return here.pathname + here.search
}
