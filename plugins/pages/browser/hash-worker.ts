import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import type { Algorithm, HashNews, HashQuestion } from './hash.js'

/** An incremental hash. */
interface Hasher {
  update(bytes: Uint8Array): unknown
  digest(): Uint8Array
}

/** The national hashes are loaded when one is needed. */
const national = () => import('@signed-registry/verifier/gost-hashes')

const HASHES: Readonly<Record<Algorithm, () => Hasher | Promise<Hasher>>> = {
  '2.16.840.1.101.3.4.2.1': () => sha256.create(),
  '2.16.840.1.101.3.4.2.2': () => sha384.create(),
  '2.16.840.1.101.3.4.2.3': () => sha512.create(),
  '1.2.398.3.10.1.3.3': async () => (await national()).streebog512(),
  '1.2.398.3.10.1.3.2': async () => (await national()).streebog256(),
  '1.2.398.3.10.1.3.1': async () => (await national()).gost34311(),
}
/** Chunks between two progress messages. */
const TOLD_AFTER = 4 * 2 ** 20

const tell = (news: HashNews) => postMessage(news)

addEventListener('message', async ({ data: { file, algorithms } }: MessageEvent<HashQuestion>) => {
  try {
    const hashes = await Promise.all(algorithms.map(async (algorithm) => HASHES[algorithm]()))
    let [done, told] = [0, 0]
    const reader = file.stream().getReader()
    for (;;) {
      const { done: isOver, value } = await reader.read()
      if (isOver) break
      for (const hash of hashes) hash.update(value)
      done += value.length
      if (done - told < TOLD_AFTER) continue
      told = done
      tell({ done })
    }
    tell({ digests: hashes.map((hash) => hash.digest()) })
  } catch (error) {
    tell({ failure: error instanceof Error ? error.message : String(error) })
  }
})
