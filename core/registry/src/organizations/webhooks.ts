import { checkCount } from '../kernel/field-length.js'
import { isPublicAddress } from '../kernel/network-address.js'
import { type AllowedPorts, portOf } from '../kernel/outbound.js'
import { port } from '../kernel/port.js'
import { organizationErrors } from './errors.js'
import type { Webhooks } from './schema.js'

/** Addresses that webhooks may lead to: the public Internet only, or any, for installations inside one network. */
export type WebhookAddresses = 'public' | 'any'
export const WebhookAddresses = port<WebhookAddresses>('WebhookAddresses', 'defaulted')

/** Ports that webhooks may lead to: 80 and 443 unless the operator allows more. */
export type WebhookPorts = AllowedPorts
export const WebhookPorts = port<WebhookPorts>('WebhookPorts', 'defaulted')
export const usualWebhookPorts: WebhookPorts = [443, 80]

/** Rules for webhook addresses. */
export interface WebhookRules {
  readonly addresses: WebhookAddresses
  readonly ports: WebhookPorts
  readonly maxUrls: number
}

const MAX_URL = 2048
const LOCAL_NAME = /^(?:[^.]+|.+\.(?:localhost|local|internal|lan|home|corp|intranet|home\.arpa))$/

/** Reads the webhook addresses of an organization; refuses those that cannot or must not be called. */
export function readWebhooks({ urls = [], routingUrls = [] }: Partial<Webhooks>, rules: WebhookRules): Webhooks {
  for (const [field, list] of Object.entries({ urls, routingUrls })) {
    checkCount(`webhooks.${field}`, list, rules.maxUrls)
    for (const [index, url] of list.entries()) {
      const reason = faultOf(url, rules)
      if (reason !== undefined)
        throw organizationErrors.error('invalidUrl', { field: `webhooks.${field}`, index, reason })
    }
  }
  return { urls: [...urls], routingUrls: [...routingUrls] }
}

/** Why an address cannot be a webhook. What a host name resolves to is checked at delivery. */
function faultOf(text: string, { addresses, ports }: WebhookRules): string | undefined {
  if (text.length > MAX_URL) return 'tooLong'
  // URL parsers silently drop or replace these, so what is shown would not be what is called.
  if (/[\s\\]|\p{Cc}/u.test(text) || !URL.canParse(text)) return 'notUrl'
  const url = new URL(text)
  const { protocol, hostname } = url
  if (protocol !== 'http:' && protocol !== 'https:') return 'scheme'
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1]
  if (authority === undefined) return 'notUrl'
  if (authority.includes('@')) return 'credentials'
  if (addresses !== 'any' && !isPublicHost(hostname)) return 'localAddress'
  return ports === 'any' || ports.includes(portOf(url)) ? undefined : 'port'
}

function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '')
  // `URL` normalizes every form of an IPv4 address (octal, hexadecimal, one number) to dotted decimal.
  const isAddress = host.includes(':') || /^[\d.]+$/.test(host)
  return isAddress ? isPublicAddress(host) : !LOCAL_NAME.test(host)
}
