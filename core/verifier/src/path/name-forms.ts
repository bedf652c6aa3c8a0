import { octetAt } from '../der/reader.js'
import type { GeneralName } from '../x509/general-name.js'
import type { Name, NameAttribute } from '../x509/name.js'
import { preparedText } from '../x509/name-comparison.js'

/**
 * Matching of a name against a subtree of a name constraint (RFC 5280 section 4.2.1.10). `covers`: all of the name is inside,
 * for permitted subtrees; `touches`: part of it may be inside, for excluded ones. Malformed names and subtrees are never
 * covered and, where it matters, always touched.
 */
export interface NameForm {
  covers(name: GeneralName, subtree: GeneralName): boolean
  touches(name: GeneralName, subtree: GeneralName): boolean
  /** Whether it cannot be decided if the name is inside. */
  isUnclear?(name: GeneralName, subtree: GeneralName): boolean
}

const HOST = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/
const ALL_DIGITS_LAST = /(?:^|\.)\d+$/

const isHost = (host: string): boolean => HOST.test(host) && !ALL_DIGITS_LAST.test(host)
const isInside = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)
const without = (text: string, sign: string): string => (text.startsWith(sign) ? text.slice(sign.length) : text)

const dns: NameForm = {
  covers(name, subtree) {
    const host = name.value.toLowerCase()
    const domain = subtree.value.toLowerCase()
    if (!isHost(without(host, '*.')) || (domain !== '' && !isHost(domain))) return false
    return domain === '' || isInside(without(host, '*.'), domain)
  },
  touches(name, subtree) {
    const host = name.value.toLowerCase()
    const domain = without(subtree.value.toLowerCase(), '.')
    const base = without(host, '*.')
    if (!isHost(base) || domain === '' || !isHost(domain)) return true
    return isInside(base, domain) || (base !== host && domain.endsWith(`.${base}`))
  },
}

/** A subtree of an e-mail or URI constraint: one host, or with a leading dot all hosts below a domain. */
const hostCovered = (host: string, subtree: string): boolean =>
  subtree.startsWith('.') ? host.endsWith(subtree) && isHost(subtree.slice(1)) : host === subtree && isHost(subtree)

const isHostSubtree = (subtree: string): boolean => isHost(without(subtree, '.'))

const mail: NameForm = {
  covers(name, subtree) {
    const box = mailbox(name.value)
    if (box === undefined) return false
    const bound = mailbox(subtree.value)
    if (bound !== undefined) return bound.local === box.local && bound.host === box.host
    return hostCovered(box.host, subtree.value.toLowerCase())
  },
  touches(name, subtree) {
    const box = mailbox(name.value)
    if (box === undefined) return true
    const bound = mailbox(subtree.value)
    if (bound !== undefined) return bound.local.toLowerCase() === box.local.toLowerCase() && bound.host === box.host
    const domain = subtree.value.toLowerCase()
    return !isHostSubtree(domain) || hostCovered(box.host, domain)
  },
}

function mailbox(address: string): { local: string; host: string } | undefined {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const host = address.slice(at + 1).toLowerCase()
  const fine = at > 0 && isHost(host) && /^(?:[^\s"@]+|"[^"\\]*")$/.test(local)
  return fine ? { local, host } : undefined
}

const uri: NameForm = {
  covers(name, subtree) {
    const host = uriHost(name.value)
    return host !== undefined && hostCovered(host, subtree.value.toLowerCase())
  },
  touches(name, subtree) {
    const host = uriHost(name.value)
    const domain = subtree.value.toLowerCase()
    return host === undefined || !isHostSubtree(domain) || hostCovered(host, domain)
  },
}

/** The host of a URI if it is a domain name. */
function uriHost(text: string): string | undefined {
  if (/[^!-~]|\\/.test(text)) return undefined
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(text)?.[1]
  const host = authority
    ?.slice(authority.lastIndexOf('@') + 1)
    .replace(/:\d*$/, '')
    .toLowerCase()
  return host !== undefined && isHost(host) ? host : undefined
}

const directory: NameForm = {
  covers: (name, subtree) => name.name !== undefined && subtree.name !== undefined && name.name.isWithin(subtree.name),
  touches: (name, subtree) => directory.covers(name, subtree),
  isUnclear: (name, subtree) =>
    name.name === undefined || subtree.name === undefined || placeOf(name.name, subtree.name) === 'unclear',
}

const address: NameForm = {
  covers: (name, subtree) => isContiguous(subtree.octets) && masked(name.octets, subtree.octets),
  touches: (name, subtree) => masked(name.octets, subtree.octets),
}

function masked(octets: Uint8Array | undefined, subtree: Uint8Array | undefined): boolean {
  if (octets === undefined || subtree === undefined || subtree.length !== 2 * octets.length) return false
  return octets.every((octet, index) => {
    const mask = octetAt(subtree, octets.length + index)
    return (octet & mask) === (octetAt(subtree, index) & mask)
  })
}

/** Whether the mask of a subtree is a CIDR prefix (RFC 4632). */
function isContiguous(subtree: Uint8Array | undefined): boolean {
  if (subtree === undefined) return false
  const bits = [...subtree.subarray(subtree.length / 2)].map((octet) => octet.toString(2).padStart(8, '0')).join('')
  return /^1*0*$/.test(bits)
}

/** Supported name forms; a constraint on another form refuses every name of that form. */
export const nameForms: ReadonlyMap<GeneralName['type'], NameForm> = new Map([
  ['dNSName', dns],
  ['rfc822Name', mail],
  ['uniformResourceIdentifier', uri],
  ['directoryName', directory],
  ['iPAddress', address],
])

type Rdn = readonly NameAttribute[]

/**
 * Position of a name relative to the subtree below `base` (RFC 5280 section 7.1). `unclear` if it differs only in values that
 * are not text, such as invalid UTF-8, which implementations interpret differently.
 */
function placeOf(name: Name, base: Name): 'inside' | 'outside' | 'unclear' {
  if (name.isWithin(base)) return 'inside'
  const mayBeInside = base.rdns.every((rdn, index) => {
    const other = name.rdns[index]
    return other !== undefined && (base.keys[index] === name.keys[index] || mayBeSame(rdn, other))
  })
  return mayBeInside ? 'unclear' : 'outside'
}

/** Whether two RDNs differ only in values that are not text. */
const mayBeSame = (a: Rdn, b: Rdn): boolean =>
  [...a, ...b].some(({ valueInB64 }) => valueInB64) && a.length === b.length && hasTwins(a, b) && hasTwins(b, a)

const hasTwins = (a: Rdn, b: Rdn): boolean => a.every((one) => b.some((other) => mayBeEqual(one, other)))

const mayBeEqual = (a: NameAttribute, b: NameAttribute): boolean =>
  a.oid === b.oid && (a.valueInB64 || b.valueInB64 || preparedText(a.value) === preparedText(b.value))
