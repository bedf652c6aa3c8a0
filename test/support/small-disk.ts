import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Mounts a file system of a few MiB; `undefined` when this process may not mount one. */
export function mountSmallDisk(mib: number): { readonly folder: string; unmount(): void } | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'registry-small-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmdirSync(folder)
    return undefined
  }
  return {
    folder,
    unmount() {
      execFileSync('umount', [folder])
      rmdirSync(folder)
    },
  }
}
