import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'

/*
 * The page that checks signatures from the disk, without a network: one HTML file with its script, its style and the
 * verifier inside. Its policy lets nothing else run, and lets nothing out.
 */
const NAME = 'check-offline.html'
const NO_SCRIPT =
  'Бұл бет сценарийлерсіз жұмыс істемейді. Эта страница не работает без сценариев. This page does not work without scripts.'

const sha256 = (text, encoding) => createHash('sha256').update(text).digest(encoding)
const hashOf = (text) => `'sha256-${sha256(text, 'base64')}'`

/** The page and its SHA-256, as files of a folder. */
export function checkOffline(folder, ...outputs) {
  const all = new Map(outputs.flat().map(({ path, text }) => [basename(path), text.trim()]))
  const script = inline(all.get('check-offline.js'), 'script')
  const worker = inline(all.get('evidence-worker.js'), 'script')
  const style = inline(`${all.get('pages.css')}@media (prefers-color-scheme:dark){${all.get('dark.css')}}`, 'style')
  const policy = [
    "default-src 'none'",
    // The national hashes are WebAssembly, which the worker makes; it has the policy of the page.
    `script-src ${hashOf(script)} 'wasm-unsafe-eval'`,
    'worker-src blob:',
    // A revision of a PDF, in the viewer of the browser.
    'frame-src blob:',
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const html = `<!doctype html>
<html lang="ru" data-scheme="auto">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Signed Document Registry</title>
<style>${style}</style>
</head>
<body>
<main id="content" tabindex="-1"></main>
<noscript><p class="note">${NO_SCRIPT}</p></noscript>
<script type="text/plain" id="worker">${worker}</script>
<script type="module">${script}</script>
</body>
</html>
`
  return [
    { path: join(folder, NAME), contents: html },
    { path: join(folder, `${NAME}.sha256`), contents: `${sha256(html, 'hex')}  ${NAME}\n` },
  ]
}

/** Text that its element ends with, and does not end before (HTML, 13.2.5.4: a second start would hide the end after `<!--`). */
function inline(text, element) {
  if (text === undefined || new RegExp(`</?${element}`, 'i').test(text))
    throw new Error(`a ${element} cannot stand inline`)
  return text
}
