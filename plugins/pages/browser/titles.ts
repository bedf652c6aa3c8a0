import { nearestTitle } from '@signed-registry/core/titles'
import { make } from './dom.js'
import { texts } from './texts.js'

/** The nearest title to what a person wrote, or to the name of a file. */
export const titleOf = nearestTitle

/** Says at once as what a title will be registered, and writes it into the field when the person leaves it. */
export function prepareTitle(field: HTMLInputElement): void {
  const said = make('p', { class: 'hint', role: 'status' })
  field.after(said)
  const tell = () => {
    const title = titleOf(field.value.trim())
    said.textContent = title === field.value.trim() ? '' : texts.titleWill(title)
  }
  field.addEventListener('input', tell)
  field.addEventListener('change', () => {
    tell()
    field.value = titleOf(field.value.trim())
  })
  field.form?.addEventListener('reset', () => said.replaceChildren())
}
