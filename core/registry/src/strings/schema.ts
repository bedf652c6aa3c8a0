import Type, { type Static } from 'typebox'

const Translation = Type.Object({ ru: Type.String(), kk: Type.String() }, { $id: 'Translation' })
const Translations = Type.Record(Type.String(), Translation)

/** Answer of `GET /api/strings` (specification, "Strings registry"). */
export const Strings = Type.Object(
  {
    errorMessages: Type.Record(
      Type.String(),
      Type.Object({ ru: Type.String(), kk: Type.String(), description: Type.String() }),
      { description: 'message text to translations' },
    ),
    consts: Type.Object({
      OIDs: Translations,
      policyOIDs: Translations,
      timeStampPolicyOIDs: Translations,
      extKeyUsageOIDs: Translations,
      signatureAlgorithmOIDs: Translations,
      ncaAuthorityOIDs: Translations,
      keyStorageOIDs: Translations,
      keyUsages: Translations,
      certificationAuthorities: Translations,
      subscriptions: Translations,
      subscriptionFeatures: Translations,
      integrationRegisterAutoDocumentTypes: Translations,
      integrationRegisterAutoSigners: Translations,
      integrationRegisterAutoSources: Translations,
      integrationRegisterAutoStatuses: Translations,
      integrationRegisterAutoIntegrationErrors: Translations,
      integrationRegisterAutoServiceErrors: Translations,
    }),
  },
  { $id: 'Strings' },
)
export type Strings = Static<typeof Strings>
