/** Names of subscriptions; their translations are in `consts.subscriptions` of the strings registry. */
export const SUBSCRIPTIONS = ['free', 'basic', 'standard', 'premium'] as const
export type SubscriptionName = (typeof SUBSCRIPTIONS)[number]

/** What a subscription can have on or off; translations are in `consts.subscriptionFeatures` of the strings registry. */
export const FEATURES = [
  'documentsRegistration',
  'documentsArchive',
  'documentsPackages',
  'documentsRouting',
  'documentsCards',
  'governmentMobileSigning',
  'webhooks',
  'vehicleRegistration',
] as const
export type Feature = (typeof FEATURES)[number]
