/** Public as `@signed-registry/verifier/gost-signing`: what development authorities need to sign with GOST keys. */
export { gostCurves } from './curves.js'
export { encodeGostPublicKey } from './gost3410.js'
export { readLittleEndian, writeLittleEndian } from './integers.js'
export { generateGostKeyPair, gostPublicKey, signGost3410 } from './sign-gost3410.js'
