import type { FileProblem } from '@signed-registry/verifier'
import { make, own } from '../dom.js'
import { fileTexts as texts } from '../file-texts.js'
import { verdictTexts } from '../verdict-texts.js'
import type { NotRead } from './shown-file.js'

/** What is wrong, and what to do. */
type Said = readonly string[]

/** Names that are listed with one problem. */
const MAX_NAMED = 20

/** Each kind of problem once, with what it is about. */
export function fileProblems(problems: readonly FileProblem[]): HTMLElement[] {
  const kinds = new Map<Said, FileProblem[]>()
  for (const one of problems) {
    const said = saysOf(one)
    kinds.set(said, [...(kinds.get(said) ?? []), one])
  }
  return [...kinds].map(([said, all]) => {
    const names = [...new Set(all.flatMap(({ name }) => (name === undefined || name === '' ? [] : [name])))]
    const reasons = [
      ...new Set(all.flatMap(({ reason }) => (reason === undefined || kindNamed(reason) ? [] : [reason]))),
    ]
    return problem(said, { names, reasons })
  })
}

/** Why a file could not be read. */
export const notReadSays = ({ reason, part }: NotRead): HTMLElement =>
  problem(whyNotRead(reason), { names: part === undefined ? [] : [part], reasons: kindNamed(reason) ? [] : [reason] })

function problem(
  [says = '', next = '']: Said,
  { names, reasons }: { readonly names: readonly string[]; readonly reasons: readonly string[] },
): HTMLElement {
  const named = names.slice(0, MAX_NAMED).join(', ') + (names.length > MAX_NAMED ? ' …' : '')
  const because = reasons.length === 0 ? '' : ` ${verdictTexts.reason}: ${reasons.join(', ')}.`
  return make(
    'section',
    { class: 'judged' },
    make('p', {}, make('strong', {}, says)),
    named === '' ? undefined : make('p', {}, `${texts.about}: `, make('code', {}, own(named))),
    make('p', {}, next),
    because === '' ? undefined : make('p', { class: 'hint' }, because.trim()),
  )
}

const saysOf = ({ code, reason = '' }: FileProblem): Said =>
  code === 'unsupported' ? (kindNamed(reason) ?? texts.problems.unsupported) : texts.problems[code]

const kindNamed = (reason: string): Said | undefined =>
  Object.entries(texts.unsupported).find(([name]) => name === reason)?.[1]

type Because = keyof typeof texts.notReadBecause
const KINDS: readonly (readonly [Because, RegExp])[] = [
  ['protected', /^encryptedEntry$/],
  ['compression', /^compression$/],
  ['damaged', /^contentBroken$/],
  ['names', /Name$/],
  ['large', /^(?:inflatesTooMuch|objectTooLarge|tooLarge|tooMany.*)$/],
]

function whyNotRead(reason: string): Said {
  const kind = KINDS.find(([, pattern]) => pattern.test(reason))?.[0] ?? 'broken'
  return kindNamed(reason) ?? texts.notReadBecause[kind]
}
