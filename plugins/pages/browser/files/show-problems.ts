import type { FileProblem } from '@signed-registry/verifier'
import { make, own } from '../dom.js'
import type { FileTexts } from '../texts/file-en.js'
import { verdictTexts } from '../verdict-texts.js'
import type { NotRead, ShownFile } from './shown-file.js'

/** What is wrong, and what to do. */
type Said = readonly string[]

/** Names that are listed with one problem. */
const MAX_NAMED = 20

/** Each kind of problem once, with what it is about. */
export function fileProblems({ problems, words }: Pick<ShownFile, 'problems' | 'words'>): HTMLElement[] {
  const kinds = new Map<Said, FileProblem[]>()
  for (const one of problems) {
    const said = saysOf(one, words)
    kinds.set(said, [...(kinds.get(said) ?? []), one])
  }
  return [...kinds].map(([said, all]) => {
    const names = [...new Set(all.flatMap(({ name }) => (name === undefined || name === '' ? [] : [name])))]
    const reasons = [
      ...new Set(all.flatMap(({ reason }) => (reason === undefined || kindNamed(reason, words) ? [] : [reason]))),
    ]
    return problem(said, { names, reasons, words })
  })
}

/** Why a file could not be read. */
export const notReadSays = ({ reason, part, words }: NotRead): HTMLElement =>
  problem(whyNotRead(reason, words), {
    words,
    names: part === undefined ? [] : [part],
    reasons: kindNamed(reason, words) ? [] : [reason],
  })

function problem(
  [says = '', next = '']: Said,
  {
    names,
    reasons,
    words,
  }: { readonly names: readonly string[]; readonly reasons: readonly string[]; readonly words: FileTexts },
): HTMLElement {
  const named = names.slice(0, MAX_NAMED).join(', ') + (names.length > MAX_NAMED ? ' …' : '')
  const because = reasons.length === 0 ? '' : ` ${verdictTexts.reason}: ${reasons.join(', ')}.`
  return make(
    'section',
    { class: 'judged' },
    make('p', {}, make('strong', {}, says)),
    named === '' ? undefined : make('p', {}, `${words.about}: `, make('code', {}, own(named))),
    make('p', {}, next),
    because === '' ? undefined : make('p', { class: 'hint' }, because.trim()),
  )
}

const saysOf = ({ code, reason = '' }: FileProblem, words: FileTexts): Said =>
  code === 'unsupported' ? (kindNamed(reason, words) ?? words.problems.unsupported) : words.problems[code]

const kindNamed = (reason: string, words: FileTexts): Said | undefined =>
  Object.entries(words.unsupported).find(([name]) => name === reason)?.[1]

type Because = keyof FileTexts['notReadBecause']
const KINDS: readonly (readonly [Because, RegExp])[] = [
  ['protected', /^encryptedEntry$/],
  ['compression', /^compression$/],
  ['damaged', /^contentBroken$/],
  ['names', /Name$/],
  ['large', /^(?:inflatesTooMuch|objectTooLarge|tooLarge|tooMany.*)$/],
]

function whyNotRead(reason: string, words: FileTexts): Said {
  const kind = KINDS.find(([, pattern]) => pattern.test(reason))?.[0] ?? 'broken'
  return kindNamed(reason, words) ?? words.notReadBecause[kind]
}
