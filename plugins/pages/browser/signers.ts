import type { DocumentResource, DocumentSettings } from '@signed-registry/client'
import { Told } from './api.js'
import { dataOf } from './dom.js'
import { texts } from './texts.js'

type Requirement = NonNullable<DocumentSettings['signersRequirements']>[number]

const HEAD = '1.2.398.3.3.4.1.2.1'
const BUTTONS = '[data-add], [data-preset], [data-move], [data-remove]'

/** Makes the editor of signers work, where the page has one. */
export function prepareSigners(): void {
  for (const editor of document.querySelectorAll<HTMLElement>('[data-signers]')) prepare(editor)
}

function prepare(editor: HTMLElement): void {
  editor.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>(BUTTONS) : null
    if (button !== null) act(editor, button)
  })
  editor.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.dataset.kind !== undefined) showRole(target)
    refresh(editor)
  })
  refresh(editor)
}

function act(editor: HTMLElement, button: HTMLElement): void {
  const { add, preset, move } = button.dataset
  if (add !== undefined) addRow(editor).querySelector('select')?.focus()
  else if (preset !== undefined) {
    fill(editor, preset)
  } else {
    const row = button.closest<HTMLElement>('.signer-row')
    if (row === null) return
    if (move === undefined) remove(editor, row)
    else moveRow(editor, row, Number(move), button)
  }
  refresh(editor)
}

const rowsOf = (editor: Element): HTMLElement[] => [...editor.querySelectorAll<HTMLElement>('.signer-rows > li')]

function addRow(editor: HTMLElement): HTMLElement {
  const template = editor.querySelector('template')?.content.querySelector('li')
  const row = template?.cloneNode(true)
  if (!(row instanceof HTMLElement)) throw new Error('The page has no row of a signer')
  editor.querySelector('.signer-rows')?.append(row)
  return row
}

/** The head of the visitor's organization and the counterparty, whose number the visitor writes next. */
function fill(editor: HTMLElement, bin: string): void {
  for (const row of rowsOf(editor)) row.remove()
  if (bin !== '') enter(addRow(editor), 'bin', bin, HEAD)
  const counterparty = addRow(editor)
  enter(counterparty, 'bin', '', '')
  const order = editor.querySelector<HTMLInputElement>('[name=inOrder]')
  if (order !== null) order.checked = true
  counterparty.querySelector('input')?.focus()
}

function enter(row: HTMLElement, kind: string, number: string, role: string): void {
  const [kinds, numbers, roles] = fieldsOf(row)
  if (kinds !== null) kinds.value = kind
  if (numbers !== null) numbers.value = number
  if (roles !== null) roles.value = role
  if (kinds !== null) showRole(kinds)
}

/** Fills the editor of the page with signers that the fields can say, in their order. */
export function showSigners(requirements: readonly Requirement[], inOrder: boolean): void {
  const editor = document.querySelector<HTMLElement>('[data-signers]')
  if (editor === null) return
  for (const row of rowsOf(editor)) row.remove()
  for (const { iin, bin, authorities = [] } of requirements) {
    const kind = iin === undefined ? 'bin' : 'iin'
    enter(addRow(editor), kind, (bin ?? iin ?? '').slice(3), authorities[0] ?? '')
  }
  const order = editor.querySelector<HTMLInputElement>('[name=inOrder]')
  if (order !== null) order.checked = inOrder
  refresh(editor)
}

const fieldsOf = (row: HTMLElement) =>
  [
    row.querySelector<HTMLSelectElement>('[data-kind]'),
    row.querySelector<HTMLInputElement>('[data-number]'),
    row.querySelector<HTMLSelectElement>('[data-role]'),
  ] as const

const showRole = (kind: HTMLSelectElement): void => {
  const role = kind.closest('li')?.querySelector<HTMLElement>('[data-role-of]')
  if (role instanceof HTMLElement) role.hidden = kind.value !== 'bin'
}

