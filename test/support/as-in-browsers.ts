import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))
const options = new URL('../../packaging/verifier-in-browsers.mjs', import.meta.url)

type Verifier = typeof import('@signed-registry/verifier')
type NodeCrypto = typeof import('node:crypto')
type NodeBuffer = typeof import('node:buffer')

/** A module as browsers get it: without anything of Node. */
async function asInBrowsers<T>(entry: string): Promise<T> {
  const { verifierInBrowsers } = await import(options.href)
  const outfile = join(mkdtempSync(join(tmpdir(), 'as-in-browsers-')), 'module.mjs')
  await build({ ...verifierInBrowsers, entryPoints: [join(root, entry)], format: 'esm', outfile })
  return await import(pathToFileURL(outfile).href)
}

/** The verifier of the pages. */
export const verifierInBrowsers = (): Promise<Verifier> => asInBrowsers('core/verifier/dist/index.js')

/** What verifies transparency logs there. */
export const logInBrowsers = (): Promise<typeof import('@signed-registry/verifier/log')> =>
  asInBrowsers('core/verifier/dist/log/index.js')

/** What takes the place of `node:crypto` in it. */
export const cryptoInBrowsers = (): Promise<NodeCrypto> => asInBrowsers('plugins/pages/browser/crypto/node-crypto.ts')

/** What takes the place of `node:buffer` and the global `Buffer` in it. */
export const bufferInBrowsers = (): Promise<NodeBuffer> => asInBrowsers('plugins/pages/browser/crypto/buffer.ts')

/** How pages tell evidence bundles before the verifier is loaded. */
export const bundleFileInBrowsers = (): Promise<{ isBundle(file: Blob): Promise<boolean> }> =>
  asInBrowsers('plugins/pages/browser/evidence/bundle-file.ts')

/** What takes the place of `node:zlib` there. */
export const zlibInBrowsers = (): Promise<Pick<typeof import('node:zlib'), 'inflateSync' | 'crc32'>> =>
  asInBrowsers('plugins/pages/browser/crypto/zlib.ts')

/** What verifies signed files there. */
export const filesInBrowsers = (): Promise<typeof import('./files-verifier.js')> =>
  asInBrowsers('test/support/files-verifier.ts')
