import { faultsOfNodes, keptLog } from '../support/galera-faults.js'

/** Of each of three nodes; the other faults come a third as often. */
const KILLS = Number(process.env.GALERA_KILLS ?? 30)

faultsOfNodes({ kills: 3 * KILLS, partitions: KILLS, losses: KILLS, restarts: KILLS, upgrades: KILLS }, keptLog)
