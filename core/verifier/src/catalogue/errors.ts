import { defineErrors, type RegistryError } from '../error.js'

export const catalogueErrors = defineErrors({
  algorithmCatalogueNotRead: {
    kind: 'invalid',
    message: 'Catalogue of algorithms cannot be read',
    ru: 'Не удалось прочитать каталог алгоритмов',
    kk: 'Алгоритмдер каталогын оқу мүмкін болмады',
    description:
      'It is not in the form that ETSI TS 119 322 has, XML (RFC 5698) or JSON: details.reason says why, details.algorithm of which algorithm.',
  },
})

/** `algorithmCatalogueNotRead` with its reason. */
export const notRead = (reason: string, facts: object = {}, cause?: unknown): RegistryError =>
  catalogueErrors.error('algorithmCatalogueNotRead', { reason, ...facts }, cause)
