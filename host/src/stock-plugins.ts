import { archiveFs } from '@signed-registry/archive-fs'
import { archiveS3 } from '@signed-registry/archive-s3'
import { bouncesMaildir } from '@signed-registry/bounces-maildir'
import { archiveEncryption, givingWay, type Plugin } from '@signed-registry/core'
import { ddcPdf } from '@signed-registry/ddc-pdf'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { evidenceAsic } from '@signed-registry/evidence-asic'
import { govQrRelay } from '@signed-registry/gov-qr-relay'
import { mailerFiles } from '@signed-registry/mailer-files'
import { mailerSmtp } from '@signed-registry/mailer-smtp'
import { onlineAuthorities } from '@signed-registry/online-authorities'
import { pages } from '@signed-registry/pages'
import { scannerClamd } from '@signed-registry/scanner-clamd'
import { signedFiles } from '@signed-registry/signed-files'
import { vehicleRegistration } from '@signed-registry/vehicle-registration'
import { webhookHttp } from '@signed-registry/webhook-http'
import type { Config } from './config/config.js'
import { clientCertificate } from './config/files.js'

/** The plugins of a configuration: those of its file, and the stock ones that it neither leaves out nor replaces by name. */
export const pluginsOf = (config: Config): Plugin[] => {
  const { added, without } = config.plugins
  const gone = new Set([...without, ...added.map(({ name }) => name)])
  return [...stockPlugins(config).filter(({ name }) => !gone.has(name)), ...added]
}

/**
 * The plugins of the stock host: online authorities when trust anchors are configured, development authorities otherwise.
 * Later plugins win: in `[...stockPlugins(config), mine()]`, `mine` replaces what it provides.
 */
export const stockPlugins = (config: Config): Plugin[] => {
  const { authorities, look, mailBounces, clamdAddress } = config
  return [
    ...[
      ...authoritiesOf(config),
      webhooksOf(config),
      ddcPdf({}),
      evidenceAsic({}),
      signedFiles({ folder: config.dataDir }),
      pages({ ...look, development: authorities.kind === 'development' }),
      mailerOf(config),
      ...given(mailBounces, (folder) => bouncesMaildir({ folder })),
      ...given(clamdAddress, (address) => scannerClamd({ address })),
      ...given(config.vehicleRegistration, vehicleRegistration),
      ...given(config.govQrRelay, govQrRelay),
    ].map(givingWay),
    ...archiveOf(config),
  ]
}

/** The archive of originals, encrypted when there are keys. */
const archiveOf = ({ archive, archiveKeys }: Config): Plugin[] => [
  givingWay(
    archive.kind === 's3'
      ? archiveS3(archive.options)
      : archiveFs({ folder: archive.folder, reserve: archive.reserve }),
  ),
  ...(archiveKeys.length > 0 ? [archiveEncryption({ keys: [...archiveKeys] })] : []),
]

/** A plugin, if it is configured. */
const given = <T>(options: T | undefined, plugin: (options: T) => Plugin): Plugin[] =>
  options === undefined ? [] : [plugin(options)]

function authoritiesOf({ authorities }: Config): Plugin[] {
  if (authorities.kind === 'plugins') return []
  if (authorities.kind === 'development') return [devAuthorities({ folder: authorities.folder })]
  const { kind: _, ...options } = authorities
  return [onlineAuthorities(options)]
}

const webhooksOf = ({ webhookTls }: Config): Plugin =>
  webhookHttp(webhookTls === undefined ? {} : clientCertificate(webhookTls))

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

/** True when anybody could get a certificate that this host accepts. */
export const isForDevelopment = (plugins: readonly Plugin[]) => plugins.some(({ name }) => name === 'dev-authorities')

const LOOPBACK = /^(localhost|::1|127(\.\d{1,3}){3})$/

/**
 * Why development authorities are refused, if so: on a host that others can reach, unless that is confirmed. Throws for those
 * together with real trust anchors.
 */
export function refuseDevelopment(
  { authorities, listen, databaseUrl }: Config,
  plugins: readonly Plugin[],
): string | undefined {
  if (!isForDevelopment(plugins)) return undefined
  if (authorities.kind === 'online')
    throw new TypeError('Development authorities are refused together with TRUST_ANCHORS: use one of them')
  const where = LOOPBACK.test(listen.host)
    ? databaseUrl.startsWith('mysql:') && 'on MySQL'
    : `at ${listen.host}, where others reach them`
  if (where === false || (authorities.kind === 'development' && authorities.isMeant)) return undefined
  return `TRUST_ANCHORS: development authorities, by which anybody signs as anybody, are refused ${where}; DEV_AUTHORITIES=yes says that they are meant`
}
