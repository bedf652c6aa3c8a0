/** The element with this id, which the server has rendered. */
export function byId<T extends Element = HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id)
  if (!(found instanceof type)) throw new Error(`The page has no ${id}`)
  return found
}

type Child = Node | string | undefined

/** An element with text and child elements; text is never parsed as HTML. */
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

/** Text from users, isolated in its writing direction. */
export const own = (text: string): HTMLElement => make('bdi', {}, text)

/** Replaces the content of an element; empties it without content. */
export function say(place: HTMLElement, look: 'good' | 'warn' | 'bad' | 'busy' | 'plain', ...children: Child[]): void {
  place.replaceChildren(make('div', { class: `said ${look}` }, ...children))
}

/** Scrolls an element into view, unless it is visible already. */
export const show = (place: HTMLElement): void =>
  (place.querySelector('.said') ?? place).scrollIntoView({ block: 'nearest' })

/** JSON that the server embedded in the page under an id. */
export function dataOf<T>(id: string): T {
  return JSON.parse(document.getElementById(id)?.textContent ?? 'null')
}

/** Calls back with files that are dropped on an element or chosen in it, also those chosen before this script ran. */
export function onFiles(id: string, take: (files: readonly File[]) => void): void {
  const input = byId(id, HTMLInputElement)
  const zone = input.closest<HTMLElement>('.drop')
  const takeChosen = () => {
    const files = [...(input.files ?? [])]
    input.value = ''
    if (files.length > 0) take(files)
  }
  input.addEventListener('change', takeChosen)
  // After the calling module has been evaluated.
  queueMicrotask(takeChosen)
  // A file dropped elsewhere must not replace the page.
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

/** Lets nobody change parts of a page while work is done on what they say. */
export async function whileInert<T>(parts: Iterable<HTMLElement>, work: () => Promise<T>): Promise<T> {
  const all = [...parts]
  for (const part of all) part.inert = true
  try {
    return await work()
  } finally {
    for (const part of all) part.inert = false
  }
}

/** A progress bar; `to` sets its value, from 0 to 1. */
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

/** Downloads bytes as a file. */
export function save(bytes: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(bytes)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
