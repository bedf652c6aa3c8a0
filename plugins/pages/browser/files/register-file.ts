import { client, sayFailure } from '../api.js'
import { make, own, progressBar, say } from '../dom.js'
import type { ShownFile } from './shown-file.js'

/** Whether the registry takes a file as it is: all of it is signed, by itself. */
export const mayBeRegistered = ({ format, outcome, problems, signatures }: ShownFile): boolean =>
  format !== 'xml' && outcome !== 'wrong' && problems.length === 0 && signatures.length > 0

/** A button that sends a signed file to be registered with all of its signatures, and leads to its documents. */
export function registerFile(file: File, { words: texts }: Pick<ShownFile, 'words'>): HTMLElement {
  const button = make('button', { type: 'button', 'aria-describedby': 'register-file' }, texts.register)
  const place = make('div', { class: 'outcome', role: 'status' })
  button.addEventListener('click', async () => {
    button.setAttribute('disabled', '')
    const bar = progressBar(texts.registering)
    say(place, 'busy', make('p', {}, texts.registering), bar.element)
    try {
      const { packageId, documents } = await client.registerFile(
        { query: { title: file.name }, upload: file },
        { onProgress: (sent, total) => bar.to(sent / (total || 1)) },
      )
      const links = documents.map(({ documentId, name }) =>
        make('li', {}, make('a', { href: `/d/${documentId}` }, own(name === '' ? file.name : name))),
      )
      const whole =
        packageId === undefined ? [] : [make('p', {}, make('a', { href: `/p/${packageId}` }, texts.package))]
      say(place, 'good', make('p', {}, texts.registered), ...whole, make('ul', {}, ...links))
    } catch (error) {
      await sayFailure(place, error)
      button.removeAttribute('disabled')
    }
  })
  const hint = make('p', { class: 'hint', id: 'register-file' }, texts.registerHint)
  return make('div', { class: 'screen-only' }, make('p', { class: 'actions' }, button), hint, place)
}
