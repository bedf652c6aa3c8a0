import { readFileSync } from 'node:fs'
import { commandLine } from '#host/cli/command-line.js'

// Verifies what its arguments name, and writes the exit code and the most memory that it had, MiB.
const console = { env: {}, out: () => undefined, err: (text: string) => void process.stderr.write(text) }
const code = await commandLine(['verify', ...process.argv.slice(2)], console)
// Not `maxRSS`, which a process inherits from the one that started it.
const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
process.stdout.write(JSON.stringify({ code, peak: Number(peak) / 1024 }))
