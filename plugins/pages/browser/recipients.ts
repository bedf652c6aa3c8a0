import { client } from './api.js'
import { make } from './dom.js'

const PREFIXED = /^\s*(IIN|BIN)\s*(\d{12})\s*$/i

/** Offers those to whom the visitor has sent before where a number is asked for, once one is about to be written. */
export function offerRecipients(): void {
  addEventListener('focusin', ({ target }) => {
    if (isNumber(target) && document.getElementById('recipients') === null) void list()
  })
  addEventListener('input', ({ target }) => {
    if (isNumber(target)) splitNumber(target)
  })
}

const isNumber = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.getAttribute('list') === 'recipients'

async function list(): Promise<void> {
  const offered = make('datalist', { id: 'recipients' })
  document.body.append(offered)
  // Who may not read them writes the number.
  const { recipients } = await client.listRecipients().catch(() => ({ recipients: [] }))
  offered.append(...recipients.map(({ to, name = '' }) => make('option', { value: to }, name)))
}

/** A number with its kind before it, as it is offered: the kind is chosen beside it. */
function splitNumber(input: HTMLInputElement): void {
  const [, kind = '', digits] = PREFIXED.exec(input.value) ?? []
  const kinds = input.closest('.row, li')?.querySelector('select')
  const found = [...(kinds?.options ?? [])].find(({ value }) => value.toUpperCase() === kind.toUpperCase())
  if (digits === undefined || found === undefined) return
  input.value = digits
  found.selected = true
  kinds?.dispatchEvent(new Event('change', { bubbles: true }))
}
