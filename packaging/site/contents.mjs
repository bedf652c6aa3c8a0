import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The front page. */
export const FRONT = 'README.md'

/** Every document of the repository by its group, in the order in which a stranger comes to need them. */
const GROUPS = {
  Start: ['docs/pages.md', 'docs/signed-files.md', 'docs/cards.md', 'docs/mobile-signing.md'],
  Embed: ['docs/embedding.md', 'docs/verifier.md'],
  Plugins: ['docs/writing-a-plugin.md'],
  'Run a host': [
    ...['docs/installation.md', 'docs/deployment.md', 'docs/configuration.md', 'docs/authentication.md'],
    ...['docs/originals.md', 'docs/notifications.md', 'docs/vehicle-registration.md'],
  ],
  Operate: [
    ...['docs/operations.md', 'docs/administration.md', 'docs/runbook.md', 'docs/performance.md', 'docs/releases.md'],
    ...['CHANGELOG.md', 'SECURITY.md'],
  ],
  Evidence: ['docs/evidence.md', 'docs/log.md', 'docs/long-term.md'],
  Reference: ['operations/README.md', 'docs/access.md', 'docs/specification-gaps.md', 'docs/deviations.md'],
  Examples: [],
  Packages: [],
  Decisions: [
    'docs/architecture.md',
    'docs/naming.md',
    'docs/testing.md',
    'CONTRIBUTING.md',
    'docs/decisions/README.md',
  ],
}

/** Groups with all of their documents, by their paths from the root of the repository. */
export function contents(root) {
  const all = {
    ...GROUPS,
    Examples: examples(root).map((name) => `docs/examples/${name}.md`),
    Packages: packageFolders(root).map((folder) => `${folder}/README.md`),
  }
  const placed = new Set(Object.values(all).flat())
  const lost = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && !placed.has(`docs/${name}`))
  if (lost.length > 0)
    throw new Error(`Say in packaging/site/contents.mjs where the site has docs/${lost.join(', docs/')}`)
  return all
}

/** Documents that are found under another one in the navigation. */
export function childrenOf(root, document) {
  if (document !== 'docs/decisions/README.md') return []
  return readdirSync(join(root, 'docs/decisions'))
    .filter((name) => /^\d{4}-.*\.md$/.test(name))
    .sort()
    .map((name) => `docs/decisions/${name}`)
}

/** Folders of docs/examples, each of which gets a page. */
export function examples(root) {
  return foldersIn(root, 'docs/examples').sort()
}

function packageFolders(root) {
  const plugins = foldersIn(root, 'plugins').map((name) => `plugins/${name}`)
  return ['core/registry', 'core/client', 'core/verifier', 'host', 'create-plugin', ...plugins.sort()].filter(
    (folder) => existsSync(join(root, folder, 'README.md')),
  )
}

function foldersIn(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}
