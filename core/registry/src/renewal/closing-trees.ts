import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Injected } from '../kernel/service.js'
import { BatchStore } from './batch-store.js'
import { BLOCK, LEVELS_OF_BLOCK, treeOfBlock } from './tree-blocks.js'

/** Computes the upper levels of trees in which all hashes of members stand. */
export class ClosingTrees {
  static readonly inject = { batches: BatchStore }

  constructor(private readonly use: Injected<typeof ClosingTrees.inject>) {}

  /** Closes a tree, and answers its root; one that is closed stays as it is. */
  async close(batch: number, number: number): Promise<Uint8Array> {
    const { batches } = this.use
    const chain = (await batches.chains(batch)).find((one) => one.chain === number)
    if (chain === undefined) throw new TypeError(`Batch ${batch} has no tree ${number}`)
    if (chain.root !== undefined) return chain.root
    let level = 0
    let width = chain.hashed
    for (; width > BLOCK; level += LEVELS_OF_BLOCK) width = await this.above(chain, level, width)
    const [top] = await batches.blocks(batch, number, [[level, 0]])
    if (top === undefined) throw new TypeError(`Tree ${number} of batch ${batch} is empty`)
    const root = treeOfBlock(chain.digestOid, top).root
    await batches.close(chain, root)
    return root
  }

  /** Stores the level above the blocks of a level; answers how many hashes it has. */
  private async above(
    { batch, chain, digestOid }: { readonly batch: number; readonly chain: number; readonly digestOid: string },
    level: number,
    width: number,
  ): Promise<number> {
    const { batches } = this.use
    const count = Math.ceil(width / BLOCK)
    for (let first = 0; first < count; first += BLOCK) {
      const roots: Uint8Array[] = []
      for (let index = first; index < Math.min(count, first + BLOCK); index += 1) {
        const [block] = await batches.blocks(batch, chain, [[level, index]])
        if (block === undefined) throw new TypeError(`Block ${index} of tree ${chain} of batch ${batch} is missing`)
        roots.push(treeOfBlock(digestOid, block).root)
        await yieldToOthers()
      }
      const place = { batch, chain, level: level + LEVELS_OF_BLOCK, index: first / BLOCK }
      await batches.addBlock({ ...place, hashes: Buffer.concat(roots) })
    }
    return count
  }
}
