/** Encodes one DER element of these contents. */
export function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const body = Buffer.concat(contents)
  return Buffer.concat([Buffer.of(tag), lengthDer(body.length), body])
}

function lengthDer(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length)
  const hex = length.toString(16)
  const octets = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return Buffer.concat([Buffer.of(0x80 | octets.length), octets])
}

/** Encodes an OBJECT IDENTIFIER. */
export function oidDer(oid: string): Buffer {
  const [first = 0n, second = 0n, ...rest] = oid.split('.').map(BigInt)
  const octets = [first * 40n + second, ...rest].flatMap((arc) => {
    const groups = [Number(arc & 0x7fn)]
    for (let left = arc >> 7n; left > 0n; left >>= 7n) groups.unshift(Number(left & 0x7fn) | 0x80)
    return groups
  })
  return der(0x06, Buffer.from(octets))
}

/** Encodes a string, or octets that may be none: UTF8String unless told. */
export const textDer = (text: string | Uint8Array, tag = 0x0c): Buffer =>
  der(tag, typeof text === 'string' ? Buffer.from(text, tag === 0x14 ? 'latin1' : 'utf8') : text)

/** Encodes a Name of RDNs, each a list of `[oid, text, tag]`. */
export const nameDer = (...rdns: [oid: string, text: string | Uint8Array, tag?: number][][]): Buffer =>
  der(
    0x30,
    ...rdns.map((rdn) => der(0x31, ...rdn.map(([oid, text, tag]) => der(0x30, oidDer(oid), textDer(text, tag))))),
  )

/** Encodes an INTEGER that is not negative. */
export function integerDer(value: number | bigint, tag = 0x02): Buffer {
  const hex = value.toString(16)
  const octets = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return der(tag, ...((octets[0] as number) >= 0x80 ? [Buffer.of(0)] : []), octets)
}
