import assert from 'node:assert/strict'
import { type ContentScanner, ScannerUnavailable } from '../originals/index.js'
import type { Clause } from './clause.js'

const MIB = 1024 * 1024

/** The `ContentScanner` to check against its contract. */
export interface ContentScannerUnderTest {
  /** A scanner that works. */
  open(): ContentScanner | Promise<ContentScanner>
  /** Content that it finds something in. */
  infected(): Uint8Array
  /** Number of bytes that exceeds its limit; leave it out if there is none. */
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
      title: 'passes clean content, even when empty',
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
            title: 'never reports content beyond its limit as clean',
            check: async () => assert.deepEqual(await scan(Buffer.alloc(tooLarge)), { verdict: 'tooLarge' }),
          },
        ]),
    {
      title: 'rejects with the error of the stream',
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
      title: 'reports that it has no verdict when it cannot be reached',
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
