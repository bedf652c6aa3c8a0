import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// npm run check:embedders: installs the packages as an application would, with each package manager and with the newest and the
// oldest supported peer dependencies, then compiles and runs the examples of docs/embedding.md there. Needs a package registry.
// npm run check:embedders -- pnpm: only with these package managers.
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'embedders-'))
const run = (cwd, program, ...args) =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

const NEWEST = { fastify: '^5.10.0', knex: '^3.1.0', mysql2: '^3.6.0' }
const OLDEST = { fastify: '5.10.0', knex: '3.1.0', mysql2: '3.6.0' }
// docs/embedding.md: on Node 20 yarn and strict pnpm need it.
const FOR_NODE_20 = { 'light-my-request': '~6.6.0' }
const KINDS = {
  npm: { brings: NEWEST, install: ['npm', 'install', '--engine-strict', '--no-audit', '--no-fund'] },
  'npm-oldest': { brings: OLDEST, install: ['npm', 'install', '--engine-strict', '--no-audit', '--no-fund'] },
  pnpm: { brings: NEWEST, install: ['npx', '--yes', 'pnpm@10', 'install', '--config.engine-strict=true'] },
  yarn: { brings: NEWEST, install: ['npx', '--yes', 'yarn@1', 'install', '--silent'] },
}
const asked = process.argv.slice(2)
const unknown = asked.filter((kind) => !(kind in KINDS))
if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}; there are ${Object.keys(KINDS).join(', ')}`)
const chosen = Object.entries(KINDS).filter(([kind]) => asked.length === 0 || asked.includes(kind))

try {
  const packed = JSON.parse(
    run(root, 'npm', 'pack', '--workspaces', '--json', '--silent', '--pack-destination', folder),
  )
  const list = Array.isArray(packed) ? packed : Object.values(packed)
  for (const [kind, { brings, install }] of chosen) {
    const application = join(folder, kind)
    // yarn installs a file twice that is referred to by a relative and by an absolute path.
    const at = kind === 'yarn' ? '..' : folder
    const ours = Object.fromEntries(list.map(({ name, filename }) => [name, `file:${at}/${filename}`]))
    write(application, ours, brings)
    const [program, ...args] = install
    run(application, program, ...args)
    run(application, 'node_modules/.bin/tsc', '-p', '.')
    if (!run(application, 'node', 'program.js').includes('the original is what was signed'))
      throw new Error(`${kind}: program.js`)
    for (const file of ['fastify.js', 'express.js']) await answers(application, file)
    console.log(
      `${kind}: compiles and runs with Fastify ${versionOf(application, 'fastify')}, Knex ${versionOf(application, 'knex')}`,
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function write(application, ours, brings) {
  mkdirSync(application)
  const overrides = { ...ours, ...FOR_NODE_20 }
  const manifest = {
    private: true,
    type: 'module',
    dependencies: { ...ours, ...brings, express: '^5.0.0', typebox: '^1.4.3' },
    devDependencies: { typescript: '^5.9.0', '@types/node': '^20.19.0' },
    // Resolves unpublished packages to files.
    resolutions: overrides,
    pnpm: { overrides },
  }
  const options = {
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    types: ['node'],
    exactOptionalPropertyTypes: true,
  }
  writeFileSync(join(application, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(application, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['fastify.ts'] }))
  const [, program] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/embedding.md'), 'utf8'))
  writeFileSync(join(application, 'program.js'), program)
  cpSync(join(root, 'docs/examples/embed-in-fastify/main.ts'), join(application, 'fastify.ts'))
  cpSync(join(root, 'docs/examples/embed-in-express/main.js'), join(application, 'express.js'))
}

/** Starts a program of the examples and requests its version. */
async function answers(application, file) {
  const env = {
    ...process.env,
    PORT: '0',
    DATABASE_URL: `sqlite:${application}/${file}.sqlite`,
    AUTHORITIES: `${application}/authorities`,
    SESSION_SECRET: randomBytes(32).toString('base64'),
  }
  const child = spawn(process.execPath, [file], { cwd: application, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    let said = ''
    for await (const chunk of child.stdout) {
      said += chunk
      if (said.includes('Stop with')) break
    }
    const [, url = ''] = /at (http:\S+?)\. Stop/.exec(said) ?? []
    const { version } = await (await fetch(`${url.replace('[::1]', 'localhost')}/api/version`)).json()
    if (!version) throw new Error(`${file} has no version`)
  } finally {
    child.kill()
  }
}

/** Of what an application got. */
function versionOf(application, name) {
  return JSON.parse(readFileSync(join(application, 'node_modules', name, 'package.json'), 'utf8')).version
}
