import { type BlockFunction, BlockHasher, type Hasher } from './block-hasher.js'
import { type NativeStreebog, nativeTables } from './native-streebog.js'
import * as module from './streebog-module.js'

function createEngine(): BlockFunction {
  const { BLOCK, COUNTER, HASH, INPUT, LENGTH_BITS, SUM, ZERO } = module
  const { memory, view, functions } = module.createStreebogModule()
  return {
    blockLength: BLOCK,
    memory,
    state: { start: module.STATE, length: module.STATE_LENGTH },
    input: { start: INPUT, length: module.INPUT_LENGTH },
    get native() {
      return native
    },
    absorb: (blocks) => functions.absorb(INPUT, INPUT + blocks * BLOCK),
    finish(restLength) {
      memory.fill(0, INPUT + restLength, INPUT + BLOCK)
      memory[INPUT + restLength] = 1
      view.setUint32(LENGTH_BITS, 8 * restLength, true)
      functions.compress(INPUT, COUNTER)
      functions.add(COUNTER, LENGTH_BITS)
      functions.add(SUM, INPUT)
      functions.compress(COUNTER, ZERO)
      functions.compress(SUM, ZERO)
      return memory.slice(HASH, HASH + BLOCK)
    },
  }
}

let native: BlockFunction['native']

/**
 * Hashes by native code from now on, or by WebAssembly again; false where that code computes something else, and is not
 * used. Several times as fast with AVX-512 (decision 27).
 */
export function useNativeStreebog(absorb: NativeStreebog | undefined): boolean {
  native = undefined
  if (absorb === undefined) return true
  const tables = nativeTables()
  const blocks = Uint8Array.from({ length: 4 * module.BLOCK }, (_, index) => index * 7)
  const state = new Uint8Array(module.STATE_LENGTH).fill(0xff)
  const { memory, functions } = module.createStreebogModule()
  memory.set(state, module.STATE)
  memory.set(blocks, module.INPUT)
  functions.absorb(module.INPUT, module.INPUT + blocks.length)
  absorb(tables, state, blocks)
  if (state.some((octet, index) => octet !== memory[module.STATE + index])) return false
  native = (known, more) => absorb(tables, known, more)
  return true
}

/** Compiled on first use. */
let shared: BlockFunction | undefined
const engine = (): BlockFunction => {
  shared ??= createEngine()
  return shared
}

/** GOST R 34.11-2012 with 512 bits (RFC 6986). */
export const streebog512 = (): Hasher => new BlockHasher(engine())

/** GOST R 34.11-2012 with 256 bits: its own initial value, and the upper half of the result. */
export function streebog256(): Hasher {
  const hasher = new BlockHasher(engine(), initialState256())
  const truncated: Hasher = {
    update(bytes) {
      hasher.update(bytes)
      return truncated
    },
    digest: () => hasher.digest().subarray(32),
  }
  return truncated
}

const initialState256 = (): Uint8Array => new Uint8Array(module.STATE_LENGTH).fill(1, 0, module.BLOCK)
