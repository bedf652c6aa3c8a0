import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandsOf, forManager, overridesOf } from './documents.mjs'
import { shell, whileRunning } from './programs.mjs'

/** Those beside the one of docs/writing-a-plugin.md. */
const OTHERS = ['operation', 'archive', 'webhook']

/** Makes plugins as docs/writing-a-plugin.md says, compiles and tests them, and starts the stock host with each. */
export async function checkPlugins(folder, { node, manager, env, isOldest }) {
  const [create, use, ...more] = commandsOf('docs/writing-a-plugin.md')
  if (!create.includes('queue-mailer -- --kind mailer') || !use.startsWith('cd queue-mailer &&') || more.length > 0)
    throw new Error('docs/writing-a-plugin.md makes a plugin by other commands than this knows')
  const kinds = ['mailer', ...(manager === 'npm' && !isOldest ? OTHERS : [])]
  for (const kind of kinds) {
    const name = kind === 'mailer' ? 'queue-mailer' : `our-${kind}`
    const own = (command) =>
      forManager(command, manager).replace('queue-mailer', name).replace('--kind mailer', `--kind ${kind}`)
    shell(own(create), folder, env)
    const plugin = join(folder, name)
    const manifest = join(plugin, 'package.json')
    const overridden = { ...JSON.parse(readFileSync(manifest, 'utf8')), ...overridesOf(node, manager) }
    writeFileSync(manifest, JSON.stringify(overridden))
    await whileRunning(own(use), folder, env, (url) => visit(url, name, kind))
    const doctor = shell('npx signed-registry doctor', plugin, env)
    if (!doctor.includes(`registry.config.js as well, with ${name}`)) throw new Error(`${name}: doctor says ${doctor}`)
    shell('npx signed-registry client registry-client.ts', plugin, env)
  }
  return kinds
}

/** Asks a host with the plugin: its operation, where it has one. */
async function visit(url, name, kind) {
  const isOperation = kind === 'operation'
  const address = isOperation ? `${url}/api/${name}/somebody` : `${url}/api/version`
  const answer = await fetch(address, { method: isOperation ? 'POST' : 'GET' })
  const text = await answer.text()
  if (answer.status !== 200 || (isOperation && text !== '{"visits":1}'))
    throw new Error(`${name}: ${answer.status} ${text}`)
}
