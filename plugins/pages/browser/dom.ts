/** The element of a page with this identifier; the server wrote it, so that it is there. */
export function byId<T extends Element = HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id)
  if (!(found instanceof type)) throw new Error(`The page has no ${id}`)
  return found
}

type Child = Node | string | undefined

/** An element with text and elements in it: nothing of it is ever read as HTML. */
export function make(
  tag: string,
  attributes: Readonly<Record<string, string>> = {},
  ...children: Child[]
): HTMLElement {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children.filter((child) => child !== undefined))
  return element
}

/** A text of users, whose direction is its own. */
export const own = (text: string): HTMLElement => make('bdi', {}, text)

/** Puts what is said in a place of the page; empties it where nothing is. */
export function say(place: HTMLElement, look: 'good' | 'warn' | 'bad' | 'busy' | 'plain', ...children: Child[]): void {
  place.replaceChildren(make('div', { class: `said ${look}` }, ...children))
}

/** Brings what was said to where it is seen; where it is seen already, nothing moves. */
export const show = (place: HTMLElement): void =>
  (place.querySelector('.said') ?? place).scrollIntoView({ block: 'nearest' })

/** What the server wrote for this page under an identifier. */
export function dataOf<T>(id: string): T {
  return JSON.parse(document.getElementById(id)?.textContent ?? 'null')
}

/** Calls back with what is dropped on a place or chosen there; at once with what was chosen before this script ran. */
export function onFiles(id: string, take: (files: readonly File[]) => void): void {
  const input = byId(id, HTMLInputElement)
  const zone = input.closest<HTMLElement>('.drop')
  const takeChosen = () => {
    const files = [...(input.files ?? [])]
    input.value = ''
    if (files.length > 0) take(files)
  }
  input.addEventListener('change', takeChosen)
  // When the module that calls this has run to its end.
  queueMicrotask(takeChosen)
  // A file that misses the place is not opened instead of the page.
  for (const type of ['dragover', 'drop']) addEventListener(type, (event) => event.preventDefault())
  zone?.addEventListener('dragover', () => {
    zone.classList.add('over')
  })
  zone?.addEventListener('dragleave', () => zone.classList.remove('over'))
  zone?.addEventListener('drop', (event) => {
    event.preventDefault()
    zone.classList.remove('over')
    if (input.disabled) return
    const files = [...(event.dataTransfer?.files ?? [])]
    if (files.length > 0) take(input.multiple ? files : files.slice(0, 1))
  })
}

/** A bar for work of a known length; `to` says how much of it is done, from 0 to 1. */
export function progressBar(label: string): { element: HTMLElement; to(done: number): void } {
  const bar = document.createElement('progress')
  bar.max = 1
  bar.value = 0
  bar.setAttribute('aria-label', label)
  return {
    element: bar,
    to(done) {
      bar.value = done
    },
  }
}

/** Hands bytes to the person as a file. */
export function save(bytes: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(bytes)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
