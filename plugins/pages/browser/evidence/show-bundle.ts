import { make, own, save } from '../dom.js'
import { texts } from '../texts.js'
import { conclusionOf, judgedSignature } from '../verdict.js'
import { verdictTexts } from '../verdict-texts.js'
import { fact, lines, timeOf } from './facts.js'
import type { ShownBundle, ShownVerdict } from './question.js'
import { logSays } from './show-log.js'
import { recordsSay } from './show-records.js'

/** How a bundle looks: what is wrong or open with it is never green, whatever its signatures are. */
export const BUNDLE_LOOKS = { proved: 'good', unknown: 'warn', wrong: 'bad' } as const

/** Files that are named with one problem. */
const MAX_NAMED = 20

/** A verdict on an evidence bundle. */
export type BundleVerdict = ShownVerdict & { readonly bundle: ShownBundle }

/** What is said of a bundle below its outcome: what is wrong, who signed what, since when it is recorded and logged, and apart from that what the registry says. */
export const bundleBody = (verdict: BundleVerdict): HTMLElement[] => [
  ...problems(verdict.bundle),
  ...verdict.bundle.documents.flatMap((one) => document(one, verdict)),
  ...verdict.bundle.strangers.map((name) => make('p', {}, own(name), ` — ${verdict.bundle.strangerSays}.`)),
  ...recordsSay(verdict.bundle),
  ...logSays(verdict.bundle),
  ...registrySays(verdict.bundle),
]

/** Each kind of problem once, with the files that have it. */
function problems({ problems: all, label }: ShownBundle): HTMLElement[] {
  return [...new Set(all.map(({ code }) => code))].map((code) => {
    const same = all.filter((one) => one.code === code)
    const files = same.flatMap(({ file }) => (file === undefined ? [] : [file]))
    const named = files.slice(0, MAX_NAMED).join(', ') + (files.length > MAX_NAMED ? ' …' : '')
    return make(
      'section',
      { class: 'judged' },
      make('p', {}, make('strong', {}, same[0]?.says)),
      named === '' ? undefined : make('p', {}, `${label.file}: `, make('code', {}, own(named))),
      make('p', { class: 'hint' }, same[0]?.next),
    )
  })
}

type Bundled = ShownBundle['documents'][number]

function document({ name, originalSays, signatures }: Bundled, verdict: BundleVerdict): HTMLElement[] {
  const { signatures: all, bundle } = verdict
  const title = make('p', {}, make('strong', {}, own(name)), `: ${originalSays}.`)
  const found = signatures.flatMap((place) => {
    const one = all[place]
    if (one === undefined) return []
    const kicker = make('p', { class: 'kicker' }, `${verdictTexts.number(place + 1, all.length)}: `, own(one.file))
    const conclusion = make('p', {}, make('strong', {}, verdictTexts.titles[conclusionOf(one)]))
    return [judgedSignature(one, { why: one.refusal?.message, above: [kicker, conclusion] })]
  })
  const none = found.length === 0 ? [make('p', {}, verdictTexts.unsigned)] : []
  return [
    make('section', { class: 'judged', 'aria-label': `${bundle.label.document}: ${name}` }, title, ...none),
    ...found,
  ]
}

/** What only `evidence.json` says, and whose word it is. */
function registrySays({ registrySays: said, signedBySays, isOwn, label }: ShownBundle): HTMLElement[] {
  if (said === undefined) return []
  const { registry, asOf, package: of, documents } = said
  const at = (time: string) => `${label.registered}: ${timeOf(time)}`
  const facts = make(
    'dl',
    { class: 'facts' },
    fact(label.statementBy, make('strong', {}, isOwn ? verdictTexts.ownWord : signedBySays)),
    fact(label.registry, lines(registry.name, registry.origin)),
    fact(label.registryKey, make('code', {}, registry.statementKey)),
    fact(label.asOf, timeOf(asOf)),
    ...(of === undefined ? [] : [fact(label.package, lines(of.title, of.packageId, at(of.storedAt)))]),
    ...documents.map(({ title, documentId, storedAt }) =>
      fact(label.document, lines(title || texts.untitled, make('code', {}, documentId), at(storedAt))),
    ),
  )
  const heading = make('h3', {}, label.registrySays)
  return [make('section', { class: 'judged' }, heading, make('p', {}, label.registryWord), facts)]
}

/** A button that saves the verifier's report, which is a page of its own. */
export function savingReport({ report }: ShownVerdict): HTMLElement {
  const button = make('button', { type: 'button', class: 'small' }, texts.saveReport)
  button.addEventListener('click', () => save(new Blob([report], { type: 'text/html' }), `${texts.report}.html`))
  const actions = make('p', { class: 'actions' }, button)
  return make('section', { class: 'report' }, make('h3', {}, texts.report), actions)
}
