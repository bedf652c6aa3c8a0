import { trace } from '@opentelemetry/api'
import { settledWithin } from '@signed-registry/core'

/** A collector that is down must not hold up the end of a host. */
const FLUSH_MS = 2000

/** Has the registered SDK send what it gathers, as far as it can in two seconds. */
export async function flush(): Promise<void> {
  const given: object = trace.getTracerProvider()
  // A proxy for the one that was registered; the API may be loaded twice, as either kind of module.
  const registered: unknown = 'getDelegate' in given && isMethod(given.getDelegate) ? given.getDelegate() : given
  if (!canFlush(registered)) return
  await settledWithin(FLUSH_MS, () => registered.forceFlush()).catch(() => undefined)
}

const isMethod = (member: unknown): member is () => unknown => typeof member === 'function'

const canFlush = (provider: unknown): provider is { forceFlush(): Promise<void> } =>
  typeof provider === 'object' && provider !== null && 'forceFlush' in provider && isMethod(provider.forceFlush)
