import { digits, moment, time } from '../formats.js'
import { type Html, html, nothing } from '../html.js'
import { unlessRefused } from '../unless-refused.js'
import type { Visit } from '../visit.js'
import { languagesIn } from './mail-choices.js'

/** Most elements of a list that are shown. */
const MAX_TOLD = 20

/** A page of a settings audit. */
interface Audit {
  readonly eventsTotal: number
  readonly events: readonly {
    readonly eventId: number
    readonly original: object
    readonly modified: object
    readonly modifiedAt: number
    readonly modifiedBy?: string
    readonly modifiedByBusinessId?: string
  }[]
}

/**
 * The history of settings, oldest first: who changed what, and when; `undefined` for a visitor who may not see it. `read` gets
 * the changes after the one in `?changes=`; `unnamed` is shown for changes without an author.
 */
export async function changes(
  visit: Visit,
  read: (query: { lastEventId?: number }) => Promise<Audit>,
  unnamed = visit.texts.history.itself,
): Promise<Html | undefined> {
  const { caller, query, texts, url } = visit
  if (caller.kind !== 'person' && caller.kind !== 'employee') return undefined
  const after = Number(query.get('changes') ?? 0)
  const isLater = Number.isSafeInteger(after) && after > 0
  const audit = await unlessRefused(read(isLater ? { lastEventId: after } : {}))
  if (audit === undefined) return undefined
  if (audit.eventsTotal === 0) return nothing
  const { events, eventsTotal } = audit
  const last = events.at(-1)?.eventId
  const rest = !isLater || last === undefined ? [] : (await read({ lastEventId: last })).events
  const hasMore = isLater ? rest.length > 0 : events.length < eventsTotal
  const [path = ''] = url.split('?')
  return html`<details class="card" id="changes"${isLater ? html` open` : nothing}><summary>${texts.settings.changes} (${eventsTotal})</summary>
<ol class="history">${events.map((event) => change(visit, event, unnamed))}</ol>
${
  isLater || hasMore
    ? html`<p class="pager">${isLater ? html`<a class="button" href="${path}#changes">${texts.history.first}</a>` : nothing}
${hasMore && last !== undefined ? html`<a class="button" href="${path}?changes=${last}#changes">${texts.history.more}</a>` : nothing}</p>`
    : nothing
}</details>`
}

function change(
  visit: Visit,
  { original, modified, modifiedAt, modifiedBy, modifiedByBusinessId }: Audit['events'][number],
  unnamed: string,
): Html {
  const { texts, language } = visit
  const { history: text, signature: words } = texts
  const by =
    modifiedBy !== undefined
      ? `${words.iin} ${digits(modifiedBy)}`
      : modifiedByBusinessId !== undefined
        ? `${text.system} ${words.bin} ${digits(modifiedByBusinessId)}`
        : unnamed
  const [before, after] = [new Map(Object.entries(original)), new Map(Object.entries(modified))]
  const lines = [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before, after].map((all) => inWords(name, all.get(name), visit))
    const isYesOrNo = typeof was === 'boolean' || typeof is === 'boolean'
    const [from, to] = [value(was, isYesOrNo, texts), value(is, isYesOrNo, texts)]
    if (from === to)
      return isSame(was, is) ? [] : [html`<li>${labelOf(text.names, name)}: <ins>${text.changed}</ins></li>`]
    return [html`<li>${labelOf(text.names, name)}: <del>${from}</del> → <ins>${to}</ins></li>`]
  })
  return html`<li><p class="hint">${time(language, modifiedAt)}, ${by}</p><ul>${lines}</ul></li>`
}

/** Moments as dates, what has a name on the page of settings by that name; everything else as it is. */
function inWords(name: string, of: unknown, { language, texts }: Visit): unknown {
  if (name === 'signUntil' && typeof of === 'number') return moment(language, of)
  if (name === 'notificationsLanguage' && typeof of === 'string') return languagesIn(of)
  if (name === 'notificationsOff' && Array.isArray(of)) return of.map((kind) => labelOf(texts.mailChoices.kinds, kind))
  return of
}

const labelOf = (names: Readonly<Record<string, string>>, name: string): string => names[name] ?? name

/** Whether two values are equal; missing and empty ones are. */
const isSame = (was: unknown, is: unknown): boolean =>
  JSON.stringify(was ?? '') === JSON.stringify(is ?? '') || (isNothing(was) && isNothing(is))

const isNothing = (of: unknown): boolean =>
  of === undefined || of === 0 || of === '' || (Array.isArray(of) && of.length === 0)

/** The value of a setting in words. */
function value(of: unknown, isYesOrNo: boolean, texts: Visit['texts']): string {
  const { history: text } = texts
  if (isYesOrNo) return of === true ? text.yes : text.no
  if (isNothing(of)) return text.none
  const words = first(Array.isArray(of) ? of : [of], (rule) => ruleText(rule, texts.signature)).join('; ')
  return words === '' ? text.none : words
}

/** A rule such as `{ iin, bin }`, a nested list, or a word. A system appears under its description. */
function ruleText(rule: unknown, { iin, bin }: Visit['texts']['signature']): string {
  if (isSystem(rule)) return `${rule.description}${rule.disabled ? ' (–)' : ''}`
  const words = typeof rule === 'object' && rule !== null ? Object.values(rule).flat() : [rule]
  return first(words, (word) => String(word).replace(/^IIN/, `${iin} `).replace(/^BIN/, `${bin} `)).join(', ')
}

/** The first elements of a list, and how many more there are: thousands would make a page of megabytes. */
function first(list: readonly unknown[], words: (one: unknown) => string): string[] {
  const told = list.slice(0, MAX_TOLD).map(words)
  return list.length > MAX_TOLD ? [...told, `… (+${list.length - MAX_TOLD})`] : told
}

const isSystem = (rule: unknown): rule is { readonly description: string; readonly disabled: boolean } =>
  typeof rule === 'object' && rule !== null && 'description' in rule && 'disabled' in rule
