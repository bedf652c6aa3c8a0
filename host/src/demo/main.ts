import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../config.js'
import { startHost } from '../start-host.js'
import { runDemo } from './run-demo.js'

const README = fileURLToPath(new URL('../../../README.md', import.meta.url))

/** `npm run demo [-- FILE]`: the registry on a database of its own, with development authorities. */
const dataDir = mkdtempSync(join(tmpdir(), 'signed-registry-demo-'))
const folder = join(dataDir, 'exported')
mkdirSync(folder)
const host = await startHost({
  config: readConfig({ DATA_DIR: dataDir, PORT: '0', MTLS_PORT: 'off', LOG_LEVEL: 'silent' }),
})
console.log(`A registry runs at ${host.url}, on SQLite, with development authorities. Its files are in ${dataDir}`)
try {
  await runDemo(host, process.argv[2] ?? README, folder, (line) => console.log(line))
} finally {
  await host.close()
}
