import type { Name, NameAttribute } from './name.js'
import { preparedText } from './name-comparison.js'

type Rdn = readonly NameAttribute[]

/**
 * Where a name stands to the subtree below `base` (RFC 5280 section 7.1). `unclear` when only values that are no text keep it
 * outside, such as octets that are not UTF-8: one reader sees another name in them than the next.
 */
export function placeOf(name: Name, base: Name): 'inside' | 'outside' | 'unclear' {
  if (name.isWithin(base)) return 'inside'
  const mayBeInside = base.rdns.every((rdn, index) => {
    const other = name.rdns[index]
    return other !== undefined && (base.keys[index] === name.keys[index] || mayBeSame(rdn, other))
  })
  return mayBeInside ? 'unclear' : 'outside'
}

/** Whether two RDNs differ in nothing but values that are no text. */
const mayBeSame = (a: Rdn, b: Rdn): boolean =>
  [...a, ...b].some(({ valueInB64 }) => valueInB64) && a.length === b.length && hasTwins(a, b) && hasTwins(b, a)

const hasTwins = (a: Rdn, b: Rdn): boolean => a.every((one) => b.some((other) => mayBeEqual(one, other)))

const mayBeEqual = (a: NameAttribute, b: NameAttribute): boolean =>
  a.oid === b.oid && (a.valueInB64 || b.valueInB64 || preparedText(a.value) === preparedText(b.value))
