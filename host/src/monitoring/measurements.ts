import {
  CallStatistics,
  Clock,
  type Database,
  type Delivery,
  DeliveryListener,
  DeliveryWorkers,
  type Ledger,
  type LogFigures,
  type LogMoment,
  LogState,
  type Outcome,
  type Plugin,
  provideValue,
  type Registry as SignedRegistry,
  type TrustState,
  TrustStore,
  watch,
} from '@signed-registry/core'
import { SignatureVerifier } from '@signed-registry/core/signatures'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { oneReading } from './one-reading.js'

/** Metrics of one registry; `plugin` collects them. */
export class Measurements {
  /** Of this process. */
  readonly metrics = new Registry()
  /** Of the database, the same in every process. */
  readonly kept = new Registry()

  private readonly verification = new Histogram({
    name: 'registry_verification_seconds',
    help: 'Time to judge a signature: a new one with what authorities take, or a stored one again',
    labelNames: ['kind', 'outcome'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.metrics],
  })

  private readonly calls = new Counter({
    name: 'registry_authority_calls_total',
    help: 'Calls to time-stamping authorities (tsp) and OCSP responders (ocsp)',
    labelNames: ['protocol', 'url', 'outcome'],
    registers: [this.metrics],
  })

  private readonly attempts = new Counter({
    name: 'registry_delivery_attempts_total',
    help: 'Attempts to deliver: delivered, waiting for the next one, or failed for good',
    labelNames: ['channel', 'outcome'],
    registers: [this.metrics],
  })

  private trust: TrustStore | undefined

  constructor() {
    this.gaugeTrust('registry_trust_anchors', 'Trust anchors in use', ({ anchors }) => anchors)
    this.gaugeTrust(
      'registry_trust_loaded_seconds',
      'When they were loaded, UNIX time',
      (state) => state.loadedAt / 1000,
    )
    this.gaugeTrust('registry_trust_stale', '1 when they could not be loaded again since', ({ error }) =>
      error ? 1 : 0,
    )
  }

  /** Measures the verifier, outgoing calls and trust lists of the registry that has this plugin. */
  readonly plugin: Plugin = {
    name: 'measurements',
    provides: [
      provideValue(DeliveryListener, {
        attempted: (delivery, outcome, state) => this.countDelivery(delivery, outcome, state),
      }),
    ],
    watches: [
      watch(SignatureVerifier, (verifier) => this.watchVerifier(verifier)),
      watch(TrustStore, (trust) => {
        this.trust = trust
        return trust
      }),
      watch(CallStatistics, (statistics) => this.watchCalls(statistics)),
    ],
  }

  /** Adds metrics of the deliveries that are due. */
  watchDeliveries(registry: SignedRegistry): void {
    const gauge = (name: string, help: string) =>
      new Gauge({ name, help, labelNames: ['channel'], registers: [this.kept] })
    const failed = gauge('registry_deliveries_failed', 'Deliveries that were given up and are still kept')
    const oldest = gauge('registry_deliveries_oldest_seconds', 'Age of the oldest delivery that is not made yet')
    new Gauge({
      name: 'registry_deliveries_pending',
      help: 'Deliveries that are waiting or being sent',
      labelNames: ['channel'],
      registers: [this.kept],
      async collect() {
        const now = registry.get(Clock).now()
        for (const depth of await registry.get(DeliveryWorkers).depths()) {
          const { channel, pending, oldestAt = now } = depth
          this.set({ channel }, pending)
          failed.set({ channel }, depth.failed)
          oldest.set({ channel }, Math.max(0, now - oldestAt) / 1000)
        }
      },
    })
  }

