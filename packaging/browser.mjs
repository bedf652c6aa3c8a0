import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { writeFile } from './write-aside.mjs'

/*
 * Bundles the browser modules into plugins/pages/dist/assets: one for each that a page names, and chunks that are shared or
 * loaded on demand, named by the hash of their content.
 */
const pages = fileURLToPath(new URL('../plugins/pages/', import.meta.url))
const assets = join(pages, 'dist/assets')
const loaded = ['every-page', 'session', 'login', 'forms', 'new', 'sign', 'check', 'document', 'proof', 'hash-worker']

const { outputFiles } = await build({
  absWorkingDir: pages,
  entryPoints: loaded.map((name) => `browser/${name}.ts`),
  outdir: assets,
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2023',
  charset: 'utf8',
  minify: true,
  write: false,
  logLevel: 'warning',
})
const made = new Set(outputFiles.map(({ path }) => path))
for (const { path, contents } of outputFiles) writeFile(path, contents)
for (const name of readdirSync(assets)) if (!made.has(join(assets, name))) rmSync(join(assets, name), { force: true })
