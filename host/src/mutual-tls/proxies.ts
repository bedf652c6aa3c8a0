import { BlockList, isIP } from 'node:net'

/** The trusted proxies in front of a host. */
export interface ProxySettings {
  /** Addresses or networks, such as `10.0.0.7` or `10.0.0.0/24`. */
  readonly trusted: readonly string[]
  /** Name of the header that carries a client certificate (RFC 9440), if any. */
  readonly certificateHeader: string | undefined
}

export const noProxies: ProxySettings = { trusted: [], certificateHeader: undefined }

/** True for an address (`10.0.0.7`) or a network (`10.0.0.0/24`, `fd00::/8`). */
export function isNetwork(text: string): boolean {
  const [address = '', length, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128))
}

/** Makes a test for addresses that belong to a list of addresses and networks. */
export function addressTest(networks: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', length] = network.split('/')
    const family = familyOf(address)
    if (length === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(length), family)
  }
  return (address) => address !== undefined && isIP(address) !== 0 && list.check(address, familyOf(address))
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
