import { createHash } from 'node:crypto'
import type { Upload } from '@signed-registry/core'

import { expect } from 'chai'
import { receive } from '#core/originals/index.js'
import { rejectionOf } from '../../support/refusal.js'

const SHA256 = '2.16.840.1.101.3.4.2.1'
const chunks = ['one ', 'two ', 'three'].map((text) => Buffer.from(text))
const original = Buffer.concat(chunks)
const sha256 = createHash('sha256').update(original).digest()

/** An upload that counts what was read of it, and notes whether it was let go. */
function upload(size = original.length) {
  const seen = { read: 0, ended: false }
  async function* stream() {
    try {
      for (const chunk of chunks) {
        seen.read += chunk.length
        yield chunk
      }
    } finally {
      seen.ended = true
    }
  }
  return { seen, size, stream: stream() }
}
const algorithms = [SHA256]

describe('taking in an original', () => {
  it('hashes it in one pass, while somebody keeps it', async () => {
    const kept: Uint8Array[] = []
    const keep = async ({ size, stream }: Upload) => {
      expect(size).to.equal(original.length)
      for await (const chunk of stream) kept.push(chunk)
    }
    const digests = await receive(upload(), { algorithms, keep })
    expect(Buffer.concat(kept).equals(original)).to.equal(true)
    expect(digests.get(SHA256)).to.deep.equal(sha256)
  })

  it('hashes the rest when storing stops half-way', async () => {
    const keep = async ({ stream }: Upload) => {
      for await (const _ of stream) break
    }
    expect((await receive(upload(), { algorithms, keep })).get(SHA256)).to.deep.equal(sha256)
  })

  it('releases the upload when storing fails', async () => {
    const incoming = upload()
    const full = new Error('no space')
    const keep = async ({ stream }: Upload) => {
      for await (const _ of stream) throw full
    }
    const thrown = await receive(incoming, { algorithms, keep }).catch((error: unknown) => error)
    expect(thrown).to.equal(full)
    expect(incoming.seen).to.deep.equal({ read: 4, ended: true })
  })

  describe('whose sender wants the memory of its chunks back', () => {
    const releasing = (released: Uint8Array[]) => {
      const { size, stream } = upload()
      const release = (chunk: Uint8Array) => void released.push(chunk)
      return { size, stream: Object.assign(stream, { release }) }
    }

    it('releases each when it is hashed', async () => {
      const released: Uint8Array[] = []
      expect((await receive(releasing(released), { algorithms })).get(SHA256)).to.deep.equal(sha256)
      expect(released).to.deep.equal(chunks)
    })
    it('releases none that somebody keeps', async () => {
      const released: Uint8Array[] = []
      const keep = async ({ stream }: Upload) => {
        for await (const _ of stream);
      }
      await receive(releasing(released), { algorithms, keep })
      expect(released).to.deep.equal([])
    })
  })

  for (const size of [original.length - 1, original.length + 1]) {
    it(`tells who keeps it, and who sent it, that ${size} bytes were declared`, async () => {
      let reached = false
      const keep = async ({ stream }: Upload) => {
        for await (const _ of stream);
        reached = true
      }
      expect(await rejectionOf(receive(upload(size), { algorithms, keep }))).to.include({
        code: 'processedSizeDiffers',
      })
      expect(reached).to.equal(false)
    })
  }
})
