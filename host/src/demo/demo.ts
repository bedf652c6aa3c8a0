import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../config/config.js'
import { startHost } from '../start-host.js'
import { runDemo } from './run-demo.js'

const README = fileURLToPath(new URL('../../README.md', import.meta.url))

/**
 * Runs the demo on a database of its own, with development authorities, and cleans up. With `keep`, the files it exports
 * stay in that folder.
 */
export async function demo(
  { file = README, keep }: { file?: string | undefined; keep?: string | undefined },
  print: (line: string) => void,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signed-registry-demo-'))
  const folder = keep ?? join(dataDir, 'exported')
  mkdirSync(folder, { recursive: true })
  try {
    const host = await startHost({
      config: readConfig({ DATA_DIR: dataDir, PORT: '0', MTLS_PORT: 'off', LOG_LEVEL: 'silent' }),
    })
    print(`A registry runs at ${host.url}, on SQLite, with development authorities.`)
    try {
      await runDemo(host, file, folder, print)
    } finally {
      await host.close()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
