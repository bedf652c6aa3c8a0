import { isIPv6 } from 'node:net'

const IPV6_NETWORK_GROUPS = 4

/** An IPv4 address, or the network of 64 bits that one IPv6 subscriber has at least. */
export function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip
  if (!isIPv6(ip) || ip.includes('.')) return ip.replace(/^::ffff:/i, '')
  const [head = '', tail] = ip.split('::')
  const groups = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - last.length
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...last]
  return all
    .slice(0, IPV6_NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
