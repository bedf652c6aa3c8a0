import { AsyncResource } from 'node:async_hooks'

const outside = new AsyncResource('registry')

/** Starts work that outlives the request in which it begins, such as a timer for all: it belongs to no request. */
export const outsideOfRequests = <T>(work: () => T): T => outside.runInAsyncScope(work)
