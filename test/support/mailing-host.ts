import { mailerSmtp } from '@signed-registry/mailer-smtp'
import { registryWithoutAuthorities } from './core-registry.js'
import { fastClock, TIMES } from './fast-clock.js'

/** Six seconds of the system's clock: a busy machine holds a host up for longer than moments. */
const LEASE_MS = 6000 * TIMES

// Sends the mails that are in a database to a sink until it is killed, or until its input ends.
const [database = '', url = '', beginning = ''] = process.argv.slice(2)
const logger = { info: () => undefined, warn: () => undefined, error: console.error }
const registry = await registryWithoutAuthorities(
  database,
  { clock: fastClock(Number(beginning)), logger, deliveryTimes: { pollMs: 50, leaseMs: LEASE_MS } },
  [mailerSmtp({ url, from: 'registry@example.kz' })],
)
registry.start()
process.stdin.resume().on('end', async () => {
  await registry.close()
  process.exit(0)
})
