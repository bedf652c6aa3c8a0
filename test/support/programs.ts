import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of an installed program, if there is one; servers are often in folders that only root has in its path. */
export function onPath(program: string): string | undefined {
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}
