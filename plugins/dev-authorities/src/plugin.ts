import {
  AuthorityUnavailable,
  Certificate,
  Check,
  Clock,
  definePlugin,
  type ExchangeOptions,
  provide,
  provideValue,
  StatusSource,
  TimestampSource,
  TrustStore,
} from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { DevAuthorities } from './dev-authorities.js'
import { DevelopmentAuthorities } from './development-authorities.js'
import { ListDevelopmentPeople, SignAsDevelopmentPerson } from './sign-as-development-person.js'

/** Options of `devAuthorities`. */
export const DevAuthoritiesPluginOptions = Type.Object(
  {
    /** Authorities that exist already, with a clock of their own. */
    authorities: Type.Optional(
      Type.Refine(Type.Unsafe<DevAuthorities>({}), (value) => value instanceof DevAuthorities),
    ),
    /** Folder for authorities and people; in memory by default. */
    folder: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
)
export type DevAuthoritiesPluginOptions = Static<typeof DevAuthoritiesPluginOptions>

/** Plugin: development authorities in place of real ones, in this process. Whoever has their keys can sign as anybody. */
export const devAuthorities = definePlugin({
  name: 'dev-authorities',
  options: DevAuthoritiesPluginOptions,
  parts: ({ authorities, folder }) => ({
    operations: [ListDevelopmentPeople, SignAsDevelopmentPerson],
    provides: [
      provideValue(Check, checkDevelopment),
      provide(DevelopmentAuthorities, {
        inject: { clock: Clock },
        make: ({ clock }) => authorities ?? DevAuthorities.create(folder === undefined ? { clock } : { clock, folder }),
      }),
      provide(TrustStore, { inject: { authorities: DevelopmentAuthorities, clock: Clock }, make: trustStore }),
      provide(TimestampSource, { inject: { authorities: DevelopmentAuthorities }, make: timestampSource }),
      provide(StatusSource, { inject: { authorities: DevelopmentAuthorities }, make: statusSource }),
    ],
  }),
})

const checkDevelopment: Check = {
  name: 'trust',
  isRequired: false,
  check: async () => ({
    state: 'warn',
    text: 'development authorities: nothing registered here proves anything; name real trust anchors',
  }),
}

interface Available {
  readonly authorities: DevAuthorities
}

function trustStore({ authorities, clock }: Available & { readonly clock: Clock }): TrustStore {
  const { anchors, intermediates } = authorities
  const parse = (der: Buffer) => Certificate.parse(der)
  const trust = { anchors: anchors.map(parse), intermediates: intermediates.map(parse) }
  const loadedAt = clock.now()
  return { trust: () => trust, state: () => ({ loadedAt, anchors: trust.anchors.length }) }
}

const timestampSource = ({ authorities: { tsa } }: Available): TimestampSource => ({
  url: 'http://tsp.dev-authorities.invalid/',
  timestamp: (request, options) => answerInTime(options, () => tsa.respond(request)),
})

const statusSource = ({ authorities: { ocsp, ocspUrl } }: Available): StatusSource => ({
  urlFor: () => ocspUrl,
  status: (_url, request, options) => answerInTime(options, () => ocsp.respond(request)),
})

async function answerInTime({ signal }: ExchangeOptions, answer: () => Uint8Array): Promise<Uint8Array> {
  if (signal.aborted) throw new AuthorityUnavailable('timeout', false)
  return answer()
}
