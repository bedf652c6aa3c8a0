import { client, sayFailure } from './api.js'
import { make, own, save } from './dom.js'
import { hashOf } from './hash.js'
import { moment } from './moments.js'
import { type ReportedFiles, signedReport } from './signed-report.js'
import { language, texts } from './texts.js'

/** As a file of its own a report has nothing of the style of pages. */
const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}dt{font-weight:bold}'

/**
 * Ends what a check has found with a report of it: which files, when, where and by which rules. Whoever needs it for
 * others prints it, or keeps it as a file; their hashes are computed when somebody asks. Where there are signatures among
 * them, the registry makes and signs one of its own where it is asked.
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

/** What stands in the place as a page of its own, which needs nothing and runs nothing. */
function asFile(place: HTMLElement): string {
  const page = document.implementation.createHTMLDocument()
  const found = page.importNode(place, true)
  for (const one of found.querySelectorAll('button, .signed-report')) one.remove()
  for (const details of found.querySelectorAll('details')) details.open = true
  for (const link of found.querySelectorAll('a'))
    link.setAttribute('href', new URL(link.getAttribute('href') ?? '', location.href).href)
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${texts.report}</title><style>${STYLE}</style></head>
<body>${found.outerHTML}</body></html>
`
}
