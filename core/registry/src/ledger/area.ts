import { area } from '../kernel/part.js'
import { provideValue } from '../kernel/service.js'
import { ledgerErrors } from './errors.js'
import { KeptLedger } from './kept-ledger.js'
import { Ledger } from './ledger.js'
import * as shares from './migrations/0130-shares.js'
import { defaultShares, Shares } from './shares.js'

export const ledgerArea = area({
  name: 'ledger',
  errors: [ledgerErrors],
  migrations: { '0130-shares': shares },
  services: [Ledger, KeptLedger],
  provides: [provideValue(Shares, defaultShares)],
})
