import { Clock, type Registry, type RenewalReport, ReportRenewal } from '@signed-registry/core'
import { Gauge, type Registry as Metrics } from 'prom-client'
import { oneReading } from './one-reading.js'

/** Adds metrics of the renewal of evidence; none while it is off. */
export function gaugeRenewal(metrics: Metrics, registry: Registry): void {
  const renewal = registry.get(ReportRenewal)
  const now = () => registry.get(Clock).now()
  // Without renewal nothing is counted.
  const read = oneReading(async () => (renewal.isOn ? renewal.report() : undefined))
  const gauge = (name: string, help: string, value: (report: RenewalReport) => number) =>
    new Gauge({
      name,
      help,
      registers: [metrics],
      async collect() {
        const report = await read()
        // Without a value a gauge says 0, which is a good one.
        this.set(report === undefined ? Number.NaN : value(report))
      },
    })
  new Gauge({
    name: 'registry_renewal_signatures',
    help: 'Signatures that wait for a batch, are gathered in one, or are renewed: under an evidence record',
    labelNames: ['state'],
    registers: [metrics],
    async collect() {
      const { waiting, gathered, renewed } = (await read()) ?? NO_COUNTS
      this.set({ state: 'waiting' }, waiting)
      this.set({ state: 'gathered' }, gathered - renewed)
      this.set({ state: 'renewed' }, renewed)
    },
  })
  gauge('registry_renewal_due', 'Signatures whose proof ends soon, or has ended', ({ due }) => due)
  gauge('registry_renewal_ended', 'Signatures whose proof has ended', ({ ended }) => ended)
  gauge('registry_renewal_next_end_seconds', 'When the next proof ends, UNIX time', ({ proofs }) => {
    const next = proofs.find(({ endsAt }) => endsAt > now())
    return next === undefined ? Number.NaN : next.endsAt / MS
  })
  gauge('registry_renewal_problem_age_seconds', 'For how long something keeps evidence from being renewed', (report) =>
    report.problem === undefined ? 0 : Math.max(0, now() - report.problem.since) / MS,
  )
  gauge('registry_renewal_hashed_ratio', 'How much of a further tree of a batch is made; 1 while none is', (report) =>
    report.hashing === undefined ? 1 : report.hashing.hashed / Math.max(1, report.hashing.of),
  )
}

const MS = 1000
const NO_COUNTS = { waiting: Number.NaN, gathered: Number.NaN, renewed: Number.NaN }
