import { domainToASCII } from 'node:url'

/** An address as it is sent to: the domain in the letters of DNS. */
export function sendable(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1)) || address.slice(at + 1).toLowerCase()}`
}

/** The same for every spelling of an address: mail servers tell no `Name` from `name`. */
export const spelling = (address: string): string => sendable(address).normalize('NFKC').toLowerCase()

// One mailbox (RFC 5321 section 4.1.2, dot-atom and host name): no display name, no quotes, no address literal.
const LOCAL_PART = /^[\p{L}\p{N}!#$%&'*+\-/=?^_`{|}~]+(\.[\p{L}\p{N}!#$%&'*+\-/=?^_`{|}~]+)*$/u
const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?`
// What ends in a number is an IP address to whoever looks it up, also in octal and hexadecimal: the last label has letters alone, or
// is one in Punycode. Internationalized names are taken as written (RFC 6531), or in Punycode.
const TOP = String.raw`(?!localhost$)(?:\p{L}{2,63}|xn--[a-z\d](?:[a-z\d-]{0,57}[a-z\d])?)`
const HOST = new RegExp(`^(?:${LABEL}\\.)+${TOP}$`, 'iu')

/** True for one mailbox of at most 254 characters, at a name of the Internet, without a display name. */
export function isEmailAddress(address: string): boolean {
  if (address.length > 254) return false
  const at = address.lastIndexOf('@')
  const [local, host] = [address.slice(0, at), address.slice(at + 1)]
  // Some letters are others to DNS, such as those of full width.
  const isHost = HOST.test(host) && HOST.test(domainToASCII(host) || host)
  return at > 0 && local.length <= 64 && LOCAL_PART.test(local) && isHost
}
