import { onlineAuthorities, type Plugin } from '@signed-registry/core'
import { devAuthorities } from '@signed-registry/dev-authorities'
import type { Config } from './config.js'

/** The plugins of the stock host: online authorities where trust anchors are configured, development authorities otherwise. */
export function stockPlugins({ authorities }: Config): Plugin[] {
  if (authorities.kind === 'development') return [devAuthorities({ folder: authorities.folder })]
  const { trustAnchors, tspUrl, ocspUrl, ocspAllowedHosts } = authorities
  const responder = ocspUrl === undefined ? {} : { ocspUrl }
  return [onlineAuthorities({ trustAnchors, tspUrl, ...responder, ocspAllowedHosts: [...ocspAllowedHosts] })]
}

/** True when anybody could be issued a certificate that this host would accept. */
export const isForDevelopment = (plugins: readonly Plugin[]) => plugins.some(({ name }) => name === 'dev-authorities')

/** Throws when development authorities stand beside real trust anchors. */
export function refuseMixedTrust(config: Config, plugins: readonly Plugin[]): void {
  if (isForDevelopment(plugins) && config.authorities.kind === 'online')
    throw new TypeError('Development authorities are refused together with TRUST_ANCHORS: use one of them')
}
