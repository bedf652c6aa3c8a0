import { keyUsageNames } from '#verifier/x509/key-usage.js'
import { der, integerDer, oidDer } from '../der.js'

/** Encodes an extension. */
export const extension = (oid: string, value: Uint8Array, critical = false): Buffer =>
  der(0x30, oidDer(oid), ...(critical ? [TRUE] : []), der(0x04, value))

const TRUE = der(0x01, Buffer.of(0xff))

export const basicConstraints = (ca: boolean, pathLength?: number): Buffer =>
  extension(
    '2.5.29.19',
    der(0x30, ...(ca ? [TRUE] : []), ...(pathLength === undefined ? [] : [integerDer(pathLength)])),
    true,
  )

export const keyUsage = (...names: (typeof keyUsageNames)[number][]): Buffer =>
  extension(
    '2.5.29.15',
    namedBits(
      0x03,
      names.map((name) => keyUsageNames.indexOf(name)),
    ),
    true,
  )

/** Encodes a named-bit list. */
export function namedBits(tag: number, bits: readonly number[]): Buffer {
  const last = Math.max(...bits)
  const octets = Buffer.alloc((last >> 3) + 1)
  for (const bit of bits) octets[bit >> 3] = (octets[bit >> 3] as number) | (0x80 >> (bit & 7))
  return der(tag, Buffer.of(7 - (last & 7)), octets)
}

export const extKeyUsage = (...oids: string[]): Buffer => extension('2.5.29.37', der(0x30, ...oids.map(oidDer)))

export const subjectKeyIdentifier = (text: string): Buffer => extension('2.5.29.14', der(0x04, Buffer.from(text)))
export const authorityKeyIdentifier = (text: string): Buffer =>
  extension('2.5.29.35', der(0x30, der(0x80, Buffer.from(text))))

/** General names, encoded. */
export const general = {
  email: (text: string): Buffer => der(0x81, Buffer.from(text, 'latin1')),
  dns: (text: string): Buffer => der(0x82, Buffer.from(text, 'latin1')),
  directory: (name: Uint8Array): Buffer => der(0xa4, name),
  uri: (text: string): Buffer => der(0x86, Buffer.from(text, 'latin1')),
  ip: (...octets: number[]): Buffer => der(0x87, Buffer.from(octets)),
  other: (oid: string): Buffer => der(0xa0, oidDer(oid), der(0xa0, der(0x05))),
}

export const subjectAltName = (...names: Buffer[]): Buffer => extension('2.5.29.17', der(0x30, ...names))

export const nameConstraints = ({
  permitted = [],
  excluded = [],
}: {
  permitted?: Buffer[]
  excluded?: Buffer[]
}): Buffer =>
  extension(
    '2.5.29.30',
    der(
      0x30,
      ...(permitted.length === 0 ? [] : [der(0xa0, ...permitted.map((name) => der(0x30, name)))]),
      ...(excluded.length === 0 ? [] : [der(0xa1, ...excluded.map((name) => der(0x30, name)))]),
    ),
    true,
  )

export const certificatePolicies = (...oids: string[]): Buffer =>
  extension('2.5.29.32', der(0x30, ...oids.map((oid) => der(0x30, oidDer(oid)))))

export const policyMappings = (...pairs: [string, string][]): Buffer =>
  extension('2.5.29.33', der(0x30, ...pairs.map(([from, to]) => der(0x30, oidDer(from), oidDer(to)))), true)

export const requireExplicitPolicy = (after: number): Buffer =>
  extension('2.5.29.36', der(0x30, integerDer(after, 0x80)), true)

/** One distribution point: full names, reason bits and CRL issuer. */
export const distributionPoints = (
  ...points: { names?: Buffer[]; reasons?: number[]; issuer?: Uint8Array }[]
): Buffer =>
  extension(
    '2.5.29.31',
    der(
      0x30,
      ...points.map(({ names, reasons, issuer }) =>
        der(
          0x30,
          ...(names === undefined ? [] : [der(0xa0, der(0xa0, ...names))]),
          ...(reasons === undefined ? [] : [namedBits(0x81, reasons)]),
          ...(issuer === undefined ? [] : [der(0xa2, general.directory(issuer))]),
        ),
      ),
    ),
  )

/** Scope of a CRL; `flags` are context tags of the booleans: 1 user, 2 authority, 4 indirect, 5 attribute. */
export const issuingDistributionPoint = ({
  names,
  reasons,
  flags = [],
}: {
  names?: Buffer[]
  reasons?: number[]
  flags?: number[]
}): Buffer => {
  const flag = (number: number) => (flags.includes(number) ? [der(0x80 | number, Buffer.of(0xff))] : [])
  const value = der(
    0x30,
    ...(names === undefined ? [] : [der(0xa0, der(0xa0, ...names))]),
    ...flag(1),
    ...flag(2),
    ...(reasons === undefined ? [] : [namedBits(0x83, reasons)]),
    ...flag(4),
    ...flag(5),
  )
  return extension('2.5.29.28', value, true)
}

/** Extensions of CRL entries. */
export const reasonCode = (code: number): Buffer => extension('2.5.29.21', der(0x0a, Buffer.of(code)))
export const certificateIssuer = (name: Uint8Array): Buffer =>
  extension('2.5.29.29', der(0x30, general.directory(name)), true)
