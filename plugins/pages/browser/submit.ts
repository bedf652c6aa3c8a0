import { failureText, requestId, sayFailure } from './api.js'
import { make, show } from './dom.js'
import { entryFor, mark, unmarkAll, wrongValue } from './field-errors.js'

/**
 * Runs `work` when a form is submitted, once at a time, and shows failures in `place`; `work` answers where to go next, if
 * anywhere; here is read again. Enables the buttons of the form, which the server rendered disabled.
 */
export function onSubmit(
  form: HTMLFormElement,
  place: HTMLElement,
  work: (submitter: HTMLElement | null) => Promise<string | undefined>,
): void {
  const buttons = form.querySelectorAll<HTMLButtonElement>('button:not([type=button])')
  const beBusy = (isBusy: boolean) => {
    form.setAttribute('aria-busy', String(isBusy))
    for (const button of buttons) button.disabled = isBusy
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const { submitter } = event
    unmarkAll(form)
    try {
      // Before disabling: a disabled button has no value.
      const working = work(submitter)
      beBusy(true)
      const next = await working
      if (next === location.href) return location.reload()
      if (next !== undefined) return location.assign(next)
    } catch (error) {
      beBusy(false)
      if (await sayAtField(form, error)) return place.replaceChildren()
      await sayFailure(place, error)
    }
    beBusy(false)
    show(place)
    // A disabled button has lost the focus.
    if (document.activeElement === document.body) submitter?.focus()
  })
  // Restored from the back/forward cache.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) beBusy(false)
  })
  beBusy(false)
}

/** Says an error at the field that it is about; false where there is none. */
async function sayAtField(form: HTMLFormElement, error: unknown): Promise<boolean> {
  const entry = entryFor(form, error)
  if (entry === undefined) return false
  const value = wrongValue(entry, error)
  mark(entry, make('p', {}, await failureText(error), value && ' ', value), requestId(error))
  return true
}
