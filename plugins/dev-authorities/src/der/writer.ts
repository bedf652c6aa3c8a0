/** One DER element: identifier octet, minimal length, content. */
export function element(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag]), lengthOctets(content.length), content])
}

function lengthOctets(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const octets = Buffer.from(evenHex(length.toString(16)), 'hex')
  return Buffer.concat([Buffer.from([0x80 | octets.length]), octets])
}

const evenHex = (hex: string) => (hex.length % 2 === 0 ? hex : `0${hex}`)

export const sequence = (...members: readonly Uint8Array[]) => element(0x30, ...members)
/** SET with members in the order given; `setOf` sorts them as DER asks. */
export const set = (...members: readonly Uint8Array[]) => element(0x31, ...members)
export const setOf = (members: readonly Uint8Array[]) => set(...[...members].sort(Buffer.compare))

/** Constructed context tag around whole elements. */
export const explicit = (number: number, ...members: readonly Uint8Array[]) => element(0xa0 | number, ...members)
/** Context tag in place of the element's own; the constructed bit is kept. */
export function implicit(number: number, original: Uint8Array): Buffer {
  const copy = Buffer.from(original)
  copy.writeUInt8(0x80 | (copy.readUInt8() & 0x20) | number)
  return copy
}

/** INTEGER from a number, or from unsigned big-endian bytes. */
export function integer(value: number | bigint | Uint8Array): Buffer {
  const bytes = value instanceof Uint8Array ? value : Buffer.from(evenHex(value.toString(16)), 'hex')
  let first = 0
  while (first < bytes.length - 1 && bytes[first] === 0) first += 1
  const magnitude = bytes.subarray(first)
  return (magnitude[0] ?? 0) >= 0x80 ? element(0x02, Buffer.from([0]), magnitude) : element(0x02, magnitude)
}

export const boolean = (value: boolean) => element(0x01, Buffer.from([value ? 0xff : 0]))
export const enumerated = (value: number) => element(0x0a, Buffer.from([value]))
export const octetString = (bytes: Uint8Array) => element(0x04, bytes)
export const bitString = (bytes: Uint8Array, unusedBits = 0) => element(0x03, Buffer.from([unusedBits]), bytes)
export const NULL = element(0x05)

/** BIT STRING of named bits: bit 0 is the most significant, trailing zeros are dropped (X.690 11.2.2). */
export function namedBits(bits: readonly number[]): Buffer {
  const last = Math.max(-1, ...bits)
  const bytes = Buffer.alloc((last + 8) >> 3)
  for (const bit of bits) bytes.writeUInt8(bytes.readUInt8(bit >> 3) | (0x80 >> (bit & 7)), bit >> 3)
  return bitString(bytes, last < 0 ? 0 : 7 - (last & 7))
}

export const utf8String = (text: string) => element(0x0c, Buffer.from(text, 'utf8'))
export const printableString = (text: string) => element(0x13, Buffer.from(text, 'latin1'))
export const ia5String = (text: string) => element(0x16, Buffer.from(text, 'latin1'))

const oids = new Map<string, Buffer>()

export function oid(dotted: string): Buffer {
  let encoded = oids.get(dotted)
  if (encoded === undefined) {
    const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
    encoded = element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
    oids.set(dotted, encoded)
  }
  return encoded
}

function base128(arc: number): number[] {
  const octets = [arc % 128]
  for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) octets.unshift(0x80 | (left % 128))
  return octets
}

const timeDigits = (time: number) => new Date(time).toISOString().replace(/[-:T]/g, '').slice(0, 14)

/** GeneralizedTime in whole seconds. */
export const generalizedTime = (time: number) => element(0x18, Buffer.from(`${timeDigits(time)}Z`, 'latin1'))

/** UTCTime up to 2049, GeneralizedTime from 2050 (RFC 5280 4.1.2.5). */
export const time = (moment: number) =>
  new Date(moment).getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(`${timeDigits(moment).slice(2)}Z`, 'latin1'))
    : generalizedTime(moment)
