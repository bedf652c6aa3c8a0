import { type Html, html, nothing } from '../html.js'
import { DARK_MEDIA } from '../scheme.js'
import type { Shown, Visit } from '../visit.js'
import type { Frame } from './frame.js'

/** The head of a page: title, preview, icons, styles, scripts. */
export function head(visit: Visit, frame: Frame, siteName: string, shown: Shown): Html {
  const { scheme, language } = visit
  const { title, scripts = [], styles = [] } = shown
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme === 'auto' ? 'light dark' : scheme}">
<title>${title === siteName ? title : `${title} — ${siteName}`}</title>
<link rel="stylesheet" href="${frame.styles[0]}">
<link rel="stylesheet" id="dark" href="${frame.dark}" media="${DARK_MEDIA[scheme]}">
${[...styles, ...frame.styles.slice(1)].map((style) => html`<link rel="stylesheet" href="${style}">`)}
<noscript><link rel="stylesheet" href="${frame.withoutScript}"></noscript>
<link rel="icon" href="${frame.logo}">
${frame.touchIcon === undefined ? nothing : html`<link rel="apple-touch-icon" href="${frame.touchIcon}">`}
<link rel="manifest" href="/manifest.webmanifest?lang=${language}">
${preview(visit, frame, siteName, shown)}
${['every-page', ...scripts].map((name) => html`<script type="module" src="${frame.script(name)}"></script>`)}`
}

/** Pages about documents and packages: their titles and names are for who opens them. */
const OF_DOCUMENTS = /^\/(d|show|R)\b/
const OF_PACKAGES = /^\/p\//

/** What messengers and other sites show of a link (Open Graph): the service and the kind of page, and nothing that somebody wrote. */
function preview(
  { texts: { about }, address }: Visit,
  frame: Frame,
  siteName: string,
  { title, isPublic }: Shown,
): Html {
  const { preview: text } = about
  const kind = OF_DOCUMENTS.test(address) ? text.document : OF_PACKAGES.test(address) ? text.package : undefined
  const shownTitle = kind ?? (isPublic ? title : siteName)
  return html`<meta property="og:type" content="website">
<meta property="og:site_name" content="${siteName}">
<meta property="og:title" content="${shownTitle}">
${kind === undefined ? nothing : html`<meta property="og:description" content="${text.text}">`}
<meta property="og:image" content="${frame.picture}">`
}
