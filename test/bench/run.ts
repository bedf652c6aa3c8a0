type Benchmark = () => void | Promise<void>

const benchmarks: Readonly<Record<string, () => Promise<Benchmark>>> = {
  verification: async () => (await import('./verification.js')).run,
  gost: async () => (await import('./gost.js')).run,
  xml: async () => (await import('./xml.js')).run,
  hashing: async () => (await import('./hashing.js')).run,
  registrations: async () => (await import('./registrations.js')).run,
  reads: async () => (await import('./reads.js')).run,
  packages: async () => (await import('./packages.js')).run,
  lists: async () => (await import('./lists.js')).run,
}

const given = process.argv.slice(2)
const unknown = given.filter((name) => benchmarks[name] === undefined)
if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(', ')}. There are ${Object.keys(benchmarks).join(', ')}.`)
  process.exit(1)
}
for (const name of given.length > 0 ? given : Object.keys(benchmarks)) {
  console.log(`\n== ${name}`)
  const benchmark = await benchmarks[name]?.()
  await benchmark?.()
}
