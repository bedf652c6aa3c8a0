// One mailbox (RFC 5321 section 4.1.2, dot-atom and host name): no display name, no quotes, no address literal.
const LOCAL_PART = /^[\p{L}\p{N}!#$%&'*+\-/=?^_`{|}~]+(\.[\p{L}\p{N}!#$%&'*+\-/=?^_`{|}~]+)*$/u
const HOST = /^[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?(\.[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?)+$/u

/** True for one mailbox of at most 254 characters without a display name. */
export function isEmailAddress(address: string): boolean {
  if (address.length > 254) return false
  const at = address.lastIndexOf('@')
  const [local, host] = [address.slice(0, at), address.slice(at + 1)]
  return at > 0 && local.length <= 64 && LOCAL_PART.test(local) && HOST.test(host)
}
