import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * npm run dev: compiles and starts the host, and does so again whenever sources change. Types are not checked: `npm run build`
 * does that. When sources do not compile, the running host stays.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const AFTER_MS = 100
const SOURCES = new Set(['src', 'browser', 'style', 'fonts'])

const started = (...args) => spawn(process.execPath, args, { stdio: 'inherit' })
let host
let isChanged = true
let isEnding = false
let wake = () => undefined

/** Waits for a change, and then for the other files that an editor saves at the same time. */
async function changed() {
  if (!isChanged)
    await new Promise((resolve) => {
      wake = resolve
    })
  await new Promise((resolve) => setTimeout(resolve, AFTER_MS))
  isChanged = false
}

async function stopHost() {
  if (host === undefined || host.exitCode !== null || host.signalCode !== null) return
  host.kill('SIGTERM')
  await once(host, 'exit')
}

const packages = ['core', 'plugins'].flatMap((group) =>
  readdirSync(join(root, group)).map((name) => join(root, group, name)),
)
for (const folder of [...packages, join(root, 'host')])
  for (const name of readdirSync(folder))
    if (SOURCES.has(name))
      watch(join(folder, name), { recursive: true }, () => {
        isChanged = true
        wake()
      })
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, async () => {
    isEnding = true
    await stopHost()
    process.exit()
  })

while (!isEnding) {
  await changed()
  const [fault] = await once(started(join(root, 'packaging/compile.mjs')), 'exit')
  if (fault !== 0 || isEnding) continue
  await stopHost()
  // A signal may have arrived meanwhile: nobody would stop another host.
  if (isEnding) break
  host = started(join(root, 'host/bundle/signed-registry.js'), 'start')
}
