import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { FolderStore } from '@signed-registry/archive-fs'
import { SegmentTags } from '#core/originals/segment-tags.js'
import { piecesOf, SEGMENT } from '#core/originals/segments.js'
import { AsicEvidence } from '#evidence-asic/asic-evidence.js'
import { bundleOf } from '../support/evidence-bundle.js'
import { testAuthorities } from '../support/pki/authorities.js'
import { printRow } from './row.js'

const SIZE = 1024 * SEGMENT
const ROUNDS = 7
const WARM_UP = 1
const KEY = 'ab'.repeat(16)
/** Where the original is kept while this is measured: a disk. */
const DISK = process.env.BENCH_DISK ?? '/var/tmp'

/** Prints what a bundle with an original of 1 GiB costs beside reading that from the store, and the memory of both. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(DISK, 'registry-bench-'))
  try {
    const original = await stored(folder)
    const authorities = testAuthorities()
    const honest = bundleOf(authorities, [{ content: 'a contract', signers: [authorities.person()] }])
    const documents = honest.documents.map((document) => ({
      ...document,
      ...{ size: SIZE, original: { name: 'large.bin', bytes: original } },
    }))
    const built = () => new AsicEvidence().build({ ...honest, documents }).bytes()
    const rounds: { read: number; bundle: number }[] = []
    for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
      const costs = { read: await seconds(original), bundle: await seconds(built) }
      if (round >= WARM_UP) rounds.push(costs)
    }
    const best = (name: 'read' | 'bundle') => Math.min(...rounds.map((round) => round[name])).toFixed(2)
    printRow({
      what: 'a bundle with an original of 1 GiB',
      floor: 'reading it from the store',
      ratios: rounds.map(({ read, bundle }) => bundle / read),
      aim: '<= 1.5',
      figures: `${best('bundle')} s, reading ${best('read')} s at best; ${peakMemory()} MiB at most (aim 250)`,
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Stores an original; gives it as `ReadOriginals` does, with a tag of each segment verified. */
async function stored(folder: string): Promise<() => AsyncIterable<Uint8Array>> {
  const made = SegmentTags.create()
  async function* content() {
    for (let at = 0; at < SIZE / SEGMENT; at += 1) {
      const segment = Buffer.alloc(SEGMENT, at % 251)
      made.add(segment)
      yield segment
    }
  }
  const store = new FolderStore(folder)
  await store.put(KEY, content(), SIZE)
  const tags = SegmentTags.read(made.bytes)
  return async function* () {
    let number = 0
    for await (const segment of piecesOf((await store.get(KEY))?.bytes ?? [], SEGMENT)) {
      if (!tags.matches(segment, number)) throw new Error('The object was altered')
      yield segment
      number += 1
    }
  }
}

async function seconds(read: () => AsyncIterable<Uint8Array>): Promise<number> {
  const start = process.hrtime.bigint()
  for await (const _ of read());
  return Number(process.hrtime.bigint() - start) / 1e9
}

/** Peak resident memory of this process so far in MiB. */
const peakMemory = (): number =>
  Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024)
