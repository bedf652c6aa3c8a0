import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Upload } from '@signed-registry/core'
import { expect } from 'chai'
import { type ReaderOptions, ThreadFileReader } from '#signed-files/thread-file-reader.js'
import { asicE } from '../../support/asic/containers.js'
import { signedBy, signedOnce } from '../../support/pdf/signed-contracts.js'
import { testAuthorities } from '../../support/pki/authorities.js'
import { rejectionOf } from '../../support/refusal.js'
import { uploadOf } from '../../support/registry.js'

describe('the reader of signed files', () => {
  const signer = testAuthorities().person()
  const pdf = signedOnce(signedBy(signer))
  const folder = mkdtempSync(join(tmpdir(), 'signed-files-'))
  const reader = (more: Partial<ReaderOptions> = {}) =>
    new ThreadFileReader({ folder, maxBytes: 2 ** 30, roomBytes: 2 ** 30, memoryMb: 250, timeoutMs: 60_000, ...more })
  const now = <T>(read: () => Promise<T>) => read()
  const octets = async ({ stream }: Upload) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of stream) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  it('reads a file in a thread, and gives all of it again while it is open', async () => {
    const file = await reader().open(uploadOf(pdf), now)
    expect(file.found.is).to.equal('signed')
    expect(file.found.is === 'signed' && file.found.file.signatures.map(({ name }) => name)).to.deep.equal([
      'Signature10',
    ])
    expect((await octets(file.whole())).equals(pdf)).to.equal(true)
    await file.close()
  })

  it('leaves no file behind, not even while it is read', async () => {
    const file = await reader().open(uploadOf(pdf), async (read) => {
      expect(readdirSync(folder)).to.deep.equal([])
      return read()
    })
    await file.close()
    const broken = { size: 10, stream: [Buffer.from('short')] }
    expect(await rejectionOf(reader().open(broken, now))).to.include({ code: 'processedSizeDiffers' })
    expect(readdirSync(folder)).to.deep.equal([])
  })

  it('answers the refusal of the verifier as it is', async () => {
    const refused = await rejectionOf(reader().open(uploadOf(Buffer.from('plain')), now))
    expect(refused).to.include({ code: 'fileNotRead' })
    expect(refused.details).to.deep.equal({ reason: 'notSigned' })
  })

  it('has a largest file, and room for so many at a time, which comes back', async () => {
    expect(await rejectionOf(reader({ maxBytes: 10 }).open(uploadOf(pdf), now))).to.include({ code: 'bodyTooLarge' })
    const small = reader({ roomBytes: pdf.length * 1.5 })
    const file = await small.open(uploadOf(pdf), now)
    const refused = await rejectionOf(small.open(uploadOf(pdf), now))
    expect([refused.code, refused.details?.reason]).to.deep.equal(['signedFilesBusy', 'room'])
    await file.close()
    await (await small.open(uploadOf(pdf), now)).close()
  })

  it('ends a thread that takes more memory or time than a file may', async () => {
    const { content } = { content: Buffer.alloc(8 * 1024 * 1024, 'x') }
    const container = asicE([signer], [{ name: 'a.txt', content }])
    const late = await rejectionOf(reader({ timeoutMs: 1 }).open(uploadOf(container), now))
    expect([late.code, late.details?.reason]).to.deep.equal(['signedFilesBusy', 'timeout'])
    const broken = await rejectionOf(reader({ memoryMb: 1 }).open(uploadOf(pdf), now))
    expect([broken.code, broken.details?.reason]).to.deep.equal(['signedFilesBusy', 'broken'])
  })
})
