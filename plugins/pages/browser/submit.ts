import { sayFailure } from './api.js'
import { show } from './dom.js'

/**
 * Runs `work` when a form is submitted, once at a time, and shows failures in `place`; `work` answers where to go next. Enables
 * the buttons of the form, which the server rendered disabled.
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
    try {
      // Before disabling: a disabled button has no value.
      const working = work(submitter)
      beBusy(true)
      const next = await working
      if (next !== undefined) return location.assign(next)
    } catch (error) {
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
