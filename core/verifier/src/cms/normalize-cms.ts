import { type BerElement, BerReader, strictly } from '../der/ber.js'
import { contextConstructed, OBJECT_IDENTIFIER, OCTET_STRING, SEQUENCE, SET } from '../der/fields.js'
import { readOid } from '../der/oid.js'
import { DerError } from '../der/reader.js'
import { writeElement } from '../der/writer.js'
import { cmsOids } from './oids.js'

/** Real ones have segments of a kilobyte or more, and a depth of 20 with a time stamp inside. */
export const NORMALIZING = { elements: 400_000, depth: 32 }

/** How an element is written as DER. */
type Rule = (element: BerElement, ber: BerReader, depth: number) => Uint8Array

/**
 * Converts a CMS from BER (X.690, 8) to DER: definite minimal lengths, primitive octet strings. Only unsigned parts are
 * reencoded: signed attributes, certificates, CRLs and OCSP responses must be DER already and are copied, as are unknown
 * unsigned attributes. DER is returned unchanged. Throws DerError.
 */
export function normalizeCms(bytes: Uint8Array): Uint8Array {
  const ber = new BerReader(NORMALIZING)
  const element = ber.element(bytes)
  if (element.after !== bytes.length) throw new DerError('trailing bytes')
  return contentInfo(element, ber, 0)
}

const copied: Rule = (element) => strictly(element)

const octets: Rule = (element, ber, depth) => writeElement(OCTET_STRING, ...ber.octets(element, depth + 1))

/** Any element; of a primitive one only the length is reencoded. */
const reencoded: Rule = (element, ber, depth) => {
  const { tag, source, content, end } = element
  if ((tag & 0x20) === 0) return writeElement(tag, source.subarray(content, end))
  return constructed(() => reencoded)(element, ber, depth)
}

/** A constructed element whose members each have a rule. */
const constructed =
  (ruleOf: (member: BerElement, index: number, members: readonly BerElement[]) => Rule): Rule =>
  (element, ber, depth) => {
    const members = ber.children(element, depth + 1)
    const written = members.map((member, index) => ruleOf(member, index, members)(member, ber, depth + 1))
    return writeElement(element.tag, ...written)
  }

const each = (rule: Rule): Rule => constructed(() => rule)

/** Rules by tag; other members are `reencoded`. */
const byTag = (rules: Readonly<Record<number, Rule>>): Rule => constructed(({ tag }) => rules[tag] ?? reencoded)

/** RevocationValues (RFC 5126, 6.3.4): lists of what authorities signed. */
const revocationValues: Rule = byTag({
  [contextConstructed(0)]: each(each(copied)),
  [contextConstructed(1)]: each(each(copied)),
})

/** A time stamp is a CMS of its own; other values are copied. */
const unsignedAttribute: Rule = constructed((_, index, [type]) => {
  if (index === 0) return reencoded
  const oid = type?.tag === OBJECT_IDENTIFIER ? readOid(type) : undefined
  if (oid === cmsOids.signatureTimeStamp) return each((value, ber, depth) => contentInfo(value, ber, depth))
  return each(oid === cmsOids.revocationValues ? revocationValues : copied)
})

/** Signed attributes are `[0]`, unsigned ones `[1]`; a subject key identifier is `[0]` too, and primitive. */
const signerInfo: Rule = byTag({
  [contextConstructed(0)]: copied,
  [OCTET_STRING]: octets,
  [OCTET_STRING | 0x20]: octets,
  [contextConstructed(1)]: each(unsignedAttribute),
})

const encapContentInfo: Rule = byTag({ [contextConstructed(0)]: each(octets) })

const signedData: Rule = constructed((member, index, members) => {
  if (member.tag === SEQUENCE) return encapContentInfo
  if (member.tag === contextConstructed(0) || member.tag === contextConstructed(1)) return each(copied)
  return member.tag === SET && index === members.length - 1 ? each(signerInfo) : reencoded
})

const contentInfo: Rule = byTag({ [contextConstructed(0)]: each(signedData) })
