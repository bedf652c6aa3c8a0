import { CheckStates, type Registry, type ToldCheck } from '@signed-registry/core'
import { Gauge, type Registry as Metrics } from 'prom-client'
import { oneReading } from './one-reading.js'

/** Adds metrics of the services that all hosts share, as repeated checks have found them; none while no check is repeated. */
export function gaugeChecks(metrics: Metrics, registry: Registry): void {
  const states = registry.get(CheckStates)
  const read = oneReading(() => states.told())
  const gauge = (name: string, help: string, value: (check: ToldCheck) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: ['check'],
      registers: [metrics],
      async collect() {
        const told = await read()
        this.reset()
        for (const check of told) {
          const now = value(check)
          if (now !== undefined) this.set({ check: check.name }, now)
        }
      },
    })
  gauge(
    'registry_check_ok',
    '1 while what a check looks at works; 0 when it failed, or nobody has looked for three times CHECK_MINUTES',
    ({ isGood }) => (isGood ? 1 : 0),
  )
  gauge('registry_check_good_seconds', 'When a check was good last, UNIX time', ({ goodAt }) => goodAt && goodAt / 1000)
}
