import { type ExecFileOptions, execFile, type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

// A program of Node can hang for ever when its work is done, waiting for its compiler threads (nodejs/node#54918): one
// that takes so long is killed and run once more, so it must bear to be run twice.
const LIMITS = { timeout: 120_000, killSignal: 'SIGKILL' } as const

const execute = promisify(execFile)

/** Runs a program that ends by itself, and gives what it wrote; rejects as `execFile` does. */
export async function runProgram(file: string, args: readonly string[], options: ExecFileOptions = {}) {
  const once = () => execute(file, args, { ...options, ...LIMITS, encoding: 'utf8' })
  return once().catch((error: unknown) => {
    if (error instanceof Error && 'killed' in error && error.killed === true) return once()
    throw error
  })
}

/** Runs a program that ends by itself while nothing else happens; gives its status and what it wrote. */
export function runProgramSync(file: string, args: readonly string[], options: SpawnSyncOptions = {}) {
  const once = () => spawnSync(file, args, { ...options, ...LIMITS, encoding: 'buffer' })
  const first = once()
  const { status, stdout, stderr } = first.signal === 'SIGKILL' ? once() : first
  return { status, stdout, stderr: stderr.toString() }
}
