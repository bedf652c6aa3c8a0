import assert from 'node:assert/strict'
import { type ContentScanner, ScannerUnavailable } from '../originals/index.js'
import type { Clause } from './clause.js'

const MIB = 1024 * 1024

/** What the contract of a `ContentScanner` is held against. */
export interface ContentScannerUnderTest {
  /** A scanner that works. */
  open(): ContentScanner | Promise<ContentScanner>
  /** Content that it finds something in. */
  infected(): Uint8Array
  /** Bytes that are more than it takes; leave it out where it takes everything. */
  tooLarge?: number
  /** A scanner that cannot be reached. */
  unreachable(): ContentScanner | Promise<ContentScanner>
}

/** What every `ContentScanner` promises. */
export function contentScannerContract(under: ContentScannerUnderTest): readonly Clause[] {
  const scan = async (bytes: Uint8Array, scanner = under.open()) => (await scanner).scan(chunksOf(bytes))
  const { tooLarge } = under
  return [
    {
      title: 'lets clean content pass, an empty one too',
      async check() {
        for (const size of [0, 1, 300_000, MIB]) {
          assert.deepEqual(await scan(Buffer.alloc(size)), { verdict: 'clean' })
        }
      },
    },
    {
      title: 'names what it finds',
      async check() {
        const verdict = await scan(under.infected())
        assert.ok(verdict.verdict === 'infected' && verdict.name !== '', JSON.stringify(verdict))
      },
    },
    ...(tooLarge === undefined
      ? []
      : [
          {
            title: 'never takes content for clean that is larger than it reads',
            check: async () => assert.deepEqual(await scan(Buffer.alloc(tooLarge)), { verdict: 'tooLarge' }),
          },
        ]),
    {
      title: 'rejects with what the stream threw',
      async check() {
        const failure = new Error('the store failed')
        async function* broken() {
          yield Buffer.alloc(10)
          throw failure
        }
        await assert.rejects(async () => (await under.open()).scan(broken()), failure)
      },
    },
    {
      title: 'gives no verdict where it cannot be reached, and says so',
      check: () =>
        assert.rejects(scan(Buffer.alloc(10), under.unreachable()), (error) => {
          assert.ok(error instanceof ScannerUnavailable, `rejects with ScannerUnavailable, not with ${String(error)}`)
          return true
        }),
    },
  ]
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 70_001) yield bytes.subarray(at, at + 70_001)
}
