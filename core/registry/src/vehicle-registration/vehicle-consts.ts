import type { IntegrationDelivery } from './delivery-record.js'
import type { VehicleCatalogue } from './ports.js'
import { SERVICE_ERRORS } from './service-errors.js'
import type { VehicleSource } from './vehicle-store.js'

type Texts = Readonly<Record<string, { readonly ru: string; readonly kk: string }>>

const sources = {
  registration: { ru: 'При регистрации документа', kk: 'Құжатты тіркеу кезінде' },
  request: { ru: 'Отдельным запросом', kk: 'Жеке сұраумен' },
} satisfies Record<VehicleSource, unknown>

const statuses = {
  new: { ru: 'Ожидает документа и подписей', kk: 'Құжат пен қолтаңбаларды күтуде' },
  waiting: { ru: 'Ожидает отправки', kk: 'Жіберуді күтуде' },
  sending: { ru: 'Отправляется', kk: 'Жіберілуде' },
  delivered: { ru: 'Доставлен', kk: 'Жеткізілді' },
  failed: { ru: 'Не доставлен', kk: 'Жеткізілмеді' },
} satisfies Record<IntegrationDelivery['status'], unknown>

const serviceErrors: Texts = Object.fromEntries(
  Object.values(SERVICE_ERRORS).map(({ message, ru, kk }) => [message, { ru, kk }]),
)

/** Names of the sub-registries of `consts` for vehicle registration. */
export type VehicleConstName =
  `integrationRegisterAuto${'DocumentTypes' | 'Signers' | 'Sources' | 'Statuses' | 'IntegrationErrors' | 'ServiceErrors'}`

/** Values in delivery records and settings, for `GET /api/strings`; fewer without a plugin. */
export const vehicleConsts = (catalogue: VehicleCatalogue | undefined): Record<VehicleConstName, Texts> => ({
  integrationRegisterAutoDocumentTypes: catalogue?.documentTypes ?? {},
  integrationRegisterAutoSigners: catalogue?.signers ?? {},
  integrationRegisterAutoSources: sources,
  integrationRegisterAutoStatuses: statuses,
  integrationRegisterAutoIntegrationErrors: catalogue?.errors ?? {},
  integrationRegisterAutoServiceErrors: serviceErrors,
})
