import { cpus, loadavg } from 'node:os'

/** Some take an argument: `attack=10`. */
type Benchmark = (argument?: string) => void | Promise<void>

const benchmarks: Readonly<Record<string, () => Promise<Benchmark>>> = {
  attack: async () => (await import('./attack.js')).run,
  deliveries: async () => (await import('./deliveries.js')).run,
  verification: async () => (await import('./verification.js')).run,
  gost: async () => (await import('./gost.js')).run,
  held: async () => (await import('./held.js')).run,
  xml: async () => (await import('./xml.js')).run,
  evidence: async () => (await import('./evidence.js')).run,
  originals: async () => (await import('./originals.js')).run,
  hashing: async () => (await import('./hashing.js')).run,
  registrations: async () => (await import('./registrations.js')).run,
  reads: async () => (await import('./reads.js')).run,
  packages: async () => (await import('./packages.js')).run,
  cards: async () => (await import('./cards.js')).run,
  pages: async () => (await import('./pages.js')).run,
  room: async () => (await import('./room.js')).run,
  procedures: async () => (await import('./procedures.js')).run,
  lists: async () => (await import('./lists.js')).run,
  routing: async () => (await import('./routing.js')).run,
  log: async () => (await import('./log.js')).run,
  renewal: async () => (await import('./renewal.js')).run,
  signatures: async () => (await import('./signatures.js')).run,
  galera: async () => (await import('./galera.js')).run,
  workers: async () => (await import('./workers.js')).run,
  start: async () => (await import('./start.js')).run,
}

const given = process.argv.slice(2).map((argument) => argument.split('='))
const unknown = given.map(([name = '']) => name).filter((name) => benchmarks[name] === undefined)
if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(', ')}. There are ${Object.keys(benchmarks).join(', ')}.`)
  process.exit(1)
}
console.log(
  `${cpus().length} processors, load ${loadavg()[0]?.toFixed(1)}; a ratio is the median of its rounds, with their spread`,
)
for (const [name = '', argument] of given.length > 0 ? given : Object.keys(benchmarks).map((one) => [one])) {
  console.log(`\n== ${name}`)
  const benchmark = await benchmarks[name]?.()
  await benchmark?.(argument)
}
