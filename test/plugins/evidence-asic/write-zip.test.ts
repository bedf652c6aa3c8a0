import { BLOCK, containerSize } from '@signed-registry/verifier/evidence'
import { expect } from 'chai'
import { container, streamed, type ZipFile } from '#evidence-asic/write-zip.js'
import { Random } from '../../fuzz/random.js'
import { unzipped, zipped } from '../../support/containers.js'

async function* cut(bytes: Buffer, random: Random, most: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const length = random.below(most)
    yield bytes.subarray(at, at + length)
    at += length
  }
}

async function written(files: readonly ZipFile[]): Promise<Buffer> {
  const made = container(files)
  const chunks: Buffer[] = []
  for await (const chunk of made.bytes()) chunks.push(Buffer.from(chunk))
  const bytes = Buffer.concat(chunks)
  expect(bytes.length).to.equal(made.size)
  return bytes
}

describe('a container that is written while it is read', () => {
  const random = new Random(7)

  it('is the same, in whatever pieces its files come, with blocks that end anywhere', async () => {
    for (const size of [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 5 * BLOCK + 77]) {
      const original = random.bytes(Math.min(size, 5000))
      const content = Buffer.alloc(size, size === 0 ? undefined : original)
      for (const most of [5, 10_000, 3 * BLOCK]) {
        if (size > BLOCK + 1 && most === 5) continue
        const inner = container([
          { name: 'mimetype', content: Buffer.from('inner') },
          { name: 'original', content: streamed(size, () => cut(content, random, most)) },
          { name: 'behind', content: Buffer.from('behind') },
        ])
        const bytes = await written([
          { name: 'mimetype', content: Buffer.from('outer') },
          { name: 'large', content: Buffer.alloc(100_000, 'z') },
          { name: 'inner.asics', content: inner },
          { name: 'original', content: streamed(size, () => cut(content, random, most)) },
        ])
        const files = unzipped(bytes)
        expect(files.map(({ name }) => name)).to.deep.equal(['mimetype', 'large', 'inner.asics', 'original'])
        expect(files[3]?.content.equals(content)).to.equal(true)
        const inside = unzipped(files[2]?.content ?? Buffer.alloc(0))
        expect(inside[1]?.content.equals(content)).to.equal(true)
        expect(zipped(files).equals(bytes), `${size} octets`).to.equal(true)
        expect(zipped(inside).equals(files[2]?.content ?? Buffer.alloc(0))).to.equal(true)
      }
    }
  })

  it('fails where a file has another size than was said', async () => {
    for (const size of [0, 9, 11]) {
      const files = [{ name: 'a', content: streamed(size, () => cut(Buffer.alloc(10), random, 4)) }]
      const failure = await written(files).then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(failure, `${size} octets`).to.be.instanceOf(RangeError)
    }
  })

  it('says its size beforehand, with ZIP64 where a size or a place needs it', () => {
    const GIB = 2 ** 30
    const of = (size: number, isStreamed: boolean) => containerSize([{ name: 'a', size, streamed: isStreamed }])
    const records = of(0, false)
    expect(of(1000, false)).to.equal(records + 1000)
    expect(of(0xffffffff, false) - of(0xfffffffe, false)).to.equal(1 + 20 + 20)
    const isFar = of(0xffffffff - 31, false) - of(0xffffffff - 32, false)
    expect(isFar).to.equal(1 + 56 + 20)
    const blocks = (size: number) => size + 5 * Math.ceil(size / BLOCK)
    expect(of(8 * GIB, true) - of(4 * GIB, true)).to.equal(blocks(8 * GIB) - blocks(4 * GIB))
  })
})
