import { existsSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Inline code, which is left alone, or a link or picture in Markdown. */
const LINK = /`[^`\n]+`|(?<picture>!?)\[(?<text>(?:[^\][]|\[[^\]]*\])*)\]\((?<to>[^)\s]+)\)/g
const FENCED = /(^[ \t]*```[\s\S]*?^[ \t]*```[ \t]*$)/m

/**
 * The text of the document `from` for the site: links to other documents stay; those to files of the repository lead to
 * `repository`, or are plain code where it is not known. `keep` is told of pictures and data that the text shows.
 */
export function rewriteLinks(text, { root, from, documents, repository, keep }) {
  const rewrite = (match, ...rest) => {
    const { picture, text: words, to } = rest.at(-1)
    if (to === undefined || /^(?:[a-z]+:|#)/.test(to)) return match
    const [path = '', anchor] = to.split('#')
    const at = posix.normalize(posix.join(posix.dirname(from), path)).replace(/\/$/, '')
    const page = pageOf(at, documents)
    if (page !== undefined) {
      const way = posix.relative(posix.dirname(from), page)
      return `${picture}[${words}](${way}${anchor === undefined ? '' : `#${anchor}`})`
    }
    if (at.startsWith('..') || !existsSync(join(root, at)))
      throw new Error(`${from} links to ${to}, which does not exist`)
    if (picture !== '' || /^docs\/[^/]+\.json$/.test(at)) {
      keep(at)
      return match
    }
    if (repository !== undefined)
      return `[${words}](${repository}/blob/HEAD/${at}${anchor === undefined ? '' : `#${anchor}`})`
    const name = statSync(join(root, at)).isDirectory() ? `${at}/` : at
    return words.includes('`') ? words : `${words} (\`${name}\`)`
  }
  return text
    .split(FENCED)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(LINK, rewrite)))
    .join('')
}

/** The document at `at`: itself, that of its folder, or the page of the example that it belongs to. */
function pageOf(at, documents) {
  const [, example] = /^docs\/examples\/([^/]+)/.exec(at) ?? []
  return [at, `${at}/README.md`, `docs/examples/${example}.md`].find((path) => documents.has(path))
}
