import { noRates } from '@signed-registry/host'

/** Settings for tests: no rate limits, and a fixed secret to avoid the warning about a generated one. */
export const trustingApi = { rates: noRates, sessionSecrets: ['a secret of tests, and of nothing else'] }
