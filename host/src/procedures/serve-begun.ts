import type { AnyOperation, Origin } from '@signed-registry/core'
import type { Serve } from '../http/serve-operations.js'
import { originOf } from './origin-of.js'

/** Begins a procedure, which counts for where the request comes from. */
export const serveBegun =
  (operation: AnyOperation): Serve =>
  (registry) => {
    const begin: { execute(caller: unknown, input: unknown, origin: Origin): unknown } = registry.unchecked(operation)
    return async (request) => {
      const { caller, params, body } = request
      return begin.execute(caller, { ...Object(params), request: body }, originOf(request))
    }
  }
