import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DevAuthorities } from '@signed-registry/dev-authorities'

/**
 * Gives a host its development authorities in its data folder, unless it has some: the same ones to all hosts of a run, since
 * the keys of new ones take a second of processor time.
 */
export function giveDevAuthorities(dataFolder: string): void {
  const own = join(dataFolder, 'dev-authorities')
  if (existsSync(own)) return
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  cpSync(madeOnce(), own, { recursive: true })
}

/** In the folder of the run, for all its processes; whoever is first makes them. */
function madeOnce(): string {
  const folder = join(tmpdir(), 'dev-authorities-of-the-run')
  if (existsSync(folder)) return folder
  const making = `${folder}.${randomBytes(6).toString('hex')}`
  DevAuthorities.create({ folder: making })
  try {
    renameSync(making, folder)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}
