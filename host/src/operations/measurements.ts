import { CallStatistics, type Plugin, type TrustState, TrustStore } from '@signed-registry/core'
import { SignatureVerifier } from '@signed-registry/core/signatures'
import { ContainerModule } from 'inversify'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Figures of one registry; `plugin` takes them where they arise. */
export class Measurements {
  readonly metrics = new Registry()

  readonly #verification = new Histogram({
    name: 'registry_verification_seconds',
    help: 'Time to judge a signature: a new one with what authorities take, or a stored one again',
    labelNames: ['kind', 'outcome'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.metrics],
  })

  readonly #calls = new Counter({
    name: 'registry_authority_calls_total',
    help: 'Calls to time-stamping authorities (tsp) and OCSP responders (ocsp)',
    labelNames: ['protocol', 'url', 'outcome'],
    registers: [this.metrics],
  })

  #trust: TrustStore | undefined

  constructor() {
    this.#gaugeTrust('registry_trust_anchors', 'Trust anchors in use', ({ anchors }) => anchors)
    this.#gaugeTrust(
      'registry_trust_loaded_seconds',
      'When they were loaded, UNIX time',
      (state) => state.loadedAt / 1000,
    )
    this.#gaugeTrust('registry_trust_stale', '1 when they could not be loaded again since', ({ error }) =>
      error ? 1 : 0,
    )
  }

  /** Watches the verifier, the calls and the trust of the registry that it is given to. */
  readonly plugin: Plugin = {
    name: 'measurements',
    module: new ContainerModule(({ onActivation }) => {
      onActivation(SignatureVerifier, (_context, verifier) => this.#watchVerifier(verifier))
      onActivation(TrustStore, (_context, trust) => {
        this.#trust = trust
        return trust
      })
      onActivation(CallStatistics, (_context, statistics) => this.#watchCalls(statistics))
    }),
  }

  #gaugeTrust(name: string, help: string, value: (state: TrustState) => number): void {
    const read = () => this.#trust && value(this.#trust.state())
    new Gauge({
      name,
      help,
      registers: [this.metrics],
      collect() {
        const now = read()
        if (now !== undefined) this.set(now)
      },
    })
  }

  #watchVerifier(verifier: SignatureVerifier): SignatureVerifier {
    const start = (kind: string) => {
      const stop = this.#verification.startTimer({ kind })
      return (outcome: 'good' | 'refused') => stop({ outcome })
    }
    const timed = async <T>(work: () => Promise<T>): Promise<T> => {
      const stop = start('new')
      try {
        const verified = await work()
        stop('good')
        return verified
      } catch (error) {
        stop('refused')
        throw error
      }
    }
    return {
      read: (input) => verifier.read(input),
      verify: (input) => timed(() => verifier.verify(input)),
      prove: (signature) => timed(() => verifier.prove(signature)),
      verifyAgain(evidence) {
        const stop = start('again')
        try {
          verifier.verifyAgain(evidence)
          stop('good')
        } catch (error) {
          stop('refused')
          throw error
        }
      },
    }
  }

  #watchCalls(statistics: CallStatistics): CallStatistics {
    return {
      record: (call) => {
        this.#calls.inc({ protocol: call.protocol, url: call.url, outcome: call.ok ? 'good' : 'failed' })
        statistics.record(call)
      },
    }
  }
}
