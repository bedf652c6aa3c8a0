import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cardTargets } from './cards.js'
import { judge } from './judge.js'
import { logTargets } from './logs.js'
import { Random } from './random.js'
import { makeSeeds } from './seeds.js'
import { targetsOf } from './targets.js'

/**
 * Feeds changed inputs to every reader for so many seconds; prints what left them, and what each took at most.
 * Findings are written to files. `npm run fuzz [seconds] [seed] [part of the names of targets]`
 */
const seconds = Number(process.argv[2] ?? 60)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const named = process.argv[4] ?? ''
const SLOW = 1000

interface Tally {
  runs: number
  accepted: number
  findings: number
  slowest: number
  readonly codes: Map<string, number>
}

const random = new Random(seed)
const targets = [...targetsOf(makeSeeds()), ...logTargets(), ...(await cardTargets())].filter(({ name }) =>
  name.includes(named),
)
const tallies = new Map<string, Tally>()
const seen = new Set<string>()
const end = Date.now() + seconds * 1000

const keep = (name: string, what: string, input: Uint8Array | string): void => {
  const signature = what.replace(/[\d:]+/g, '').slice(0, 300)
  if (seen.has(signature)) return
  seen.add(signature)
  const file = join(tmpdir(), `finding-${seed}-${seen.size}.bin`)
  writeFileSync(file, input)
  console.log(`FOUND in ${name} (${file}):\n${what}\n`)
}

while (Date.now() < end)
  for (const target of targets) {
    const tally = tallies.get(target.name) ?? { runs: 0, accepted: 0, findings: 0, slowest: 0, codes: new Map() }
    tallies.set(target.name, tally)
    const input = target.make(random)
    const started = process.cpuUsage()
    const outcome = await judge(target, input)
    const { user, system } = process.cpuUsage(started)
    const milliseconds = (user + system) / 1000
    tally.runs += 1
    tally.slowest = Math.max(tally.slowest, milliseconds)
    if (milliseconds > SLOW) keep(target.name, `${Math.round(milliseconds)} ms for ${input.length} octets`, input)
    if (outcome.kind === 'accepted') tally.accepted += 1
    if (outcome.kind === 'refused') tally.codes.set(outcome.code, (tally.codes.get(outcome.code) ?? 0) + 1)
    if (outcome.kind === 'found') {
      tally.findings += 1
      keep(target.name, outcome.what, input)
    }
  }

console.log(`seed ${seed}, ${seconds} seconds`)
for (const [name, { runs, accepted, findings, slowest, codes }] of tallies) {
  const refused = [...codes].sort((a, b) => b[1] - a[1]).map(([code, count]) => `${code} ${count}`)
  console.log(`${name}: ${runs} runs, ${accepted} accepted, ${findings} findings, slowest ${Math.round(slowest)} ms`)
  console.log(`    ${refused.join(', ')}`)
}
process.exit(seen.size === 0 ? 0 : 1)
