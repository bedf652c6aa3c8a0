import { client, sayFailure } from './api.js'
import { moment } from './dates.js'
import { make, own, save } from './dom.js'
import { hashOf } from './hash.js'
import { type ReportedFiles, signedReport } from './signed-report.js'
import { language, texts } from './texts.js'

/** Style for a report that is saved as a file, without the style sheets of the pages. */
const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}dt{font-weight:bold}'

/**
 * Adds a report to the results of a check: which files, when, where and by which rules, to print or to save; hashes are
 * computed on demand. When there are signatures, the registry can make and sign a report of its own.
 */
export function addReport(
  place: HTMLElement,
  files: readonly File[],
  about: readonly HTMLElement[] = [],
  asked?: ReportedFiles,
): void {
  const checkedAt = Date.now()
  const facts = make('dl', { class: 'facts' })
  let filling: Promise<void> | undefined
  const button = (label: string, act: () => void) => {
    const made = make('button', { type: 'button', class: 'small' }, label)
    made.addEventListener('click', () => {
      filling ??= reported(files, checkedAt).then((rows) => facts.replaceChildren(...about, ...rows))
      filling.then(act).catch((error) => {
        filling = undefined
        void sayFailure(facts, error)
      })
    })
    return made
  }
  const buttons = make(
    'p',
    { class: 'actions' },
    button(texts.printReport, () => {
      for (const details of place.querySelectorAll('details')) details.open = true
      print()
    }),
    button(texts.saveReport, () => save(new Blob([asFile(place)], { type: 'text/html' }), `${texts.report}.html`)),
  )
  const section = make('section', { class: 'report' }, make('h3', {}, texts.report), facts, buttons)
  if (asked !== undefined) section.append(signedReport(asked))
  place.append(section)
}

async function reported(files: readonly File[], checkedAt: number): Promise<HTMLElement[]> {
  const { version } = await client.getVersion()
  const sizes = new Intl.NumberFormat(language === 'en' ? 'en' : 'ru', {
    style: 'unit',
    unit: 'byte',
    unitDisplay: 'long',
  })
  const rows = [
    reportFact(texts.checkedAt, make('time', { datetime: new Date(checkedAt).toISOString() }, moment(checkedAt))),
    reportFact(texts.checkedBy, location.origin),
    reportFact(texts.rules, texts.rulesText(version)),
  ]
  for (const file of files) {
    const hash = [...(await hashOf(file))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    rows.push(
      reportFact(texts.file, own(`${file.name}, ${sizes.format(file.size)}`)),
      reportFact('SHA-256', make('code', {}, hash)),
    )
  }
  return rows
}

/** One fact of a report. */
export const reportFact = (term: string, value: HTMLElement | string): HTMLElement =>
  make('div', {}, make('dt', {}, term), make('dd', {}, value))

/** The report as a self-contained page without scripts. */
function asFile(place: HTMLElement): string {
  const page = document.implementation.createHTMLDocument()
  const found = page.importNode(place, true)
  for (const one of found.querySelectorAll('button, .signed-report, .screen-only')) one.remove()
  for (const details of found.querySelectorAll('details')) details.open = true
  for (const link of found.querySelectorAll('a'))
    link.setAttribute('href', new URL(link.getAttribute('href') ?? '', location.href).href)
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${texts.report}</title><style>${STYLE}</style></head>
<body>${found.outerHTML}</body></html>
`
}
