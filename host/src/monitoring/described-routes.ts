import type { FastifyInstance, RouteOptions } from 'fastify'

/** The routes of an application and the schemas that they refer to, for their description. */
export interface DescribedRoutes {
  readonly routes: readonly RouteOptions[]
  /** By name; of all scopes. */
  schemas(): ReadonlyMap<string, unknown>
}

/** Notes the routes that are registered after this, without those that are hidden. */
export function describedRoutes(app: FastifyInstance): DescribedRoutes {
  const routes: RouteOptions[] = []
  const scopes = [app]
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' && !Object(route.schema).hide) routes.push(route)
  })
  app.addHook('onRegister', (scope) => {
    scopes.push(scope)
  })
  return { routes, schemas: () => new Map(scopes.flatMap((scope) => Object.entries(scope.getSchemas()))) }
}
