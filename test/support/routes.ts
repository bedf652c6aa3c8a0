import { coreOperations } from '#core/registry.js'
import { routesOf } from '#host/routes.js'

/** The routes of core's operations, below `/api`. */
export const routes = routesOf(coreOperations)
