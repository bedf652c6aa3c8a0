import { crc32, deflateRawSync } from 'node:zlib'
import { BUNDLE_TYPE, containerSize, directoryOf, localRecord, sourceOf } from '@signed-registry/verifier/evidence'
import { expect } from 'chai'
import { RegistryError } from '#verifier/error.js'
import { isContainer, readContainer } from '#verifier/evidence/read-container.js'
import { type FileInside, zipped } from '../../support/containers.js'

const MIME: FileInside = { name: 'mimetype', content: Buffer.from(BUNDLE_TYPE), streamed: false }
const file = (name: string, content: Buffer | string = name, streamed = false): FileInside => ({
  name,
  content: Buffer.from(content),
  streamed,
})
const GOOD = [MIME, file('a.txt'), file('Шарт.pdf', Buffer.alloc(200_000, 'x'), true), file('empty', '', true)]

/** The reason that reading stops for, and the file; or the names that were read. */
function readingOf(bytes: Uint8Array): string {
  try {
    const files = readContainer(sourceOf(bytes), BUNDLE_TYPE)
    for (const { content } of files) content.read(0, content.size)
    return files.map(({ name }) => name).join()
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    expect(error.code).to.equal('evidenceNotRead')
    return [error.details?.reason, error.details?.file].filter((one) => one !== undefined).join(' ')
  }
}

/** The container with octets put in at a place, and whatever else of it. */
const spliced = (bytes: Buffer, at: number, ...put: readonly Uint8Array[]): Buffer =>
  Buffer.concat([bytes.subarray(0, at), ...put, bytes.subarray(at)])

const changed = (bytes: Buffer, change: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(bytes)
  change(copy)
  return copy
}

