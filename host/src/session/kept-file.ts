import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

/** What is in a file, readable by the owner alone; made where there is none yet. */
export function keptFile(file: string, make: () => string): string {
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, make(), { mode: 0o600 })
  try {
    // A link appears whole or not at all, and never replaces what another process has put there.
    linkSync(unfinished, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(unfinished, { force: true })
  }
  return readFileSync(file, 'utf8')
}
