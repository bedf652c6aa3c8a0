import { client } from './api.js'
import { make } from './dom.js'
import { partyIn } from './party-number.js'

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

/** Chooses the kind that stands beside a complete number, with or without its prefix. */
function splitNumber(input: HTMLInputElement): void {
  const party = partyIn(input.value.trim())
  const kinds = input.closest('.row, li')?.querySelector('select')
  const found = [...(kinds?.options ?? [])].find(({ value }) => value.toUpperCase() === party?.slice(0, 3))
  if (party === undefined || found === undefined) return
  input.value = party.slice(3)
  found.selected = true
  kinds?.dispatchEvent(new Event('change', { bubbles: true }))
}
