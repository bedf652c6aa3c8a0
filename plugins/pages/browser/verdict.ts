import { moment } from './dates.js'
import { make } from './dom.js'
import type { ShownSignature } from './shown-signature.js'
import { part, signer } from './signer.js'
import { asides, unsupported } from './verdict-notes.js'
import { verdictTexts as texts } from './verdict-texts.js'

/** The verdict on a signature, for people. */
export type Conclusion = keyof typeof texts.titles

export const LOOKS = {
  valid: 'good',
  unsupported: 'plain',
  notShown: 'plain',
  open: 'warn',
  other: 'bad',
  revoked: 'bad',
  wrong: 'bad',
} as const

/** The verdict on a signature: valid only when everything is proved, including its document. */
export function conclusionOf({ indication, document, refusal }: ShownSignature): Conclusion {
  if (indication === 'TOTAL-PASSED') return 'valid'
  if (indication === 'unsupported') return 'unsupported'
  if (document === 'differs') return 'other'
  if (indication === 'TOTAL-FAILED') return 'wrong'
  if (refusal?.code === 'invalidCertificateStatus' && refusal.reason === 'revoked') return 'revoked'
  return refusal === undefined || refusal.reason === NOT_HASHED ? 'notShown' : 'open'
}

/** True when a hash that the signature needs was not given. */
const NOT_HASHED = 'digestMissing'

const RANK: readonly Conclusion[] = ['valid', 'unsupported', 'notShown', 'open', 'revoked', 'other', 'wrong']

/** The worst of several. */
export const worstOf = (all: readonly Conclusion[]): Conclusion =>
  RANK[Math.max(...all.map((one) => RANK.indexOf(one)))] ?? 'wrong'

type CheckName = keyof typeof texts.checks
const ORDER: readonly CheckName[] = [
  'document',
  'signatureValue',
  'algorithms',
  'signerUsage',
  'signingCertificate',
  'timeStamp',
  'path',
  'status',
]

/** How a signature is shown. */
export interface Showing {
  /** Among several: its label, and its verdict. */
  readonly above?: readonly HTMLElement[]
  /** What it is over, where its place says so. */
  readonly over?: string | undefined
  /** Why it is refused, in the language of the page. */
  readonly why?: string | undefined
  /** Further notes. */
  readonly notes?: readonly HTMLElement[]
}

/** Who signed, what is proved, what is wrong, what is unknown, and the evidence for it. */
export function judgedSignature(one: ShownSignature, { above = [], over, why, notes = [] }: Showing = {}): HTMLElement {
  const found = one.checks.length > 0 ? lines(one, why, over) : [make('p', {}, why ?? '')]
  return make(
    'section',
    { class: 'judged' },
    ...above,
    ...signer(one),
    ...(one.unsupported === undefined ? found : unsupported(one.unsupported)),
    ...asides(one),
    ...notes,
  )
}

type State = keyof typeof texts.states

/** The outcome of a check: unknown if anything is missing, whatever else was found; `undefined` if it was not made. */
function stateOf({ checks, missing, refusal }: ShownSignature, name: CheckName): State | undefined {
  if (missing.some((one) => one === name)) return 'unknown'
  if (name === 'document' && refusal?.reason === NOT_HASHED) return 'unknown'
  return checks.find(({ check }) => check === name)?.outcome
}

function lines(one: ShownSignature, why: string | undefined, over: string | undefined): HTMLElement[] {
  const rows = ORDER.flatMap((name) => {
    const state = stateOf(one, name)
    if (state === undefined) return []
    const isPlaced = name === 'document' && state === 'passed' && over !== undefined
    return [row(state, isPlaced ? over : lineOf(one, name, state, why))]
  })
  const list = make('ul', { class: 'checks' }, ...rows)
  return rows.length === ORDER.length ? [list] : [list, make('p', { class: 'hint' }, texts.notLookedAt)]
}

const row = (state: State, line: string): HTMLElement =>
  make('li', { class: state }, make('strong', {}, texts.states[state]), ` ${line}`)

function lineOf(one: ShownSignature, name: CheckName, state: State, why: string | undefined): string {
  const text = texts.checks[name][state]
  const { tsp, ocsp } = one
  if (state === 'passed' && name === 'timeStamp') return `${text} ${moment(one.time)}${by(tsp)}`
  if (state === 'passed' && name === 'status') return `${text}${by(ocsp)}`
  if (state !== 'failed') return text
  return conclusionOf(one) === 'revoked' ? texts.revoked : `${text}. ${why ?? ''}`
}

/** The issuer of the evidence: the name and the serial number of its certificate. */
function by(authority: ShownSignature['tsp'] | ShownSignature['ocsp']): string {
  if (authority === undefined) return ''
  const { subjectStructure, subject, serialNumber } = authority
  return ` (${part(subjectStructure, 'CN') || subject}, ${serialNumber})`
}
