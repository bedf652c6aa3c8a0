import { crc32 } from 'node:zlib'
import { type ZipPart, zipOf } from './write-zip.js'

/** A ZIP in which some programs find something else than others, or none find anything wrong. */
export interface OddZip {
  readonly name: string
  /** The reason of the refusal; none of what every program reads in the same way. */
  readonly refused?: string
  make(): Buffer
}

const one: ZipPart = { name: 'a.txt', content: 'The buyer pays 100' }
const other: ZipPart = { name: 'folder/b.txt', content: 'again '.repeat(50), deflated: true }
const plain = () => zipOf([one, other])
const twins = (...names: readonly string[]) => zipOf(names.map((name) => ({ name, content: name, flags: 0x0800 })))

const CENTRAL = Buffer.from('504b0102', 'hex')
const END = 22

/** The first record of the directory, or the first local header, with other octets in it. */
function patched(zip: Buffer, in_: 'local' | 'central', change: (record: Buffer) => void): Buffer {
  const made = Buffer.from(zip)
  change(made.subarray(in_ === 'local' ? 0 : made.indexOf(CENTRAL)))
  return made
}

/** The kind of the first file as Unix has it, and as DOS has it. */
const ofKind = (mode: number, dos = 0) =>
  patched(plain(), 'central', (record) => {
    record.writeUInt16LE(0x0314, 4)
    record.writeUInt32LE(((mode << 16) | dos) >>> 0, 38)
  })

function extra(id: number, ...data: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(id, 0)
  head.writeUInt16LE(Buffer.concat(data).length, 2)
  return Buffer.concat([head, ...data])
}

const long = (...numbers: readonly number[]) =>
  Buffer.concat(
    numbers.map((number) => {
      const made = Buffer.alloc(8)
      made.writeBigUInt64LE(BigInt(number))
      return made
    }),
  )

/** The name of a file in Unicode (4.6.9), which is another one. */
function otherName(name: string, as: string): Buffer {
  const head = Buffer.alloc(5, 1)
  head.writeUInt32LE(crc32(name), 1)
  return extra(0x7075, head, Buffer.from(as))
}

/** Sizes of the first file as its local header says them in 64 bits. */
const localLong = (...numbers: readonly number[]) =>
  patched(zipOf([{ ...one, extra: extra(1, long(...numbers)) }, other]), 'local', (head) => {
    head.writeUInt32LE(0xffffffff, 18)
    head.writeUInt32LE(0xffffffff, 22)
  })

/** A record at the end in 64 bits (4.3.14), and what the shorter one says besides. */
function zip64(short: { readonly count?: number; readonly from?: number } = {}, disk = 0): Buffer {
  const zip = plain()
  const at = zip.length - END
  const [count, size, from] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 12), zip.readUInt32LE(at + 16)]
  const record = Buffer.alloc(24)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeUInt32LE(44, 4)
  record.writeUInt16LE(45, 12)
  record.writeUInt16LE(45, 14)
  record.writeUInt32LE(disk, 16)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeUInt32LE(at, 8)
  locator.writeUInt32LE(1, 16)
  const end = Buffer.from(zip.subarray(at))
  end.writeUInt16LE(short.count ?? 0xffff, 8)
  end.writeUInt16LE(short.count ?? 0xffff, 10)
  end.writeUInt32LE(0xffffffff, 12)
  end.writeUInt32LE(short.from ?? 0xffffffff, 16)
  return Buffer.concat([zip.subarray(0, at), record, long(count, count, size, from), locator, end])
}

const form = (name: string, make: () => Buffer): OddZip => ({ name, refused: 'formChanged', make })