function remove(editor: HTMLElement, row: HTMLElement): void {
  const rows = rowsOf(editor)
  const at = rows.indexOf(row)
  row.remove()
  const next = rows[at + 1] ?? rows[at - 1]
  const place = next?.querySelector<HTMLElement>('[data-remove]') ?? editor.querySelector<HTMLElement>('[data-add]')
  place?.focus()
  tell(editor, texts.signerRemoved(rows.length - 1))
}

function moveRow(editor: HTMLElement, row: HTMLElement, by: number, button: HTMLElement): void {
  const rows = rowsOf(editor)
  const to = rows.indexOf(row) + by
  const other = rows[to]
  if (other === undefined) return
  if (by < 0) other.before(row)
  else other.after(row)
  button.focus()
  tell(editor, texts.signerMoved(to + 1, rows.length))
}

function tell(editor: HTMLElement, text: string): void {
  const status = editor.querySelector('[role=status]')
  if (status !== null) status.textContent = text
}

/** The place of a row among all signers, after those who have signed where there is an order. */
const numberOf = (editor: HTMLElement, at: number): number =>
  at + 1 + (isInOrder(editor) ? editor.querySelectorAll('.done li').length : 0)

const isInOrder = (editor: HTMLElement): boolean =>
  editor.querySelector<HTMLInputElement>('[name=inOrder]')?.checked === true

/** Numbers the rows, and enables what can be pressed; a move that is not possible stays focusable. */
function refresh(editor: HTMLElement): void {
  const rows = rowsOf(editor)
  for (const [at, row] of rows.entries()) {
    const legend = row.querySelector('legend')
    if (legend !== null) legend.textContent = texts.signer(numberOf(editor, at))
    for (const button of row.querySelectorAll<HTMLElement>('[data-move]')) {
      button.setAttribute('aria-disabled', String(rows[at + Number(button.dataset.move)] === undefined))
    }
  }
  for (const button of editor.querySelectorAll<HTMLButtonElement>(BUTTONS)) button.disabled = false
}

/** Who has to sign by the editor of the page, after those who have; `undefined` where there is none. */
export function signersIn(
  done = dataOf<{ readonly done: readonly Requirement[] } | null>('signers')?.done ?? [],
): Pick<DocumentSettings, 'signersRequirements' | 'sequentialSignersRequirements'> | undefined {
  const editor = document.querySelector<HTMLElement>('[data-signers]')
  if (editor === null) return undefined
  const rows = rowsOf(editor).map((row, at) => requirementOf(row, numberOf(editor, at)))
  const inOrder = rows.length > 0 && isInOrder(editor)
  return { signersRequirements: inOrder ? [...done, ...rows] : rows, sequentialSignersRequirements: inOrder }
}

/** Those who have signed a document, as the first of an order: as it says, or as they are. */
export function doneOf({ settings, signatures }: Pick<DocumentResource, 'settings' | 'signatures'>): Requirement[] {
  const { sequentialSignersRequirements = false, signersRequirements: said = [] } = settings
  if (sequentialSignersRequirements && said.length >= signatures.length) return said.slice(0, signatures.length)
  return signatures.map(({ userId, businessId }) => ({
    iin: userId,
    ...(businessId !== undefined && { bin: businessId }),
  }))
}

function requirementOf(row: HTMLElement, at: number): Requirement {
  const { asIs } = row.dataset
  if (asIs !== undefined) return JSON.parse(asIs)
  const [kind, number, role] = fieldsOf(row)
  const digits = number?.value.replace(/\D/g, '') ?? ''
  const authorities = kind?.value === 'bin' && role !== null && role.value !== '' ? [role.value] : undefined
  // A role alone is a requirement: a head of any organization.
  if (digits.length === 12 || (digits === '' && authorities !== undefined)) {
    return {
      ...(digits !== '' && (kind?.value === 'bin' ? { bin: `BIN${digits}` } : { iin: `IIN${digits}` })),
      ...(authorities !== undefined && { authorities }),
    }
  }
  throw new Told(texts.badSigner(at), number ?? undefined)
}
