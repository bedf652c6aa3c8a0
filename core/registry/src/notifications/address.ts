import { domainToASCII } from 'node:url'

/** An address as it is sent to: its domain in Punycode. */
export function sendable(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1)) || address.slice(at + 1).toLowerCase()}`
}

/** The same for every spelling of an address: mail servers ignore case. */
export const spelling = (address: string): string => sendable(address).normalize('NFKC').toLowerCase()

// One mailbox (RFC 5321 section 4.1.2, dot-atom and host name): no display name, no quotes, no address literal.
const LOCAL_PART = /^[\p{L}\p{N}!#$%&'*+\-/=?^_`{|}~]+(\.[\p{L}\p{N}!#$%&'*+\-/=?^_`{|}~]+)*$/u
const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?`
// Resolvers take a name that ends in a number for an IP address, so the last label is letters or Punycode. Internationalized
// names are accepted as written (RFC 6531) or in Punycode.
const TOP = String.raw`(?!localhost$)(?:\p{L}{2,63}|xn--[a-z\d](?:[a-z\d-]{0,57}[a-z\d])?)`
const HOST = new RegExp(`^(?:${LABEL}\\.)+${TOP}$`, 'iu')

/** True for one mailbox of at most 254 characters, at a name of the Internet, without a display name. */
export function isEmailAddress(address: string): boolean {
  if (address.length > 254) return false
  const at = address.lastIndexOf('@')
  const [local, host] = [address.slice(0, at), address.slice(at + 1)]
  // DNS maps some letters to others, such as full-width ones.
  const isHost = HOST.test(host) && HOST.test(domainToASCII(host) || host)
  return at > 0 && local.length <= 64 && LOCAL_PART.test(local) && isHost
}
