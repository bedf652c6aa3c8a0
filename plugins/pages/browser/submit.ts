import { sayFailure } from './api.js'
import { show } from './dom.js'

/**
 * Does what a form is for when it is submitted, once at a time, and tells in `place` how it failed. What `work` answers is where to go next.
 * The buttons of the form, which the server wrote disabled, work from now on.
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
      // First: a disabled button gives no value.
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
  // Back from where it led to.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) beBusy(false)
  })
  beBusy(false)
}
