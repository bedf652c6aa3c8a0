import { domainToASCII } from 'node:url'

/** An address as it is sent to: the domain in the letters of DNS. */
export function sendable(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1)) || address.slice(at + 1).toLowerCase()}`
}

/** The same for every spelling of an address: mail servers tell no `Name` from `name`. */
export const spelling = (address: string): string => sendable(address).normalize('NFKC').toLowerCase()