  /** Adds metrics of the log; none while the registry keeps none. */
  watchLog(registry: SignedRegistry): void {
    const state = registry.get(LogState)
    const read = oneReading(() => state.figures())
    const age = (moment: LogMoment | undefined) => moment && Math.max(0, registry.get(Clock).now() - moment.at) / 1000
    const gauge = (name: string, help: string, value: (figures: LogFigures) => number | undefined) =>
      new Gauge({
        name,
        help,
        registers: [this.kept],
        async collect() {
          const figures = await read()
          // Without a value a gauge says 0, which is a good age.
          this.set((figures && value(figures)) ?? Number.NaN)
        },
      })
    gauge('registry_log_entries', 'Entries in the tree of the log', ({ size }) => size)
    gauge('registry_log_pending', 'Entries that are not in the tree yet', ({ pending }) => pending)
    gauge('registry_log_checkpoint_age_seconds', 'Age of the newest checkpoint', ({ checkpoint }) => age(checkpoint))
    gauge('registry_log_stamp_age_seconds', 'Age of the newest stamp over a checkpoint', ({ stamp }) => age(stamp))
  }

  /** Adds how many lists and searches the replica has answered, and how many the primary in its place. */
  watchReplica(database: Pick<Database, 'replicaFigures'>): void {
    if (database.replicaFigures === undefined) return
    new Counter({
      name: 'registry_replica_reads_total',
      help: 'Reads that may go to the replica, by who answered: replica or primary',
      labelNames: ['by'],
      registers: [this.metrics],
      collect() {
        this.reset()
        for (const [by, count] of Object.entries(database.replicaFigures ?? {})) this.inc({ by }, count)
      },
    })
  }

  /** Adds metrics of the shares that callers use. */
  watchShares(ledger: Pick<Ledger, 'state'>): void {
    new Gauge({
      name: 'registry_shares_taken',
      help: 'What callers take of this host: bytes of memory, uploads and cards; of strangers, and of all',
      labelNames: ['resource', 'of'],
      registers: [this.metrics],
      collect() {
        for (const [resource, { strangers, all }] of Object.entries(ledger.state())) {
          this.set({ resource, of: 'strangers' }, strangers)
          this.set({ resource, of: 'all' }, all)
        }
      },
    })
    new Gauge({
      name: 'registry_shares_waiting',
      help: 'Requests that wait for their share of this host',
      labelNames: ['resource'],
      registers: [this.metrics],
      collect() {
        for (const [resource, { waiting }] of Object.entries(ledger.state())) this.set({ resource }, waiting)
      },
    })
  }

  private countDelivery({ channel }: Delivery, outcome: Outcome, state: Delivery['state']): void {
    this.attempts.inc({ channel, outcome: outcome.state === 'delivered' ? 'delivered' : state })
  }

  private gaugeTrust(name: string, help: string, value: (state: TrustState) => number): void {
    const read = () => this.trust && value(this.trust.state())
    new Gauge({
      name,
      help,
      registers: [this.metrics],
      // Every worker has loaded them for itself.
      aggregator: 'max',
      collect() {
        const now = read()
        if (now !== undefined) this.set(now)
      },
    })
  }

  private watchVerifier(verifier: SignatureVerifier): SignatureVerifier {
    const timed = async <T>(kind: 'new' | 'again', work: () => Promise<T>): Promise<T> => {
      const stop = this.verification.startTimer({ kind })
      try {
        const verified = await work()
        stop({ outcome: 'good' })
        return verified
      } catch (error) {
        stop({ outcome: 'refused' })
        throw error
      }
    }
    return {
      read: (input) => verifier.read(input),
      verify: (input) => timed('new', () => verifier.verify(input)),
      prove: (signature) => timed('new', () => verifier.prove(signature)),
      verifyAgain: (evidence) => timed('again', async () => verifier.verifyAgain(evidence)),
    }
  }

  private watchCalls(statistics: CallStatistics): CallStatistics {
    return {
      record: (call) => {
        this.calls.inc({ protocol: call.protocol, url: call.url, outcome: call.ok ? 'good' : 'failed' })
        statistics.record(call)
      },
    }
  }
}
