/** Why an original is not attached. */
export const MISSING = ['notKept', 'tooLarge', 'infected', 'notScanned', 'notRead'] as const
export type Missing = (typeof MISSING)[number]
