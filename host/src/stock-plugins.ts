import { archiveFs } from '@signed-registry/archive-fs'
import { archiveS3 } from '@signed-registry/archive-s3'
import { bouncesMaildir } from '@signed-registry/bounces-maildir'
import { archiveEncryption, givingWay, type Plugin } from '@signed-registry/core'
import { ddcPdf } from '@signed-registry/ddc-pdf'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { govQrRelay } from '@signed-registry/gov-qr-relay'
import { mailerFiles } from '@signed-registry/mailer-files'
import { mailerSmtp } from '@signed-registry/mailer-smtp'
import { onlineAuthorities } from '@signed-registry/online-authorities'
import { pages } from '@signed-registry/pages'
import { scannerClamd } from '@signed-registry/scanner-clamd'
import { vehicleRegistration } from '@signed-registry/vehicle-registration'
import { webhookHttp } from '@signed-registry/webhook-http'
import { type Config, ConfigError } from './config/config.js'

/**
 * The plugins of the stock host: online authorities where trust anchors are configured, development authorities otherwise.
 * They give way: `[...stockPlugins(config), mine()]` replaces whatever `mine` provides.
 */
export const stockPlugins = (config: Config): Plugin[] => [
  ...[
    ...authoritiesOf(config),
    webhooksOf(config),
    ddcPdf({}),
    pagesOf(config),
    mailerOf(config),
    ...bouncesOf(config),
    ...scannerOf(config),
    ...vehiclesOf(config),
    ...relayOf(config),
  ].map(givingWay),
  ...archivePlugins(config),
]

/** What keeps originals, and encrypts them where there are keys. */
export const archivePlugins = ({ archive, archiveKeys }: Config): Plugin[] => [
  givingWay(
    archive.kind === 's3'
      ? archiveS3(archive.options)
      : archiveFs({ folder: archive.folder, reserve: archive.reserve }),
  ),
  ...(archiveKeys.length > 0 ? [archiveEncryption({ keys: [...archiveKeys] })] : []),
]

const scannerOf = ({ clamdAddress }: Config): Plugin[] =>
  clamdAddress === undefined ? [] : [scannerClamd({ address: clamdAddress })]

const vehiclesOf = ({ vehicleRegistration: options }: Config): Plugin[] =>
  options === undefined ? [] : [vehicleRegistration(options)]

const relayOf = ({ govQrRelay: options }: Config): Plugin[] => (options === undefined ? [] : [govQrRelay(options)])

const webhooksOf = ({ webhookTls }: Config): Plugin =>
  webhookHttp(
    webhookTls === undefined
      ? {}
      : { clientCertificate: { cert: webhookTls.cert.toString(), key: webhookTls.key.toString() } },
  )

const pagesOf = ({ authorities, look }: Config): Plugin =>
  pages({ ...look, development: authorities.kind === 'development' })
const bouncesOf = ({ mailBounces: folder }: Config): Plugin[] =>
  folder === undefined ? [] : [bouncesMaildir({ folder })]

function mailerOf({ mail }: Config): Plugin {
  if (mail.kind === 'files') return mailerFiles({ folder: mail.folder, from: mail.from })
  const { url, from, returnPath, perSecond, dkim } = mail
  return mailerSmtp({
    ...{ url, from },
    ...(returnPath !== undefined && { returnPath }),
    ...(perSecond > 0 && { perSecond }),
    ...(dkim !== undefined && { dkim: { ...dkim } }),
  })
}

function authoritiesOf({ authorities }: Config): Plugin[] {
  if (authorities.kind === 'development') return [devAuthorities({ folder: authorities.folder })]
  const { trustAnchors, trustedResponders, tspUrl, ocspUrl, ocspAllowedHosts } = authorities
  return [
    onlineAuthorities({
      ...{ trustAnchors, tspUrl, ocspAllowedHosts: [...ocspAllowedHosts] },
      ...(trustedResponders !== undefined && { trustedResponders }),
      ...(ocspUrl !== undefined && { ocspUrl }),
    }),
  ]
}

/** True when anybody could be issued a certificate that this host would accept. */
export const isForDevelopment = (plugins: readonly Plugin[]) => plugins.some(({ name }) => name === 'dev-authorities')

const LOOPBACK = /^(localhost|::1|127(\.\d{1,3}){3})$/

/** Throws when development authorities stand beside real trust anchors, or, unless that is meant, where others come to. */
export function refuseDevelopment({ authorities, listen, databaseUrl }: Config, plugins: readonly Plugin[]): void {
  if (!isForDevelopment(plugins)) return
  if (authorities.kind === 'online')
    throw new TypeError('Development authorities are refused together with TRUST_ANCHORS: use one of them')
  const where = LOOPBACK.test(listen.host)
    ? databaseUrl.startsWith('mysql:') && 'on MySQL'
    : `at ${listen.host}, where others reach them`
  if (where !== false && !authorities.isMeant)
    throw new ConfigError([
      `TRUST_ANCHORS: development authorities, by which anybody signs as anybody, are refused ${where}; DEV_AUTHORITIES=yes says that they are meant`,
    ])
}
