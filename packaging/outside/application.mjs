import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pageOfClient } from './browser-client.mjs'
import { clientProgram } from './client-program.mjs'
import { blockOf, commandsOf, forManager, overridesOf } from './documents.mjs'
import { shell, whileRunning } from './programs.mjs'
import { checkTracing } from './tracing.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const OLDEST = { fastify: '5.10.0', knex: '3.1.0', mysql2: '3.6.0' }

/** An application of somebody who has docs/embedding.md, README.md and the packages; answers the versions that it got. */
export async function checkApplication(folder, { node, manager, env, isOldest }) {
  const application = join(folder, 'application')
  startProject(application, { node, manager })
  for (const command of [...commandsOf('docs/embedding.md'), ...commandsOf('core/client/README.md')])
    shell(forManager(isOldest ? withOldest(command) : command, manager), application, env)
  // What an application in TypeScript or with Express has already.
  shell(forManager('npm install express typescript @types/node@20', manager), application, env)

  write(application, 'program.mjs', blockOf('docs/embedding.md', 'js'))
  const said = shell('node program.mjs', application, env)
  if (!said.includes('the original is what was signed\nsignatureDoesNotCorrespond: '))
    throw new Error(`The program of docs/embedding.md said ${said}`)
  for (const [example, file] of Object.entries({ fastify: 'fastify.ts', http: 'http.ts', express: 'express.js' })) {
    const main = `docs/examples/embed-in-${example}/main${file.slice(file.lastIndexOf('.'))}`
    copyFileSync(join(root, main), join(application, file))
  }
  write(application, 'client.ts', clientProgram())
  compile(application, env)
  const secret = { ...env, SESSION_SECRET: randomBytes(32).toString('base64') }
  for (const file of ['fastify.js', 'http.js', 'express.js'])
    await whileRunning(`exec node ${file}`, application, secret, (url) => hasVersion(`${url}/api/version`))
  await checkHost(folder, application, { node, manager, env })
  return Object.keys(OLDEST).map((name) => `${name} ${versionOf(application, name)}`)
}

/** The stock host as host/README.md installs and starts it; then the worked example of README.md, the client, and traces. */
async function checkHost(folder, application, { node, manager, env }) {
  const host = join(folder, 'host')
  startProject(host, { node, manager })
  const commands = commandsOf('host/README.md')
  const start = commands.pop()
  for (const command of commands) shell(forManager(command, manager), host, env)
  const page = await pageOfClient(application)
  const settings = { ...env, DATA_DIR: join(application, 'data'), CORS_ORIGINS: page.origin }
  const use = async (url) => {
    await hasVersion(`${url}/api/version`)
    const example = blockOf('README.md', 'sh', '## A worked example').replace(/^registry=.*$/m, `registry=${url}`)
    const said = shell(example, application, env)
    if (!said.includes('Proved: every signature in the evidence bundle is valid'))
      throw new Error(`The example of README.md said ${said}`)
    const listed = shell('node client.js', application, { ...env, REGISTRY: url })
    if (!listed.includes('contract.pdf')) throw new Error(`The program of the client's README said ${listed}`)
    await page.visit(url)
  }
  await whileRunning(start, host, settings, use).finally(page.close)
  await checkTracing(host, start, { manager, env }, (url) => hasVersion(`${url}/api/version`))
}

/** An empty project; on Node 20 with what docs/embedding.md says that its package manager needs there. */
export function startProject(project, { node, manager }) {
  mkdirSync(project, { recursive: true })
  write(project, 'package.json', JSON.stringify({ private: true, type: 'module', ...overridesOf(node, manager) }))
}

function compile(application, env) {
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    types: ['node'],
    exactOptionalPropertyTypes: true,
  }
  write(
    application,
    'tsconfig.json',
    JSON.stringify({ compilerOptions, files: ['fastify.ts', 'http.ts', 'client.ts'] }),
  )
  shell('node_modules/.bin/tsc -p .', application, env)
}

async function hasVersion(address) {
  const { version } = await (await fetch(address)).json()
  if (!version) throw new Error(`${address} has no version`)
}

const withOldest = (command) =>
  command
    .split(' ')
    .map((word) => (Object.hasOwn(OLDEST, word) ? `${word}@${OLDEST[word]}` : word))
    .join(' ')

const versionOf = (application, name) =>
  JSON.parse(readFileSync(join(application, 'node_modules', name, 'package.json'), 'utf8')).version

function write(folder, name, text) {
  writeFileSync(join(folder, name), text)
}
