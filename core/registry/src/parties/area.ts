import { area } from '../kernel/part.js'
import * as partyNames from './migrations/0170-party-names.js'
import { PartyNames } from './party-names.js'

export const partiesArea = area({
  name: 'parties',
  migrations: { '0170-party-names': partyNames },
  services: [PartyNames],
})
