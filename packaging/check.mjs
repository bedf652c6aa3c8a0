import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packInto } from './packed.mjs'

// npm run check:packages: packs every package as it would be published, and checks the result.
// Generated files other than modules.
const MADE = {
  '@signed-registry/pages': ['dist/assets/every-page.js'],
  '@signed-registry/host': ['openapi-examples.json'],
  'create-signed-registry-plugin': ['bin/create-plugin.js', 'templates/common/gitignore'],
}
const COMMON = ['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts', 'src/index.ts']
const folder = mkdtempSync(join(tmpdir(), 'packages-'))
const run = (program, ...args) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
let failed = false
const problem = (name, text) => {
  failed = true
  console.error(`${name}: ${text}`)
}
try {
  for (const { name, file, files, size } of packInto(folder)) {
    const paths = files.map(({ path }) => path)
    for (const needed of [...COMMON, ...(MADE[name] ?? [])]) {
      if (!paths.includes(needed)) problem(name, `has no ${needed}`)
    }
    for (const path of paths.filter((path) => !path.startsWith('templates/')))
      if (/tsbuildinfo|\.test\.|(^|\/)\.(?!npmignore)/.test(path)) problem(name, `has ${path}`)
    for (const [program, ...args] of [
      ['publint', 'run', file, '--strict'],
      ['attw', file, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji'],
    ]) {
      try {
        run(`packaging/node_modules/.bin/${program}`, ...args)
      } catch (error) {
        problem(name, `${program}: ${error.stdout}`)
      }
    }
    console.log(`${name}: ${paths.length} files, ${Math.round(size / 1024)} KiB`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0
