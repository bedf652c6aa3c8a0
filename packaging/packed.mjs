import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Packs every package of this repository into a folder, as it would be published; answers what npm says of each, and its file. */
export function packInto(folder) {
  const args = ['pack', '--workspaces', '--json', '--silent', '--pack-destination', folder]
  const said = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  const packed = JSON.parse(said)
  // npm 10 and 11 answer a list, npm 12 an object by name.
  return (Array.isArray(packed) ? packed : Object.values(packed)).map((one) => ({
    ...one,
    file: join(folder, one.filename),
  }))
}
