import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ConfigFile } from './config-file.js'

const STICKY = 0o1000
const [OTHERS, GROUP] = [0o002, 0o020]

/**
 * Why a configuration file must not be run; `undefined` where it may be. It is code, so nobody else may be able to write it. An operator
 * who names a file trusts its owner; a file that is only found belongs to root or to us. Windows has no such owners to check.
 */
export function whyUnsafe({ path, isNamed }: ConfigFile): string | undefined {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()]
  if (uid === undefined) return undefined
  let real: string
  try {
    real = realpathSync(path)
  } catch {
    return 'there is no such file, or it may not be read'
  }
  if (!isNamed) {
    if (real !== path) return `it is a link, or behind one: name ${real} by REGISTRY_CONFIG to say that it is meant`
    for (const place of [dirname(path), path]) {
      const { uid: owner } = lstatSync(place)
      if (owner !== 0 && owner !== uid)
        return `${place} belongs to user ${owner}: name the file by REGISTRY_CONFIG to say that it is meant`
    }
  }
  for (const place of new Set([dirname(path), dirname(real), real]))
    if (isOpen(statSync(place), gid)) return `others may write to ${place}: run chmod go-w ${place}`
  return undefined
}

/** Whether more than its owner and our own group may write to it; in a folder such as /tmp nobody replaces files of others. */
function isOpen(stats: Stats, ours: number | undefined): boolean {
  const { mode, gid } = stats
  if (stats.isDirectory() && (mode & STICKY) !== 0) return false
  return (mode & OTHERS) !== 0 || ((mode & GROUP) !== 0 && gid !== ours)
}
