import {
  Certificate,
  definePlugin,
  type Plugin,
  StatusSource,
  TimestampSource,
  type Trust,
  TrustStore,
} from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { DevAuthorities } from './dev-authorities.js'

/** Options of `devAuthorities`: authorities that exist already, or the folder to keep their keys in (in memory without it). */
export const DevAuthoritiesPluginOptions = Type.Object(
  {
    authorities: Type.Optional(
      Type.Refine(Type.Unsafe<DevAuthorities>({}), (value) => value instanceof DevAuthorities),
    ),
    folder: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
)
export type DevAuthoritiesPluginOptions = Static<typeof DevAuthoritiesPluginOptions>

/** Plugin: development authorities in place of real ones, in this process. Whoever has their keys can sign as anybody. */
export const devAuthorities: (options: DevAuthoritiesPluginOptions) => Plugin = definePlugin({
  name: 'dev-authorities',
  options: DevAuthoritiesPluginOptions,
  bind(bind, { authorities, folder }) {
    const all = authorities ?? DevAuthorities.create(folder === undefined ? {} : { folder })
    const loadedAt = Date.now()
    const trust: Trust = { anchors: all.anchors.map(parse), intermediates: all.intermediates.map(parse) }
    bind(TrustStore).toConstantValue({
      trust: () => trust,
      state: () => ({ loadedAt, anchors: trust.anchors.length }),
    })
    bind(TimestampSource).toConstantValue({
      url: 'http://tsp.dev-authorities.invalid/',
      timestamp: async (request) => all.tsa.respond(request),
    })
    bind(StatusSource).toConstantValue({
      urlFor: () => all.ocspUrl,
      status: async (_url, request) => all.ocsp.respond(request),
    })
  },
})

const parse = (der: Uint8Array) => Certificate.parse(der)
