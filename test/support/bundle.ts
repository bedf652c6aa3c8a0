import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = new URL('../../', import.meta.url)

/** Makes the stock host in one file of what is compiled, as `npm start` does; answers its path. */
export async function bundleHost(): Promise<string> {
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('packaging/bundle.mjs', root))])
  return fileURLToPath(new URL('host/bundle/signed-registry.js', root))
}
