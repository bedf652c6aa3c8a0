import { sayFailure } from './api.js'
import { byId, make, say } from './dom.js'
import { look, type Seen } from './look.js'
import { texts } from './texts.js'

/** Makes the "view" buttons of documents show the file that `find` answers. */
export function offerLooks(find: (id: string) => Promise<Seen>): void {
  const all = byId('looked', HTMLElement)
  addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-look]') : null
    if (button === null) return
    // Each file has its own element, and only the last is visible, whichever loads first.
    const place = make('div')
    all.replaceChildren(place)
    say(place, 'busy', make('p', {}, texts.fetching))
    try {
      await look(place, await find(button.dataset.look ?? ''))
      place.querySelector('h3')?.focus()
    } catch (error) {
      await sayFailure(place, error)
    }
  })
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-look]')) button.disabled = false
}
