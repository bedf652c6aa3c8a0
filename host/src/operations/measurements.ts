import { CallStatistics, type Plugin } from '@signed-registry/core'
import { SignatureVerifier } from '@signed-registry/core/signatures'
import { ContainerModule } from 'inversify'
import { Counter, Histogram, Registry } from 'prom-client'

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

  /** Watches the verifier and the calls of the registry that it is given to. */
  readonly plugin: Plugin = {
    name: 'measurements',
    module: new ContainerModule(({ onActivation }) => {
      onActivation(SignatureVerifier, (_context, verifier) => this.#watchVerifier(verifier))
      onActivation(CallStatistics, (_context, statistics) => this.#watchCalls(statistics))
    }),
  }

  #watchVerifier(verifier: SignatureVerifier): SignatureVerifier {
    const start = (kind: string) => {
      const stop = this.#verification.startTimer({ kind })
      return (outcome: 'good' | 'refused') => stop({ outcome })
    }
    return {
      read: (input) => verifier.read(input),
      async verify(input) {
        const stop = start('new')
        try {
          const verified = await verifier.verify(input)
          stop('good')
          return verified
        } catch (error) {
          stop('refused')
          throw error
        }
      },
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
