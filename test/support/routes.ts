import { coreOperations } from '#core/core-areas.js'
import type { Route } from '#host/http/serve-operations.js'
import { routesOf } from '#host/routes.js'

/** The routes of core's operations, below `/api`. */
export const routes: readonly Route[] = routesOf(coreOperations)
