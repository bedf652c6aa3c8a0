import { type BlockFunction, BlockHasher, type Hasher } from './block-hasher.js'
import * as module from './streebog-module.js'

function createEngine(): BlockFunction {
  const { BLOCK, COUNTER, HASH, INPUT, LENGTH_BITS, SUM, ZERO } = module
  const { memory, view, functions } = module.createStreebogModule()
  return {
    blockLength: BLOCK,
    memory,
    state: { start: module.STATE, length: module.STATE_LENGTH },
    input: { start: INPUT, length: module.INPUT_LENGTH },
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
