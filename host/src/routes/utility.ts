import {
  ExternalServiceStat,
  GetExternalServicesStats,
  GetStrings,
  GetVersion,
  type Registry,
  Strings,
  Version,
} from '@signed-registry/core'
import { Type } from 'typebox'
import { requestErrors } from '../errors.js'
import { type Api, addComponents, ref } from '../http/components.js'
import { operation } from './operation.js'

/** Version, known strings, and the state of external services. */
export function utilityRoutes(app: Api, registry: Registry): void {
  const getVersion = registry.get(GetVersion)
  const getStrings = registry.get(GetStrings)
  const getExternalServicesStats = registry.get(GetExternalServicesStats)
  addComponents(app, [Version, Strings, ExternalServiceStat])

  app.get(
    '/version',
    { schema: operation('getVersion', 'utility', 'Version of the service', {}, ref(Version)) },
    async () => getVersion.execute(),
  )

  app.get(
    '/strings',
    {
      schema: operation('getStrings', 'utility', 'Every message and constant with its translations', {}, ref(Strings)),
    },
    async () => withRequestErrors(getStrings.execute()),
  )

  app.get(
    '/externalServicesStats',
    {
      schema: operation(
        'getExternalServicesStats',
        'utility',
        'How calls to external services went lately',
        {},
        Type.Array(ref(ExternalServiceStat)),
      ),
    },
    () => getExternalServicesStats.execute(),
  )
}

const requestMessages = Object.fromEntries(
  Object.values(requestErrors.texts).map(({ message, ru, kk, description }) => [message, { ru, kk, description }]),
)

/** The registry does not know what HTTP can refuse. */
const withRequestErrors = (strings: Strings): Strings => ({
  ...strings,
  errorMessages: { ...requestMessages, ...strings.errorMessages },
})
