import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { DerError } from '#verifier/der/reader.js'
import { RegistryError } from '#verifier/error.js'
import { heavyInputs } from './heavy-inputs.js'

/**
 * Measures what the most expensive inputs of about a megabyte cost: processor time and memory, each in a process of its
 * own. `node dist-test/fuzz/heavy.js [part of a name]`; ends with status 1 when one costs over a second or 100 MB.
 */
const MAX_MILLISECONDS = 1000
const MAX_MEGABYTES = 100

interface Cost {
  readonly outcome: string
  readonly milliseconds: number
  readonly megabytes: number
}

function measure(name: string): Cost {
  const run = heavyInputs[name]?.prepare()
  if (run === undefined) throw new TypeError(`no input ${name}`)
  global.gc?.()
  const before = process.resourceUsage().maxRSS
  const resident = process.memoryUsage.rss() / 1024
  const heldBefore = held()
  const started = process.cpuUsage()
  const outcome = outcomeOf(run)
  const { user, system } = process.cpuUsage(started)
  // What was needed to make the input hides behind the highest mark: growth above what is resident counts.
  const peak = process.resourceUsage().maxRSS
  const grown = peak > before ? (peak - resident) / 1024 : 0
  const megabytes = Math.max(grown, (held() - heldBefore) / 1024 / 1024)
  return { outcome, milliseconds: (user + system) / 1000, megabytes }
}

function held(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function outcomeOf(run: () => unknown): string {
  try {
    run()
    return 'accepted'
  } catch (error) {
    if (error instanceof RegistryError) return `${error.code}: ${String(error.details?.reason)}`
    if (error instanceof DerError) return `DerError: ${error.message}`
    return `ESCAPED: ${String(error)}`
  }
}

const child = process.argv[2] === '--one' ? process.argv[3] : undefined
if (child !== undefined) console.log(JSON.stringify(measure(child)))
else {
  let failed = false
  for (const name of Object.keys(heavyInputs).filter((one) => one.includes(process.argv[2] ?? ''))) {
    const file = fileURLToPath(import.meta.url)
    const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', file, '--one', name], { encoding: 'utf8' })
    if (stdout === '') {
      console.log(`${name}: ${stderr.slice(0, 500)}`)
      failed = true
      continue
    }
    const { outcome, milliseconds, megabytes }: Cost = JSON.parse(stdout)
    const tooMuch = milliseconds > MAX_MILLISECONDS || megabytes > MAX_MEGABYTES || outcome.startsWith('ESCAPED')
    failed ||= tooMuch
    const cost = `${Math.round(milliseconds)} ms, ${Math.round(megabytes)} MB`
    console.log(`${tooMuch ? 'TOO MUCH ' : ''}${name}: ${cost}, ${outcome}`)
  }
  process.exit(failed ? 1 : 0)
}