export const oddZips: readonly OddZip[] = [
  { name: 'files one after the other', make: plain },
  { name: 'a file whose sizes stand behind it', make: () => zipOf([{ ...other, streamed: true }, one]) },
  { name: 'a comment', make: () => zipOf([one], { comment: 'a comment' }) },
  { name: 'folders', make: () => zipOf([{ name: 'folder/', content: '' }, one, other]) },
  { name: 'a record at the end in 64 bits', make: () => zip64() },
  { name: 'sizes in 64 bits', make: () => localLong(18, 18) },
  { name: 'kinds of files as Unix has them', make: () => ofKind(0o100644) },
  form('another name in a local header', () => zipOf([{ ...one, says: { localName: 'b.txt' } }])),
  form('another name in Unicode in a local header', () =>
    zipOf([{ ...one, extra: otherName('a.txt', 'evil.txt') }, other]),
  ),
  form('other sizes in 64 bits in a local header', () => localLong(3, 3)),
  form('no sizes in a local header', () => patched(plain(), 'local', (head) => head.writeUInt32LE(0xffffffff, 18))),
  form('sizes in 64 bits twice', () =>
    patched(
      zipOf([{ ...one, extra: Buffer.concat([extra(1, long(18, 18)), extra(1, long(3, 3))]) }]),
      'local',
      (head) => {
        head.writeUInt32LE(0xffffffff, 18)
        head.writeUInt32LE(0xffffffff, 22)
      },
    ),
  ),
  form('two records at the end that differ by the directory', () => zip64({ from: 5 })),
  form('two records at the end that differ by the number of files', () => zip64({ count: 1 })),
  form('several disks', () => zip64({}, 1)),
  form('a link', () => ofKind(0o120777)),
  form('a device', () => ofKind(0o020600)),
  form('a folder that is not called so', () => ofKind(0o040755)),
  form('a folder of DOS that is not called so', () => ofKind(0, 0x10)),
  form('a volume of DOS', () => ofKind(0, 0x08)),
  form('a folder that has a content', () => zipOf([{ name: 'folder/', content: 'hidden' }, one])),
  form('a file that the directory does not name', () => {
    const [hidden, zip] = [zipOf([{ name: 'hidden.txt', content: 'hidden' }]), plain()]
    const made = Buffer.concat([hidden.subarray(0, hidden.indexOf(CENTRAL)), zip])
    const at = made.length - END
    made.writeUInt32LE(made.readUInt32LE(at + 16) + hidden.indexOf(CENTRAL), at + 16)
    return made
  }),
  form('a file behind the directory', () => {
    const zip = plain()
    const hidden = zipOf([{ name: 'hidden.txt', content: 'hidden' }])
    const at = zip.length - END
    return Buffer.concat([zip.subarray(0, at), hidden.subarray(0, hidden.indexOf(CENTRAL)), zip.subarray(at)])
  }),
  form('something in front', () => Buffer.concat([Buffer.from('#!/bin/sh\n'), plain()])),
  form('something behind', () => Buffer.concat([plain(), Buffer.from('behind')])),
  form('another ZIP in the comment', () => zipOf([one], { comment: zipOf([]).toString('latin1') })),
  form('sizes behind a file that are others', () => {
    const zip = zipOf([{ ...other, streamed: true }, one])
    zip.writeUInt32LE(1, zip.indexOf(Buffer.from('504b0708', 'hex')) + 8)
    return zip
  }),
  { name: 'names that differ by case', refused: 'doubledName', make: () => twins('a.txt', 'A.TXT') },
  { name: 'names that differ by a final sigma', refused: 'doubledName', make: () => twins('ας.txt', 'ασ.txt') },
  { name: 'names that differ by ß', refused: 'doubledName', make: () => twins('ß.txt', 'ss.txt') },
  { name: 'names that differ by normal form', refused: 'doubledName', make: () => twins('é.txt', 'e\u0301.txt') },
  { name: 'one name twice', refused: 'doubledName', make: () => twins('a.txt', 'a.txt') },
  { name: 'a file and a folder of one name', refused: 'doubledName', make: () => twins('a.txt', 'a.txt/b.txt') },
  {
    ...{ name: 'a folder that is called as a file', refused: 'doubledName' },
    make: () => zipOf([{ name: 'a.txt/', content: '' }, one]),
  },
  { name: 'a folder that leads out', refused: 'unsafeName', make: () => zipOf([{ name: '../x/', content: '' }, one]) },
  { name: 'names that lead out', refused: 'unsafeName', make: () => twins('../a.txt') },
  { name: 'a backslash', refused: 'unsafeName', make: () => twins('folder\\a.txt') },
]
