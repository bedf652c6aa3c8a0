import { createHash } from 'node:crypto'
import { newLinkSecret } from '../kernel/ids.js'
import type { Site } from '../kernel/site.js'
import { codeWithLogo } from '../qr/index.js'
import type { AnnouncedProcedure, Announcement, MobileApp } from './mobile-app.js'

/** Address of API 1 of the app. */
export const appAddress = ({ baseUrl }: Site, secret: string): string => `${baseUrl}/api/govQr/app/${secret}`

/** Address of API 2 for one phone. */
export const documentsAddress = (site: Site, secret: string): string => `${appAddress(site, secret)}/documents`

/** Text of the QR code, which only the app's scanner understands. */
const qrText = (address: string): string => `mobileSign:${address}`

/** Links that open the apps on the same device (domain.md, "Launch links and the app"). */
function launchLinks(address: string) {
  const link = encodeURIComponent(`${address}?mgovSign`)
  const mobile = `https://m.egov.kz/mobileSign/?link=${link}&isi=1476128386&ibi=kz.egov.mobile&apn=kz.mobile.mgov`
  const business = `https://m.egov.kz/businessSign/?link=${link}&isi=1597880144&ibi=kz.mobile.mgov.business&apn=kz.mobile.mgov.business`
  return { govMobileLaunchLink: mobile, govBusinessLaunchLink: business }
}

/** What API 1 gives to one phone: a token, and the secret in its address, which does not reveal the token. */
export interface Phone {
  readonly token: string
  readonly secret: string
}

export function newPhone(): Phone {
  const token = newLinkSecret()
  return { token, secret: phoneSecret(token) }
}

/** The secret that belongs to a token. */
export const phoneSecret = (token: string): string =>
  createHash('sha256').update(`address of API 2\n${token}`).digest('base64url')

/** Where the result of a raw procedure is fetched and its data is sent. */
export function callerAddresses({ baseUrl, systemsUrl = baseUrl }: Site, secret: string, isMutualTls: boolean) {
  const path = `/api/govQr/${secret}`
  const [plain, mutual] = [`${baseUrl}${path}`, `${systemsUrl}${path}`]
  return { plain, mutual, auto: isMutualTls ? mutual : plain }
}

/** The app calls this service directly. */
export class DirectApp implements MobileApp {
  static readonly inject = {}

  async announce({ address, logo }: AnnouncedProcedure): Promise<Announcement> {
    return { qrCode: codeWithLogo(qrText(address), logo), ...launchLinks(address) }
  }
}
