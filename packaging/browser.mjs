import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { checkOffline } from './check-offline.mjs'
import { verifierInBrowsers } from './verifier-in-browsers.mjs'
import { writeFile } from './write-aside.mjs'

/*
 * Bundles the browser modules into plugins/pages/dist/assets: one for each that a page names, and chunks that are shared or
 * loaded on demand, named by the hash of their content. The verifier is a bundle of its own, with what it needs of Node, and
 * the page that checks without a network one file.
 */
const pages = fileURLToPath(new URL('../plugins/pages/', import.meta.url))
const assets = join(pages, 'dist/assets')
const loaded = [
  'every-page',
  'session',
  'front',
  'login',
  'forms',
  'new',
  'sign',
  'check',
  'document',
  'export',
  'item',
  'send-many',
  'templates',
  'proof',
  'hash-worker',
]
const modules = {
  absWorkingDir: pages,
  bundle: true,
  format: 'esm',
  target: 'es2023',
  charset: 'utf8',
  minify: true,
  write: false,
  logLevel: 'warning',
}

const { outputFiles } = await build({
  ...modules,
  entryPoints: loaded.map((name) => `browser/${name}.ts`),
  outdir: assets,
  chunkNames: '[name]-[hash]',
  splitting: true,
})
const worker = await build({
  ...modules,
  ...verifierInBrowsers,
  entryPoints: ['browser/evidence-worker.ts'],
  outdir: assets,
  format: 'iife',
})
const offline = await build({
  ...modules,
  entryPoints: ['browser/check-offline.ts', 'style/pages.css', 'style/dark.css'],
  outdir: assets,
})
const files = [...outputFiles, ...worker.outputFiles, ...checkOffline(assets, worker.outputFiles, offline.outputFiles)]
const made = new Set(files.map(({ path }) => path))
for (const { path, contents } of files) writeFile(path, contents)
for (const name of readdirSync(assets)) if (!made.has(join(assets, name))) rmSync(join(assets, name), { force: true })
