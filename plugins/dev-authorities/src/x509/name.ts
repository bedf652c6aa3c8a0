import { ia5String, oid, printableString, sequence, set, utf8String } from '../der/writer.js'

/** Attributes that national certificates carry; 2.5.4.42 holds the patronymic. */
const ATTRIBUTES = {
  CN: { oid: '2.5.4.3', write: utf8String },
  SURNAME: { oid: '2.5.4.4', write: utf8String },
  SERIALNUMBER: { oid: '2.5.4.5', write: printableString },
  C: { oid: '2.5.4.6', write: printableString },
  L: { oid: '2.5.4.7', write: utf8String },
  ST: { oid: '2.5.4.8', write: utf8String },
  O: { oid: '2.5.4.10', write: utf8String },
  OU: { oid: '2.5.4.11', write: utf8String },
  BC: { oid: '2.5.4.15', write: utf8String },
  GIVENNAME: { oid: '2.5.4.42', write: utf8String },
  UID: { oid: '0.9.2342.19200300.100.1.1', write: utf8String },
  DC: { oid: '0.9.2342.19200300.100.1.25', write: ia5String },
  E: { oid: '1.2.840.113549.1.9.1', write: ia5String },
} as const

export type NameAttribute = readonly [type: keyof typeof ATTRIBUTES, value: string | undefined]

/** A Name with one attribute in each RDN, in the order given; attributes without a value are left out. */
export function name(...attributes: readonly NameAttribute[]): Buffer {
  const rdns: Buffer[] = []
  for (const [type, value] of attributes) {
    const attribute = ATTRIBUTES[type]
    if (value !== undefined) rdns.push(set(sequence(oid(attribute.oid), attribute.write(value))))
  }
  return sequence(...rdns)
}
