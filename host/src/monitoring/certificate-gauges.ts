import { AllCertificates, type Registry } from '@signed-registry/core'
import { Gauge, type Registry as Metrics } from 'prom-client'

/** Adds a metric of when each certificate ends that somebody has to renew. */
export function gaugeCertificates(metrics: Metrics, registry: Registry): void {
  const all = registry.get(AllCertificates)
  new Gauge({
    name: 'registry_certificate_end_seconds',
    help: 'When a certificate ends that this host shows or trusts, UNIX time',
    labelNames: ['use', 'subject'],
    registers: [metrics],
    collect() {
      this.reset()
      // Of several of one name the first end counts: the list begins with it.
      for (const { use, subject, endsAt } of [...all.list()].reverse()) this.set({ use, subject }, endsAt / 1000)
    },
  })
}
