import { noRates } from '@signed-registry/host'

/** For tests, which ask more often than anybody: no limits, and a secret so that none is made with a warning. */
export const trustingApi = { rates: noRates, sessionSecrets: ['a secret of tests, and of nothing else'] }
