import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { type NativeStreebog, useNativeStreebog } from '@signed-registry/verifier/gost-hashes'

const require = createRequire(import.meta.url)
/** Where `npm run native` puts it, or `npx signed-registry-native`. */
const NATIVE = fileURLToPath(new URL('../../native/streebog.node', import.meta.url))

/**
 * Hashes Streebog by native code in this thread, where it was compiled and the processor has what it needs; false where
 * WebAssembly stays.
 */
export function loadNativeStreebog(file = NATIVE): boolean {
  try {
    const { absorb }: { readonly absorb?: NativeStreebog } = require(file)
    return absorb !== undefined && useNativeStreebog(absorb)
  } catch (error) {
    // Not compiled, or for another machine.
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'MODULE_NOT_FOUND' || code === 'ERR_DLOPEN_FAILED') return false
    throw error
  }
}
