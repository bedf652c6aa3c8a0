/** Public as `@signed-registry/verifier/gost-hashes`: the national hashes, for browsers too. They need WebAssembly, and nothing of Node. */
export type { Hasher } from './block-hasher.js'
export { gost34311 } from './gost34311.js'
export type { NativeStreebog } from './native-streebog.js'
export { streebog256, streebog512, useNativeStreebog } from './streebog.js'
