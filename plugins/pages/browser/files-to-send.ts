import { Told } from './api.js'
import { chosenRow, withoutEmpty } from './chosen-files.js'
import { byId, dataOf, make, onFiles, own } from './dom.js'
import { mark } from './field-errors.js'
import { hashFiles } from './hash-files.js'
import type { Mailing, SentObject } from './mailing.js'
import { nameKey } from './recipients-file.js'
import { texts } from './texts.js'
import { titleOf } from './titles.js'

/** The files that a person chooses to be sent. */
export class FilesToSend {
  private files: readonly File[] = []
  private readonly limit = dataOf<{ readonly files: number }>('limits').files

  /** Calls back when other files are chosen. */
  constructor(private readonly onChange: () => void) {
    onFiles('files', (more) => {
      const { full, faults } = withoutEmpty(more)
      // Rows of the list tell files apart by name: the last of a name counts, as in a folder.
      const all = [...new Map([...this.files, ...full].map((file) => [nameKey(file.name), file])).values()]
      this.files = all.slice(0, this.limit)
      if (all.length > this.limit) faults.push(texts.tooManyToSend(this.limit))
      if (faults.length > 0) mark(byId('files', HTMLInputElement), ...faults.map((one) => make('p', {}, own(one))))
      this.onChange()
    })
  }

  get names(): string[] {
    return this.files.map(({ name }) => name)
  }

  get objects(): SentObject[] {
    return this.files.map(({ name }) => ({
      kind: 'document',
      id: '',
      title: titleOf(name),
      file: { name, digest: '' },
    }))
  }

  forget(): void {
    this.files = []
  }

  /** Shows the files as what they become, or what became of those that are being sent. */
  show(place: HTMLElement, sent: readonly SentObject[] | undefined): void {
    const rows = sent === undefined ? this.files.map((file) => this.row(file)) : sent.map((one) => this.sentRow(one))
    place.replaceChildren(...rows)
  }

  /** Hashes the files. Answers the mailing with those hashes, and the files by them. */
  async read(mailing: Mailing, progress: HTMLElement) {
    const digests = await hashFiles(this.files, progress)
    const byDigest = new Map(this.files.map((file, index) => [digests[index] ?? '', file]))
    const byName = new Map(this.files.map(({ name }, index) => [name, digests[index] ?? '']))
    const objects = mailing.objects.map((object) => {
      const { file } = object
      return file === undefined || file.digest !== ''
        ? object
        : { ...object, file: { ...file, digest: byName.get(file.name) ?? '' } }
    })
    const missing = objects.filter(({ id, file }) => id === '' && file !== undefined && !byDigest.has(file.digest))
    if (missing.length > 0) throw new Told(texts.filesMissing(missing.map(({ file }) => file?.name ?? '')), 'files')
    return { mailing: { ...mailing, objects }, byDigest }
  }

  private row(file: File): HTMLElement {
    const title = titleOf(file.name)
    const remove = () => {
      this.files = this.files.filter((one) => one !== file)
      this.onChange()
    }
    return chosenRow(file, title, remove, title !== file.name)
  }

  private sentRow({ id, title, file }: SentObject): HTMLElement {
    if (id !== '') {
      const link = make('a', { href: `/d/${id}`, target: '_blank' }, own(title))
      return make('li', {}, link, make('span', { class: 'chip good' }, texts.fileIsRegistered))
    }
    const isAtHand = this.files.some(({ name }) => name === file?.name)
    const look = isAtHand ? 'good' : 'warn'
    const said = make('span', { class: `chip ${look}` }, isAtHand ? texts.isChosen : texts.isNeeded)
    return make('li', {}, own(title), said)
  }
}
