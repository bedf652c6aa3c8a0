/** An incremental hash; `digest` may be called once. */
export interface Hasher {
  update(bytes: Uint8Array): Hasher
  digest(): Uint8Array
}

/** A block-based hash function in WebAssembly; its memory is shared by all its hashers. */
export interface BlockFunction {
  readonly blockLength: number
  readonly memory: Uint8Array
  /** Location of the state in memory. */
  readonly state: { readonly start: number; readonly length: number }
  /** Location of the input in memory. */
  readonly input: { readonly start: number; readonly length: number }
  /** Processes this many blocks of the input. */
  absorb(blocks: number): void
  /** Where native code is at hand: takes whole blocks into a state, in place of `absorb` and the memory. */
  readonly native?: ((state: Uint8Array, blocks: Uint8Array) => void) | undefined
  /** Processes the last, incomplete block in the input and returns the hash. */
  finish(restLength: number): Uint8Array
}

/** Splits input into blocks; saves its own copy of the state, so that hashers can be interleaved on the shared memory. */
export class BlockHasher implements Hasher {
  private readonly engine: BlockFunction
  private readonly state: Uint8Array
  private readonly rest: Uint8Array
  private restLength = 0
  private finished = false

  constructor(engine: BlockFunction, initialState: Uint8Array = new Uint8Array(engine.state.length)) {
    this.engine = engine
    this.state = Uint8Array.from(initialState)
    this.rest = new Uint8Array(engine.blockLength)
  }

  update(bytes: Uint8Array): this {
    this.assertOpen()
    const { blockLength } = this.engine
    let offset = 0
    if (this.restLength > 0) {
      offset = Math.min(blockLength - this.restLength, bytes.length)
      this.rest.set(bytes.subarray(0, offset), this.restLength)
      this.restLength += offset
      if (this.restLength < blockLength) return this
      this.absorb(this.rest)
    }
    const blocksEnd = bytes.length - ((bytes.length - offset) % blockLength)
    if (offset < blocksEnd) this.absorb(bytes.subarray(offset, blocksEnd))
    this.rest.set(bytes.subarray(blocksEnd))
    this.restLength = bytes.length - blocksEnd
    return this
  }

  digest(): Uint8Array {
    this.assertOpen()
    this.finished = true
    const { memory, state, input } = this.engine
    memory.set(this.state, state.start)
    memory.set(this.rest.subarray(0, this.restLength), input.start)
    return this.engine.finish(this.restLength)
  }

  private absorb(blocks: Uint8Array): void {
    const { memory, state, input, blockLength, native } = this.engine
    if (native !== undefined) {
      native(this.state, blocks)
      return
    }
    memory.set(this.state, state.start)
    for (let offset = 0; offset < blocks.length; offset += input.length) {
      const part = blocks.subarray(offset, offset + input.length)
      memory.set(part, input.start)
      this.engine.absorb(part.length / blockLength)
    }
    this.state.set(memory.subarray(state.start, state.start + state.length))
  }

  private assertOpen(): void {
    if (this.finished) throw new Error('the digest is already taken')
  }
}
