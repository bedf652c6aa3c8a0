import { createReadStream, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { readTrust } from '@signed-registry/verifier'
import { ThreadFileReader } from '#signed-files/thread-file-reader.js'
import { judgeFile } from '#verifier/files/verify-file.js'

// Judges a signed file as a host does, and writes the outcome, how much more memory it took at most than at its start, MiB, and how
// long the event loop was held at most, milliseconds: by the clock, and of the processor, which others of the machine do not change.
const [path = '', anchors = ''] = process.argv.slice(2)
const trust = readTrust([{ name: anchors, bytes: readFileSync(anchors) }])
const limit = 2 ** 31
const bounds = { maxBytes: limit, roomBytes: limit, memoryMb: 250, timeoutMs: 300_000 }
const reader = new ThreadFileReader({ folder: dirname(path), ...bounds })
const start = peak()
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
let [before, worked] = [used(), 0]
const timer = setInterval(() => {
  const now = used()
  worked = Math.max(worked, now - before)
  before = now
}, 5)
const upload = { size: statSync(path).size, stream: createReadStream(path) }
const file = await reader.open(upload, (read) => read())
const verdict = file.found.is === 'signed' ? judgeFile(file.found.file, { trust }) : undefined
await file.close()
clearInterval(timer)
worked = Math.max(worked, used() - before)
delay.disable()
const { outcome, signatures = [], problems } = verdict ?? {}
const held = delay.max / 1e6
process.stdout.write(
  JSON.stringify({ outcome, signatures: signatures.length, problems, start, more: peak() - start, held, worked }),
)

/** What this thread has used of the processor, milliseconds. */
function used(): number {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
}

/** Not `maxRSS`, which a process inherits from the one that started it. */
function peak(): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kibibytes) / 1024
}
