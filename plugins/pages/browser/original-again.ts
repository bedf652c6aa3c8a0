import { client, sayFailure } from './api.js'
import { make, progressBar, say } from './dom.js'
import { sayProof } from './proof-said.js'
import { texts } from './texts.js'

/**
 * A button that sends the original of a document once more, and says since when and until when its signatures are proved;
 * with the OID of a hash, the registry adds this one, which is trusted for longer.
 */
export function originalAgain(id: string, digest: string | undefined, original: File): HTMLElement {
  const label = digest === undefined ? texts.verifyAgain : texts.giveAgain
  const button = make('button', { type: 'button', 'aria-describedby': 'given-again' }, label)
  const place = make('div', { class: 'outcome', role: 'status' })
  button.addEventListener('click', async () => {
    button.setAttribute('disabled', '')
    const bar = progressBar(texts.finishing)
    say(place, 'busy', make('p', {}, texts.finishing), bar.element)
    try {
      const verified = await client.verifyDocument(
        { id, query: digest === undefined ? {} : { digest }, upload: original },
        { onProgress: (sent, total) => bar.to(sent / (total || 1)) },
      )
      sayProof(place, verified, digest === undefined ? undefined : texts.givenAgain)
    } catch (error) {
      await sayFailure(place, error)
      button.removeAttribute('disabled')
    }
  })
  const hint = make('p', { class: 'hint', id: 'given-again' }, texts.giveAgainHint)
  return make('div', { class: 'screen-only' }, make('p', { class: 'actions' }, button), hint, place)
}