describe('a container', () => {
  const good = zipped(GOOD)
  const directoryAt = good.readUInt32LE(good.length - 6)

  it('is read in its one form', () => {
    expect(readingOf(good)).to.equal('mimetype,a.txt,Шарт.pdf,empty')
    const [, text, original] = readContainer(sourceOf(good), BUNDLE_TYPE)
    expect(text).to.include({ streamed: false, crc: crc32('a.txt') })
    expect(Buffer.from(original?.content.read(65_000, 140_000) ?? []).equals(Buffer.alloc(75_000, 'x'))).to.equal(true)
  })

  it('is refused by any beginning of it, and with anything before, between or behind its files', () => {
    const small = zipped([MIME, file('a.txt'), file('b', 'streamed', true)])
    for (let end = 0; end < small.length; end += 1)
      expect(readingOf(small.subarray(0, end)), `${end} octets`).to.match(/^(?:notEvidence|formChanged)/)
    for (const octet of [0, 1, 0x50, 0xff])
      expect(readingOf(Buffer.concat([small, Buffer.of(octet)]))).to.equal('formChanged')
    expect(readingOf(Buffer.concat([small, small]))).to.equal('formChanged')
    expect(readingOf(Buffer.concat([Buffer.of(0), small]))).to.equal('notEvidence')
    expect(readingOf(spliced(good, directoryAt, Buffer.from('hidden')))).to.equal('formChanged')
    const moved = changed(spliced(good, directoryAt, Buffer.from('hidden')), (copy) =>
      copy.writeUInt32LE(directoryAt + 6, copy.length - 6),
    )
    expect(readingOf(moved)).to.equal('formChanged')
  })

  it('is refused with any octet of its records changed', () => {
    const small = zipped([MIME, file('a.txt', ''), file('b', '', true)])
    const isOpen = new Set<string>()
    for (let at = 0; at < small.length; at += 1) {
      for (const bit of [1, 0x80]) {
        const reading = readingOf(changed(small, (copy) => copy.writeUInt8(small.readUInt8(at) ^ bit, at)))
        if (!/^(?:notEvidence|formChanged|unsafeName|doubledName|tooLarge)/.test(reading))
          isOpen.add(`${at} ${reading}`)
      }
    }
    expect([...isOpen]).to.deep.equal([])
  })

  it('is refused with a comment, with extra fields, and with a longer media type', () => {
    const comment = changed(Buffer.concat([good, Buffer.from('hello')]), (copy) =>
      copy.writeUInt16LE(5, good.length - 2),
    )
    expect(readingOf(comment)).to.equal('formChanged')
    const local = localRecord({ name: 'mimetype', size: MIME.content.length, crc: 0, streamed: false }).length
    const extra = changed(spliced(good, local, Buffer.from('55550400aaaaaaaa', 'hex')), (copy) =>
      copy.writeUInt16LE(8, 28),
    )
    expect(readingOf(extra)).to.equal('notEvidence')
    const longer = zipped([{ ...MIME, content: Buffer.from(`${BUNDLE_TYPE};version=9`) }, file('a.txt')])
    expect(readingOf(longer)).to.equal('formChanged mimetype')
    expect(readingOf(zipped([{ ...MIME, content: Buffer.from('application/zip') }, ...GOOD.slice(1)]))).to.equal(
      'notEvidence',
    )
    expect(readingOf(zipped([file('a.txt'), MIME]))).to.equal('notEvidence')
    expect(isContainer(sourceOf(Buffer.from('PK')), BUNDLE_TYPE)).to.equal(false)
  })

  it('is refused with names that are doubled for some file system', () => {
    for (const [one, other] of [
      ['a', 'a'],
      ['cms/1.p7s', 'CMS/1.P7S'],
      ['\u00e9', 'e\u0301'],
      ['файл', 'ФАЙЛ'],
      ['\uff41', 'a'],
      ['ſ', 'S'],
      ['a', 'a/b'],
      ['a/b/c', 'A/B'],
    ] as const)
      for (const names of [
        [one, other],
        [other, one],
      ])
        expect(readingOf(zipped([MIME, ...names.map((name) => file(name, ''))])), names.join(' and ')).to.match(
          /^doubledName /,
        )
  })

  it('is refused with names that lead out of a folder, or are no names', () => {
    const deep = Array.from({ length: 9 }, () => 'a').join('/')
    const names = ['', '.', '..', '../a', 'a/../b', 'a/..', './a', '/a', '//a', 'a//b', 'a/', 'C:a', 'a\\b', '..\\a']
    for (const name of [...names, 'a\0', 'a\n', '\u007f', 'я'.repeat(601), deep])
      expect(readingOf(zipped([MIME, file(name, '')])), JSON.stringify(name)).to.match(/^unsafeName/)
    const notUtf8 = changed(zipped([MIME, file('\u044f', '')]), (copy) => {
      for (let at = copy.indexOf('\u044f'); at >= 0; at = copy.indexOf('\u044f', at + 1)) copy.writeUInt8(0x28, at + 1)
    })
    expect(readingOf(notUtf8)).to.equal('unsafeName')
  })

  it('is never unpacked: what is compressed has another form', () => {
    const packed = deflateRawSync(Buffer.alloc(50_000))
    const honest = zipped([MIME, file('bomb', Buffer.alloc(50_000), true)])
    const begin = honest.indexOf('bomb') + 'bomb'.length
    const bomb = changed(honest, (copy) => packed.copy(copy, begin))
    expect(readingOf(bomb)).to.equal('formChanged')
    const directory = honest.readUInt32LE(honest.length - 6)
    const short = Buffer.concat([honest.subarray(0, begin), packed, honest.subarray(directory - 16)])
    expect(readingOf(short)).to.equal('formChanged')
    const claimed = changed(zipped([MIME, file('a', '')]), (copy) => {
      const entry = copy.lastIndexOf('PK\x01\x02')
      copy.writeUInt32LE(0xfffffff0, entry + 24)
    })
    expect(readingOf(claimed)).to.equal('formChanged a')
  })

  it('is refused by what it declares, before anything of it is read', () => {
    const many = Array.from({ length: 10_001 }, (_, index) => file(`a/${index}`, ''))
    expect(readingOf(zipped([MIME, ...many]))).to.equal('tooLarge')
    const reads: number[] = []
    const size = 2 ** 40
    const entries = [MIME, ...many, ...many.map(({ name }) => file(`b/${name}`))].map((one) => ({
      ...{ name: one.name, size: one.content.length, crc: 0, streamed: false },
    }))
    const end = directoryOf(Array.from({ length: 10 }, () => entries).flat())
    const source = {
      size,
      read: (from: number, to: number) => {
        reads.push(to - from)
        if (from < 100) return zipped([MIME]).subarray(from, to)
        return from >= size - end.length
          ? end.subarray(end.length - (size - from), end.length - (size - to))
          : Buffer.alloc(to - from)
      },
    }
    expect(() => readContainer(source, BUNDLE_TYPE))
      .to.throw(RegistryError)
      .with.nested.property('details.reason', 'tooLarge')
    expect(Math.max(...reads)).to.be.below(200)
    expect(containerSize(entries)).to.be.above(1_000_000)
  })

  it('of 8 GiB that are only declared is refused', () => {
    const wide = { name: 'a', size: 8 * 2 ** 30, crc: 0, streamed: false }
    const directory = directoryOf([wide])
    const mime = zipped([MIME]).subarray(0, 38 + BUNDLE_TYPE.length)
    expect(readingOf(Buffer.concat([mime, localRecord(wide), directory]))).to.match(/^formChanged/)
  })
})
