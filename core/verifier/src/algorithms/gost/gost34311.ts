import { type BlockFunction, BlockHasher, type Hasher } from './block-hasher.js'
import * as module from './gost34311-module.js'

function createEngine(): BlockFunction {
  const { BLOCK, COUNTER, HASH, INPUT, LENGTH_BITS, SUM } = module
  const { memory, view, functions } = module.createGost34311Module()
  return {
    blockLength: BLOCK,
    memory,
    state: { start: module.STATE, length: module.STATE_LENGTH },
    input: { start: INPUT, length: module.INPUT_LENGTH },
    absorb: (blocks) => functions.absorb(INPUT, INPUT + blocks * BLOCK),
    finish(restLength) {
      if (restLength > 0) {
        memory.fill(0, INPUT + restLength, INPUT + BLOCK)
        view.setUint32(LENGTH_BITS, 8 * restLength, true)
        functions.compress(INPUT)
        functions.add(COUNTER, LENGTH_BITS)
        functions.add(SUM, INPUT)
      }
      functions.compress(COUNTER)
      functions.compress(SUM)
      return memory.slice(HASH, HASH + BLOCK)
    },
  }
}

let shared: BlockFunction | undefined

/** GOST 34.311-95 with the test parameters and a zero initial value (the algorithm of RFC 5831), 256 bits. */
export function gost34311(): Hasher {
  shared ??= createEngine()
  return new BlockHasher(shared)
}
