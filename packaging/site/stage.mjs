import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, posix } from 'node:path'
import { childrenOf, contents, examples, FRONT } from './contents.mjs'
import { rewriteLinks } from './links.mjs'
import { operationPages } from './operations.mjs'

const LANGUAGES = { '.ts': 'ts', '.js': 'js', '.py': 'python', '.sh': 'sh', '.go': 'go' }

/**
 * Writes the documents into `folder` as the generator reads them, with their group and title ahead of them, and gives their
 * paths in order. The documents of the repository stay as GitHub shows them.
 */
export function stageDocuments(root, folder, repository) {
  const groups = contents(root)
  const pages = new Map([...operationPages(root), ...examplePages(root)])
  const children = Object.values(groups)
    .flat()
    .flatMap((document) => childrenOf(root, document))
  const documents = new Set([FRONT, ...Object.values(groups).flat(), ...children, ...pages.keys()])
  const groupOf = new Map(Object.entries(groups).flatMap(([group, paths]) => paths.map((path) => [path, group])))
  const put = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const keep = (path) => cpSync(join(root, path), join(folder, path))

  for (const path of documents) {
    const page = pages.get(path) ?? { text: readFileSync(join(root, path), 'utf8'), children: childrenOf(root, path) }
    const text = rewriteLinks(page.text, { root, from: path, documents, repository, keep })
    put(path, path === FRONT ? text : `${frontMatter(path, page, groupOf.get(path))}${text}`)
  }
  return { groups: Object.keys(groups), documents: Object.values(groups).flat() }
}

function frontMatter(path, { text, title, children = [] }, group) {
  const [, heading = path] = /^# (.+)$/m.exec(text) ?? []
  const lines = [`title: ${JSON.stringify(title ?? heading.replaceAll('`', ''))}`]
  if (group !== undefined) lines.push(`group: ${JSON.stringify(group)}`)
  if (children.length > 0)
    lines.push('children:', ...children.map((child) => `  - ${JSON.stringify(posix.relative(dirname(path), child))}`))
  return `---\n${lines.join('\n')}\n---\n\n`
}

/** A page for each example, with its files. */
function examplePages(root) {
  return examples(root).map((name) => {
    const folder = `docs/examples/${name}`
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => extname(file) in LANGUAGES)
      .sort((a, b) => Number(a.includes('.test.')) - Number(b.includes('.test.')) || (a < b ? -1 : 1))
      .map((file) => {
        const source = readFileSync(join(root, folder, file), 'utf8').trimEnd()
        return `## ${file}\n\n\`\`\`${LANGUAGES[extname(file)]}\n${source}\n\`\`\`\n`
      })
    const title = name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase())
    const about = `The program in \`${folder}\`, which the tests of this version ran.`
    return [`${folder}.md`, { text: `# ${title}\n\n${about}\n\n${files.join('\n')}` }]
  })
}
