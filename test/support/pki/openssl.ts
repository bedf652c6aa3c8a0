import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Outcome {
  readonly ok: boolean
  /** Standard output and standard error together. */
  readonly output: string
  /** Reads a file that the command wrote. */
  file(name: string): Buffer
}

/** Runs `openssl <args>` in a folder that holds just `files`; the folder is removed when `use` returns. */
export function openssl<T>(
  args: string,
  files: Readonly<Record<string, Uint8Array | string>>,
  use: (outcome: Outcome) => T,
): T {
  return inFolder(files, (folder) => {
    const run = spawnSync('openssl', args.split(' '), { cwd: folder, encoding: 'utf8' })
    return use({
      ok: run.status === 0,
      output: run.stdout + run.stderr,
      file: (name) => readFileSync(join(folder, name)),
    })
  })
}

/** A temporary folder with these files, removed afterwards. */
export function inFolder<T>(files: Readonly<Record<string, Uint8Array | string>>, use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'pki-'))
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
