import { sayFailure } from './api.js'
import { byId, onFiles } from './dom.js'

// What is dropped here is checked by /check, which takes the place of this page: a file would be lost on the way to another one.
onFiles('file', (files) => void check(files))

async function check(files: readonly File[]): Promise<void> {
  try {
    const answer = await fetch('/check')
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    history.pushState(null, '', '/check')
    addEventListener('popstate', () => location.reload())
    document.title = page.title
    for (const part of ['main', 'nav.main']) {
      const found = page.querySelector(part)
      if (found !== null) document.querySelector(part)?.replaceWith(document.adoptNode(found))
    }
    const given = new DataTransfer()
    for (const file of files) given.items.add(file)
    byId('file', HTMLInputElement).files = given.files
    byId('content', HTMLElement).focus()
    for (const { src } of page.scripts) if (src !== '' && isNew(src)) await import(src)
  } catch (error) {
    await sayFailure(byId('progress', HTMLElement), error)
  }
}

const isNew = (src: string): boolean => [...document.scripts].every((script) => script.src !== src)
