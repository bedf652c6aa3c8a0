import { digits } from '../formats.js'
import { type Html, html, nothing, raw } from '../html.js'
import { LANGUAGES } from '../language.js'
import { DARK_MEDIA, SCHEMES, type Scheme } from '../scheme.js'
import type { Shown, Visit } from '../visit.js'

/** What the layout of every page needs. */
export interface Frame {
  /** Name of the service, if configured. */
  readonly siteName: string | undefined
  /** Path of the logo. */
  readonly logo: string
  readonly styles: readonly string[]
  /** Style sheet with dark colours. */
  readonly dark: string
  /** Style sheet for browsers that run no scripts. */
  readonly withoutScript: string
  /** Path of a module of `browser/`. */
  script(name: string): string
  /** Name of the visitor. */
  readonly visitorName: string | undefined
  /** Whether the visitor may open the settings of their organization. */
  readonly mayManage: boolean
}

const LANGUAGE_NAMES = { kk: 'Қазақша', ru: 'Русский', en: 'English' } as const

/** Renders a complete page. */
export function layout(visit: Visit, frame: Frame, { title, body, scripts = [] }: Shown): string {
  const { texts, language } = visit
  const siteName = frame.siteName ?? texts.product
  return String(html`<!doctype html>
<html lang="${language}" data-scheme="${visit.scheme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${visit.scheme === 'auto' ? 'light dark' : visit.scheme}">
<title>${title === siteName ? title : `${title} — ${siteName}`}</title>
<link rel="icon" href="${frame.logo}">
<link rel="stylesheet" href="${frame.styles[0]}">
<link rel="stylesheet" id="dark" href="${frame.dark}" media="${DARK_MEDIA[visit.scheme]}">
${frame.styles.slice(1).map((style) => html`<link rel="stylesheet" href="${style}">`)}
<noscript><link rel="stylesheet" href="${frame.withoutScript}"></noscript>
${['every-page', ...scripts].map((name) => html`<script type="module" src="${frame.script(name)}"></script>`)}
</head>
<body>
<a class="skip" href="#content">${texts.skip}</a>
${visit.development ? html`<aside class="development" aria-label="${texts.development}"><strong>${texts.development}.</strong> ${texts.developmentNote}</aside>` : nothing}
<header class="top">
<a class="brand" href="/"><img src="${frame.logo}" alt="" width="32" height="32"><span>${siteName}</span></a>
<nav class="main" aria-label="${texts.menu}">${navigation(visit)}</nav>
<div class="who">${visitor(visit, frame)}</div>
</header>
<main id="content" tabindex="-1">${body}</main>
<footer class="bottom">
<nav class="choices" aria-label="${texts.language}">${LANGUAGES.map((one) => languageLink(visit, one))}</nav>
<nav class="choices" aria-label="${texts.colours}">${SCHEMES.map((one) => schemeLink(visit, one))}</nav>
<p>${texts.timeZone}</p>
<p><a href="/docs">${texts.forPrograms}</a></p>
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
