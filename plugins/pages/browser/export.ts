import { failureText, sayFailure } from './api.js'
import { byId, make, own, progressBar, save, say } from './dom.js'
import { fetchFile } from './fetched-file.js'
import { texts } from './texts.js'
import { type ZippedFile, zipOf } from './zip.js'

/** A browser may hold all of it in memory. */
const MAX_BYTES = 2 ** 30

const place = byId('export-outcome', HTMLElement)
const button = byId('export-all', HTMLButtonElement)
button.disabled = false
button.addEventListener('click', () => {
  button.disabled = true
  void saveAll()
    .catch((error) => sayFailure(place, error))
    .finally(() => {
      button.disabled = false
    })
})

/** Saves the evidence of all documents as one ZIP, and says which could not be had. */
async function saveAll(): Promise<void> {
  const rows = [...document.querySelectorAll<HTMLAnchorElement>('a[data-evidence]')].map((link) => ({
    address: link.getAttribute('href') ?? '',
    title: link.closest('li')?.querySelector('bdi')?.textContent ?? '',
  }))
  const bar = progressBar(texts.exporting)
  say(place, 'busy', make('p', {}, texts.exporting), bar.element)
  const files: ZippedFile[] = []
  const refused: HTMLElement[] = []
  let size = 0
  for (const [index, { address, title }] of rows.entries()) {
    bar.to(index / rows.length)
    try {
      const content = await (await fetchFile(address, 'application/zip')).blob()
      size += content.size
      if (size > MAX_BYTES) return say(place, 'bad', make('p', {}, texts.exportTooLarge))
      files.push({ name: `${address.split('/')[2]}.zip`, content })
    } catch (error) {
      refused.push(make('li', {}, own(title), ' ', await failureText(error)))
    }
  }
  if (files.length > 0) save(await zipOf(files), 'evidence.zip')
  const saved = make('p', {}, texts.exported(files.length))
  if (refused.length === 0) return say(place, 'good', saved)
  const missing = [make('p', {}, texts.exportedWithout), make('ul', {}, ...refused)]
  say(place, files.length === 0 ? 'bad' : 'warn', ...(files.length === 0 ? [] : [saved]), ...missing)
}
