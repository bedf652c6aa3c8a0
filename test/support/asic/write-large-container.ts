import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Subject } from '@signed-registry/dev-authorities'
import { ASIC_E, manifest } from './containers.js'
import { centralRecord, directoryOf, record } from './write-zip.js'

const PIECE = Buffer.alloc(1024 * 1024, 'The buyer pays 100. ')
const STORED = { flags: 0, method: 0 }

/** An ASiC-E container with one large file, stored, written to a path a piece at a time. */
export function writeLargeContainer(path: string, mebibytes: number, signer: Subject): void {
  const size = mebibytes * PIECE.length
  const hash = createHash('sha256')
  let crc = 0
  for (let piece = 0; piece < mebibytes; piece += 1) {
    hash.update(PIECE)
    crc = crc32(PIECE, crc)
  }
  const signature = 'META-INF/signature.p7s'
  const digest = hash.digest('base64')
  const own = manifest(signature, [{ name: 'large.bin', content: Buffer.alloc(0) }], { digest: () => digest })
  const small = {
    mimetype: Buffer.from(ASIC_E),
    'META-INF/ASiCManifest.xml': own,
    [signature]: signer.signCms(own, { timeStamp: true, ocsp: true }),
  }
  const central: Buffer[] = []
  const file = openSync(path, 'w')
  let at = 0
  const write = (octets: Uint8Array) => {
    writeSync(file, octets)
    at += octets.length
  }
  const begin = (name: string, numbers: readonly number[]) => {
    central.push(centralRecord(STORED, numbers, name, at))
    write(record(0x04034b50, STORED, numbers, name, Buffer.alloc(0)))
  }
  for (const [name, content] of Object.entries(small)) {
    begin(name, [crc32(content), content.length, content.length])
    write(content)
    if (name !== 'mimetype') continue
    begin('large.bin', [crc, size, size])
    for (let piece = 0; piece < mebibytes; piece += 1) write(PIECE)
  }
  write(directoryOf(central, at))
  closeSync(file)
}
