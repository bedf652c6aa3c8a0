import { ProxyTracerProvider, trace } from '@opentelemetry/api'
import { settledWithin } from '@signed-registry/core'

/** A collector that is down must not hold up the end of a host. */
const FLUSH_MS = 2000

/** Has the registered SDK send what it gathers, as far as it can in two seconds. */
export async function flush(): Promise<void> {
  const given = trace.getTracerProvider()
  const registered: object = given instanceof ProxyTracerProvider ? given.getDelegate() : given
  if (!canFlush(registered)) return
  await settledWithin(FLUSH_MS, () => registered.forceFlush()).catch(() => undefined)
}

const canFlush = (provider: object): provider is { forceFlush(): Promise<void> } =>
  'forceFlush' in provider && typeof provider.forceFlush === 'function'
