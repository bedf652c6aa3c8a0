import { fileURLToPath } from 'node:url'

const file = (name) => fileURLToPath(new URL(`../plugins/pages/browser/crypto/${name}.ts`, import.meta.url))

/** Options of esbuild with which the verifier runs where there is no Node: `node:crypto` and `Buffer` are replaced by our own. */
export const verifierInBrowsers = {
  bundle: true,
  platform: 'browser',
  target: 'es2023',
  charset: 'utf8',
  alias: { 'node:crypto': file('node-crypto'), 'node:buffer': file('buffer'), 'node:zlib': file('zlib') },
  inject: [file('buffer')],
  logLevel: 'warning',
}
