import { client, sayFailure } from './api.js'
import { make, progressBar, say } from './dom.js'
import { texts } from './texts.js'

/** A button that sends the original of a document once more, so that the registry adds a hash that is trusted for longer. */
export function originalAgain(id: string, digest: string, original: File): HTMLElement {
  const button = make('button', { type: 'button', 'aria-describedby': 'given-again' }, texts.giveAgain)
  const place = make('div', { class: 'outcome', role: 'status' })
  button.addEventListener('click', async () => {
    button.setAttribute('disabled', '')
    const bar = progressBar(texts.finishing)
    say(place, 'busy', make('p', {}, texts.finishing), bar.element)
    try {
      await client.verifyDocument(
        { id, query: { digest }, upload: original },
        { onProgress: (sent, total) => bar.to(sent / (total || 1)) },
      )
      say(place, 'good', make('p', {}, texts.givenAgain))
    } catch (error) {
      await sayFailure(place, error)
      button.removeAttribute('disabled')
    }
  })
  const hint = make('p', { class: 'hint', id: 'given-again' }, texts.giveAgainHint)
  return make('div', { class: 'screen-only' }, make('p', { class: 'actions' }, button), hint, place)
}
