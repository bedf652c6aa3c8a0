import { renameSync, writeFileSync } from 'node:fs'

// Loaded into a host by `--import`, with `--expose-gc`: at SIGWINCH it collects garbage and writes down what is left.
const file = process.env.MEMORY_PROBE
let asked = 0
process.on('SIGWINCH', () => {
  asked += 1
  if (file === undefined) return
  // Buffers that one collection finds dead are counted until the next one has ended their sweeping.
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  writeFileSync(`${file}.new`, JSON.stringify({ asked, live: heapUsed + external }))
  renameSync(`${file}.new`, file)
})
