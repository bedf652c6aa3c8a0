import {
  type Clock,
  Database,
  type Delivery,
  DeliveryChannel,
  type NewDelivery,
  type Outcome,
  type Plugin,
  provideValue,
  type Registry,
} from '@signed-registry/core'
import { until } from './until.js'

export const OWNER = 'BIN123456789021'

/** Something to be delivered by a `TestChannel`. */
export const something = (fields: Partial<NewDelivery> = {}): NewDelivery => ({
  channel: 'test',
  target: 'one',
  owner: OWNER,
  payload: {},
  ...fields,
})

/** A channel that records deliveries, with outcomes that a test decides. */
export class TestChannel implements DeliveryChannel {
  readonly name = 'test'
  readonly got: Delivery[] = []
  outcome: (delivery: Delivery, signal: AbortSignal) => Outcome | Promise<Outcome> = () => ({ state: 'delivered' })
  private readonly waiting: { readonly count: number; readonly resolve: () => void }[] = []

  constructor(
    readonly retriesMs: readonly number[] = [1000, 10_000],
    readonly timeoutMs = 60_000,
    readonly atOnce = 16,
    readonly atOncePerTarget = 4,
  ) {}

  get plugin(): Plugin {
    return { name: 'test-channel', provides: [provideValue(DeliveryChannel, this)] }
  }

  async deliver(delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
    this.got.push(delivery)
    for (const { count, resolve } of this.waiting) if (this.got.length >= count) resolve()
    return this.outcome(delivery, signal)
  }

  /** Resolves when `count` attempts have begun. */
  async begun(count: number): Promise<void> {
    if (this.got.length < count) await new Promise<void>((resolve) => this.waiting.push({ count, resolve }))
  }
}

/** Waits until a started registry has tried everything that is due, and what came of it is stored. */
export async function allTried(registry: Registry, clock: Clock): Promise<void> {
  const { query } = registry.get(Database)
  await until(async () => {
    const due = query('registry_deliveries')
      .where({ state: 'sending' })
      .orWhere((waiting) =>
        waiting
          .where({ state: 'waiting' })
          .andWhere((now) => now.whereNotNull('lease').orWhere('next_at', '<=', clock.now())),
      )
    return (await due.first('id')) === undefined
  })
}

/** A gate that a test waits at, and opens. */
export function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open: () => open() }
}
