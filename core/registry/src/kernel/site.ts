import { port } from './port.js'

/** The service as people see it: in mails, on cards, behind QR codes. */
export interface Site {
  /** The base of links, without a trailing slash. */
  readonly baseUrl: string
  /** Name of the service; the host of its address unless an operator says otherwise. */
  readonly name: string
  /** Address for information systems, which authenticate by mutual TLS; `baseUrl` where there is no other. */
  readonly systemsUrl?: string | undefined
}
export const Site = port<Site>('Site', 'defaulted')

/** A service at an address, named for its host. */
export const siteAt = (baseUrl: string, name?: string, systemsUrl?: string): Site => ({
  baseUrl: baseUrl.replace(/\/+$/, ''),
  name: name ?? new URL(baseUrl).host,
  ...(systemsUrl !== undefined && { systemsUrl: systemsUrl.replace(/\/+$/, '') }),
})

/** A service on this machine only. */
export const localSite = siteAt('http://127.0.0.1:8080')

/** The page of a document. */
export const documentPage = ({ baseUrl }: Site, documentId: string): string => `${baseUrl}/d/${documentId}`

/** The prefix of a log: of its checkpoint and tiles. */
export const logAddress = ({ baseUrl }: Site, name: string): string => `${baseUrl}/log/${name}`

/** The page of an item, as one side sees it. */
export const itemPage = ({ baseUrl }: Site, side: 'incoming' | 'outgoing', itemId: string): string =>
  `${baseUrl}/${side}/${itemId}`

/** The logo of an organization that has one, for everybody. */
export const brandLogo = ({ baseUrl }: Site, businessId: string): string => `${baseUrl}/brand/${businessId}/logo.png`

/** The page of a package. */
export const packagePage = ({ baseUrl }: Site, packageId: string): string => `${baseUrl}/p/${packageId}`
