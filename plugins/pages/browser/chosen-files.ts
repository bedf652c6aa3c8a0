import { make, own } from './dom.js'
import { texts } from './texts.js'

/** Sorts out empty files: a folder, or a cloud file that is not downloaded yet; answers what to say of them. */
export function withoutEmpty(files: readonly File[]): { readonly full: File[]; readonly faults: string[] } {
  const [empty, full] = [files.filter(({ size }) => size === 0), files.filter(({ size }) => size > 0)]
  return { full, faults: empty.map(({ name }) => texts.emptyFile(name)) }
}

/** A chosen file with what is said of it, and a button that removes it. */
export function chosenRow(file: File, title: string, remove: () => void, isSaid: boolean): HTMLElement {
  const button = make('button', { type: 'button', class: 'small' }, texts.remove)
  button.addEventListener('click', remove)
  const said = isSaid ? make('small', {}, texts.titleWill(title)) : undefined
  return make('li', { 'data-title': title }, own(file.name), said, button)
}
