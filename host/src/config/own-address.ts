import type { Config } from './config.js'

/** The URL for people that a host has unless BASE_URL says another. */
export const addressOf = ({ listen: { host, port }, tls }: Pick<Config, 'listen' | 'tls'>): string =>
  `${tls === undefined ? 'http' : 'https'}://${urlHost(host)}:${port}`

/** A host as URLs have it: IPv6 in brackets. */
export const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host)
