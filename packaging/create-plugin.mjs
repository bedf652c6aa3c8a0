import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * npm run check:create-plugin: makes plugins as somebody does who has only the published packages, compiles and tests them, and starts
 * the stock host with one. Needs a package registry. With names of kinds: only these.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'create-plugin-'))
const run = (cwd, program, ...args) =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
const asked = process.argv.slice(2)
const kinds = asked.length > 0 ? asked : ['operation', 'mailer', 'archive', 'webhook']

try {
  const packed = JSON.parse(
    run(root, 'npm', 'pack', '--workspaces', '--json', '--silent', '--pack-destination', folder),
  )
  const ours = new Map(
    (Array.isArray(packed) ? packed : Object.values(packed)).map(({ name, filename }) => [
      name,
      join(folder, filename),
    ]),
  )
  const create = ours.get('create-signed-registry-plugin')
  ours.delete('create-signed-registry-plugin')
  for (const kind of kinds) {
    const name = `our-${kind}`
    run(
      folder,
      'npm',
      'exec',
      '--yes',
      '--package',
      create,
      '--',
      'create-signed-registry-plugin',
      name,
      '--kind',
      kind,
    )
    const plugin = join(folder, name)
    const manifest = JSON.parse(readFileSync(join(plugin, 'package.json'), 'utf8'))
    // What is not published is installed from files.
    for (const [one, file] of ours) manifest.devDependencies[one] = `file:${file}`
    writeFileSync(join(plugin, 'package.json'), JSON.stringify(manifest))
    run(plugin, 'npm', 'install', '--engine-strict', '--no-audit', '--no-fund')
    run(plugin, 'npm', 'test')
    const doctor = run(plugin, 'npx', 'signed-registry', 'doctor')
    if (!doctor.includes(`registry.config.js as well, with ${name}`)) throw new Error(`${name}: doctor says ${doctor}`)
    const program = run(plugin, 'npx', 'signed-registry', 'client', 'registry-client.ts')
    if (kind === 'operation') await visit(plugin, name)
    console.log(`${name}: made, tested, and read by the stock host; ${program.trim()}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Starts the stock host by its program, as `npm start` does, and asks the operation of the plugin. */
async function visit(plugin, name) {
  const env = { ...process.env, PORT: '0', MTLS_PORT: 'off' }
  const child = spawn(process.execPath, ['node_modules/.bin/signed-registry', 'start'], {
    ...{ cwd: plugin, env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let said = ''
    for await (const chunk of child.stdout) {
      said += chunk
      if (said.includes('The registry is at')) break
    }
    const [, url] = /The registry is at ([^\s"]+)/.exec(said) ?? []
    const answer = await fetch(`${url}/api/${name}/somebody`, { method: 'POST' })
    if (JSON.stringify(await answer.json()) !== '{"visits":1}') throw new Error(`${name}: ${answer.status}`)
  } finally {
    child.kill()
  }
}
