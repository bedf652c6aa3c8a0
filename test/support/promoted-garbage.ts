import { boundHeapGrowth } from '#host/cli/start.js'

// Says how large a heap becomes, MiB, of which 60 MiB are alive, while everything dies that grew old; bounded where it is told.
if (process.argv[2] === 'bounded') boundHeapGrowth()
const octets = () => Array.from({ length: 64 }, (_, at) => at + 0.5)
const alive = Array.from({ length: 100_000 }, octets)
let most = 0
for (let made = 0; made < 800_000; made += 1) {
  alive[made % alive.length] = octets()
  if (made % 1000 === 0) most = Math.max(most, process.memoryUsage().heapUsed)
}
process.stdout.write(String(Math.round(most / 2 ** 20)))
