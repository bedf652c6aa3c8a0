import { sayFailure } from './api.js'
import { make, say } from './dom.js'
import { saveEvidenceWith } from './evidence.js'
import { texts } from './texts.js'

/** A button that sends the original of a document, and saves the evidence bundle with it. */
export function evidenceWithOriginal(id: string, original: File): HTMLElement {
  const button = make('button', { type: 'button', 'aria-describedby': 'evidence-sends' }, texts.evidenceWith)
  const place = make('div', { class: 'outcome', role: 'status' })
  button.addEventListener('click', async () => {
    button.setAttribute('disabled', '')
    say(place, 'busy', make('p', {}, texts.bundling))
    try {
      await saveEvidenceWith(original, id)
      place.replaceChildren()
    } catch (error) {
      await sayFailure(place, error)
    }
    button.removeAttribute('disabled')
    // A disabled button has lost the focus.
    if (document.activeElement === document.body) button.focus()
  })
  const hint = make('p', { class: 'hint', id: 'evidence-sends' }, texts.evidenceSends)
  return make('div', { class: 'screen-only' }, make('p', { class: 'actions' }, button), hint, place)
}
