import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Application, Converter, PageEvent, ReflectionKind } from 'typedoc'
import { brokenLinks } from './site/check-links.mjs'
import { FRONT } from './site/contents.mjs'
import { compilerOptions, entryPoints } from './site/entry-points.mjs'
import { stageDocuments } from './site/stage.mjs'

/*
 * npm run site [-- --out FOLDER]: the documents, the operations and the public names of packages as pages for any web server,
 * under any path. They load nothing from elsewhere. A link or an anchor that leads nowhere fails it.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { out: { type: 'string' } } })
const out = resolve(values.out ?? join(root, 'dist-site'))
const { version, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const address = (repository?.url ?? repository)?.replace(/^git\+|\.git$/g, '')

const folder = mkdtempSync(join(tmpdir(), 'site-'))
try {
  const { groups, documents } = stageDocuments(root, folder, address)
  const entries = entryPoints(root)
  const tsconfig = join(folder, 'tsconfig.json')
  writeFileSync(
    tsconfig,
    JSON.stringify({
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: compilerOptions(root, entries),
      files: entries.map(([, source]) => source),
    }),
  )
  const app = await Application.bootstrapWithPlugins({
    tsconfig,
    name: `Signed Document Registry ${version}`,
    readme: join(folder, FRONT),
    entryPoints: entries.map(([, source]) => source),
    projectDocuments: documents.map((path) => join(folder, path)),
    plugin: [],
    // Types are checked by the build, with the compiler that it uses.
    skipErrorChecking: true,
    disableSources: true,
    excludeExternals: true,
    excludePrivate: true,
    githubPages: false,
    headings: { readme: false, document: false },
    hideGenerator: true,
    includeHierarchySummary: false,
    searchInDocuments: true,
    searchInComments: true,
    sortEntryPoints: false,
    sort: ['kind', 'alphabetical-ignoring-documents'],
    groupOrder: [
      ...groups.slice(0, groups.indexOf('Examples')),
      'Modules',
      ...groups.slice(groups.indexOf('Examples')),
      '*',
    ],
    navigation: { includeGroups: true, includeCategories: false, includeFolders: true, compactFolders: true },
    highlightLanguages: [
      'bash',
      'html',
      'java',
      'php',
      'sql',
      'sh',
      'json',
      'javascript',
      'typescript',
      'python',
      'go',
      'yaml',
      'nginx',
      'ini',
    ],
    ignoredHighlightLanguages: ['mermaid', 'text'],
    customCss: join(root, 'packaging/site/site.css'),
    validation: { notExported: false, invalidLink: true, invalidPath: true, notDocumented: false },
    treatValidationWarningsAsErrors: true,
    logLevel: 'Error',
  })
  const names = new Map(entries.map(([name, source]) => [source, name]))
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (_, reflection) => {
    if (!reflection.kindOf(ReflectionKind.Module)) return
    const source = reflection.project.getSymbolIdFromReflection(reflection)?.fileName
    reflection.name = names.get(source) ?? reflection.name
  })
  // For readers of screens and keyboards: which part is the content, and tables that scroll.
  app.renderer.on(PageEvent.END, (page) => {
    page.contents = page.contents
      ?.replace('<div class="col-content">', '<div class="col-content" role="main">')
      .replace('<div class="page-menu">', '<div class="page-menu" role="complementary" aria-label="This page">')
      .replaceAll('<table>', '<table tabindex="0">')
  })
  const project = await app.convert()
  if (project === undefined) throw new Error('The sources were not understood')
  app.validate(project)
  await app.generateDocs(project, out)
  const broken = [...(app.logger.hasErrors() ? ['see above'] : []), ...brokenLinks(out)]
  if (broken.length > 0) {
    process.stderr.write(`The site has faults:\n${broken.join('\n')}\n`)
    process.exitCode = 1
  } else process.stdout.write(`The site is in ${out}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
