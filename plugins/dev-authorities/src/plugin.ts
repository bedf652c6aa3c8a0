import {
  Certificate,
  Clock,
  definePlugin,
  StatusSource,
  TimestampSource,
  TrustStore,
  token,
} from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { DevAuthorities } from './dev-authorities.js'

/** Options of `devAuthorities`. */
export const DevAuthoritiesPluginOptions = Type.Object(
  {
    /** Authorities that exist already, with a clock of their own. */
    authorities: Type.Optional(
      Type.Refine(Type.Unsafe<DevAuthorities>({}), (value) => value instanceof DevAuthorities),
    ),
    /** Folder to keep authorities and people in; in memory without it. */
    folder: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
)
export type DevAuthoritiesPluginOptions = Static<typeof DevAuthoritiesPluginOptions>

/** The authorities of a registry that runs with `devAuthorities`: `registry.get(DevelopmentAuthorities).person()`. */
export type DevelopmentAuthorities = DevAuthorities
export const DevelopmentAuthorities = token<DevAuthorities>('DevelopmentAuthorities')

/** Plugin: development authorities in place of real ones, in this process. Whoever has their keys can sign as anybody. */
export const devAuthorities = definePlugin({
  name: 'dev-authorities',
  options: DevAuthoritiesPluginOptions,
  bind(bind, { authorities, folder }) {
    const make = (clock: Clock) =>
      authorities ?? DevAuthorities.create(folder === undefined ? { clock } : { clock, folder })
    bind(DevelopmentAuthorities).toResolvedValue(make, [Clock]).inSingletonScope()
    bind(TrustStore).toResolvedValue(trustStore, [DevelopmentAuthorities, Clock]).inSingletonScope()
    bind(TimestampSource).toResolvedValue(timestampSource, [DevelopmentAuthorities]).inSingletonScope()
    bind(StatusSource).toResolvedValue(statusSource, [DevelopmentAuthorities]).inSingletonScope()
  },
})

function trustStore({ anchors, intermediates }: DevAuthorities, clock: Clock): TrustStore {
  const parse = (der: Buffer) => Certificate.parse(der)
  const trust = { anchors: anchors.map(parse), intermediates: intermediates.map(parse) }
  const loadedAt = clock.now()
  return { trust: () => trust, state: () => ({ loadedAt, anchors: trust.anchors.length }) }
}

const timestampSource = ({ tsa }: DevAuthorities): TimestampSource => ({
  url: 'http://tsp.dev-authorities.invalid/',
  timestamp: async (request) => tsa.respond(request),
})

const statusSource = ({ ocsp, ocspUrl }: DevAuthorities): StatusSource => ({
  urlFor: () => ocspUrl,
  status: async (_url, request) => ocsp.respond(request),
})
