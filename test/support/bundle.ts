import { fileURLToPath } from 'node:url'
import { runProgram } from './run-program.js'

const root = new URL('../../', import.meta.url)

/** Makes the stock host in one file of what is compiled, as `npm start` does; answers its path. */
export async function bundleHost(): Promise<string> {
  await runProgram(process.execPath, [fileURLToPath(new URL('packaging/bundle.mjs', root))])
  return fileURLToPath(new URL('host/bundle/signed-registry.js', root))
}
