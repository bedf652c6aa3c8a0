import { Readable } from 'node:stream'
import { expect } from 'chai'
import { encodeMessage, MessageReader } from '#ddc-pdf/messages.js'

const LIMITS = { octets: 1000, text: 1000 }
const isAnything = (read: unknown): read is unknown => read !== undefined

describe('messages between the host and a process that reads PDFs', () => {
  const chunked = (bytes: Buffer, size: number): Readable =>
    Readable.from(
      (function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
      })(),
    )
  const bytesOf = (...messages: unknown[]) => Buffer.concat(messages.flatMap(encodeMessage))
  const message = {
    name: 'Шарт \u0000',
    none: undefined,
    files: [{ bytes: Buffer.from('abc') }, { bytes: new Uint8Array() }],
  }

  it('come through in whatever pieces they are sent, with their octets', async () => {
    for (const size of [1, 7, 1000]) {
      const frames = new MessageReader(chunked(bytesOf(message, 'ready', message), size), LIMITS, isAnything)
      const read = { name: message.name, files: [{ bytes: Buffer.from('abc') }, { bytes: Buffer.alloc(0) }] }
      expect(await frames.next()).to.deep.equal(read)
      expect(await frames.next()).to.equal('ready')
      expect(await frames.next()).to.deep.equal(read)
      expect(await frames.next()).to.equal(undefined)
    }
  })

  it('are none when they break off, are larger than they may be, or are something else', async () => {
    const complete = bytesOf(message)
    for (let length = 0; length < complete.length; length += 1)
      expect(await new MessageReader(chunked(complete.subarray(0, length), 64), LIMITS, isAnything).next()).to.equal(
        undefined,
      )
    const refused = async (bytes: Buffer, limits = LIMITS, isMessage = isAnything) =>
      new MessageReader(chunked(bytes, 64), limits, isMessage).next().then(
        () => 'read',
        (error: unknown) => (error instanceof Error ? error.name : ''),
      )
    expect(await refused(complete, { ...LIMITS, octets: 10 })).to.equal('RangeError')
    expect(await refused(complete, { ...LIMITS, text: 10 })).to.equal('RangeError')
    expect(await refused(Buffer.from('7fffffff7fffffff', 'hex'))).to.equal('RangeError')
    expect(await refused(Buffer.from('00000000000000027878', 'hex'))).to.equal('SyntaxError')
    expect(await refused(complete, LIMITS, (read): read is unknown => read === 'ready')).to.equal('TypeError')
  })
})
