import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const TAG = /<(a|link|script|img|source|iframe)\b([^>]*)>/g
const ADDRESS = /\b(href|src)="([^"]*)"/
const ANCHOR = /\s(?:id|name)="([^"]*)"/g

/** What is wrong with the pages of a built site: links that lead nowhere, and whatever is loaded from elsewhere. */
export function brokenLinks(folder) {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
  const anchors = new Map(
    pages.map((page) => [resolve(folder, page), anchorsOf(readFileSync(join(folder, page), 'utf8'))]),
  )
  const broken = []
  for (const page of pages) {
    const at = resolve(folder, page)
    for (const [, tag, attributes] of readFileSync(at, 'utf8').matchAll(TAG)) {
      const [, , address] = ADDRESS.exec(attributes) ?? []
      const fault = address === undefined ? undefined : faultOf(tag, unescaped(address), at)
      if (fault !== undefined) broken.push(`${relative(folder, at)}: ${address} ${fault}`)
    }
  }
  return [...new Set(broken)].sort()

  function faultOf(tag, address, at) {
    if (/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(address))
      return tag === 'a' || address.startsWith('data:') ? undefined : 'is loaded from elsewhere'
    if (address.startsWith('/')) return 'leads out of the folder of the site'
    const [path = '', anchor] = address.split('#')
    const named = path === '' ? at : resolve(dirname(at), decodeURIComponent(path))
    const to = path.endsWith('/') ? join(named, 'index.html') : named
    if (!existsSync(to) || !statSync(to).isFile()) return 'does not exist'
    if (anchor === undefined || anchor === '' || anchors.get(to) === undefined) return undefined
    return anchors.get(to).has(decodeURIComponent(anchor)) ? undefined : 'has no such anchor'
  }
}

function anchorsOf(html) {
  return new Set([...html.matchAll(ANCHOR)].map(([, id]) => unescaped(id)))
}

function unescaped(text) {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
