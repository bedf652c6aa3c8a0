import { faultsOfNodes } from '../support/galera-faults.js'
import { amount } from '../support/sweep.js'

const ONLY_ALL = amount(0, 1)

faultsOfNodes(
  { kills: amount(1, 9), partitions: ONLY_ALL, losses: ONLY_ALL, restarts: ONLY_ALL, upgrades: 3 },
  () => undefined,
)
