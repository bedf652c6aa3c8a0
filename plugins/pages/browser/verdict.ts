import type { CheckedSigner } from '@signed-registry/client'
import { catalogued } from './api.js'
import { make, own } from './dom.js'
import { moment } from './moments.js'
import { verdictTexts as texts } from './verdict-texts.js'

/** What a signature comes to, for people. */
export type Conclusion = keyof typeof texts.titles

export const LOOKS = {
  valid: 'good',
  notShown: 'plain',
  open: 'warn',
  other: 'bad',
  revoked: 'bad',
  wrong: 'bad',
} as const

/** What a signature comes to: valid only where everything is proved, its document too. */
export function conclusionOf({ indication, document, refusal }: CheckedSigner): Conclusion {
  if (indication === 'TOTAL-PASSED') return 'valid'
  if (document === 'differs') return 'other'
  if (indication === 'TOTAL-FAILED') return 'wrong'
  if (refusal?.code === 'invalidCertificateStatus' && refusal.reason === 'revoked') return 'revoked'
  return refusal === undefined ? 'notShown' : 'open'
}

const RANK: readonly Conclusion[] = ['valid', 'notShown', 'open', 'revoked', 'other', 'wrong']

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
interface Showing {
  /** What comes before it. */
  readonly above?: readonly HTMLElement[]
  /** Of a signature inside a file: whether it is over all of that. */
  readonly coversFile?: boolean
}

/** Who signed, what is proved, what is wrong, and what nobody can say. */
export async function judgedSignature(
  one: CheckedSigner,
  { above = [], coversFile }: Showing = {},
): Promise<HTMLElement> {
  const why = one.refusal && (await catalogued(one.refusal.message))
  return make(
    'section',
    { class: 'judged' },
    ...above,
    ...signer(one),
    ...(one.checks.length === 0 ? [make('p', {}, why)] : lines(one, why, coversFile)),
  )
}

function signer({ signer: holder }: CheckedSigner): HTMLElement[] {
  if (holder === undefined) return [make('h3', {}, texts.unknownSigner)]
  const { userId, businessId, subjectStructure, subject, issuerStructure, issuer } = holder
  const name = [part(subjectStructure, 'CN'), part(subjectStructure, 'GIVENNAME')].filter(Boolean).join(' ')
  const person = userId === undefined ? '' : `${texts.iin} ${digits(userId)}`
  const organization =
    businessId === undefined ? texts.person : `${part(subjectStructure, 'O')}, ${texts.bin} ${digits(businessId)}`
  return [
    make('h3', {}, own(name || subject)),
    make('p', { class: 'signer' }, own([organization, person].filter(Boolean).join(', '))),
    make('p', { class: 'hint' }, `${texts.issuedBy}: `, own(part(issuerStructure, 'CN') || issuer)),
  ]
}

type Name = NonNullable<CheckedSigner['signer']>['subjectStructure']

const part = (name: Name, type: string): string =>
  name.flat().find((attribute) => attribute.name === type && !attribute.valueInB64)?.value ?? ''

const digits = (id: string): string => id.replace(/^(IIN|BIN)/, '')

type State = keyof typeof texts.states

/** What came of a check: what is missing is not known, whatever else was found; `undefined` for what nobody looked at. */
function stateOf({ checks, missing }: CheckedSigner, name: CheckName): State | undefined {
  if (missing.some((one) => one === name)) return 'unknown'
  return checks.find(({ check }) => check === name)?.outcome
}

function lines(one: CheckedSigner, why: string | undefined, coversFile: boolean | undefined): HTMLElement[] {
  const rows = ORDER.flatMap((name) => {
    const state = stateOf(one, name)
    if (state === undefined) return []
    if (name !== 'document' || state !== 'passed' || coversFile === undefined)
      return [row(state, lineOf(one, name, state, why))]
    return [coversFile ? row('passed', texts.pdfWhole) : row('unknown', texts.pdfPart)]
  })
  const list = make('ul', { class: 'checks' }, ...rows)
  return rows.length === ORDER.length ? [list] : [list, make('p', { class: 'hint' }, texts.notLookedAt)]
}

const row = (state: State, line: string): HTMLElement =>
  make('li', { class: state }, make('strong', {}, texts.states[state]), ` ${line}`)

function lineOf(one: CheckedSigner, name: CheckName, state: State, why: string | undefined): string {
  const text = texts.checks[name][state]
  if (state === 'passed' && name === 'timeStamp') return `${text} ${moment(one.time)}`
  if (state !== 'failed') return text
  return conclusionOf(one) === 'revoked' ? texts.revoked : `${text}. ${why ?? ''}`
}
