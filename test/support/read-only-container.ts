import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Buildah } from './buildah.js'

/** As compose.yaml starts one: `read_only`, `tmpfs: [/tmp]`, `cap_drop: [ALL]`, `no-new-privileges`. */
const SCRIPT = `
mount --make-rprivate /
mount --bind "$0" "$0"
mount -o remount,bind,ro "$0"
# Where buildah notes that this is a container.
mount -t tmpfs none "$0/run"
exec setpriv --no-new-privs "$@"
`

/** Starts a command in a container of which nothing can be written but `/data`, a folder of this machine, and `/tmp`. */
export async function startReadOnly(
  buildah: Buildah,
  container: string,
  { data, env, command }: { data: string; env: readonly string[]; command: readonly string[] },
): Promise<ChildProcessByStdio<null, Readable, Readable>> {
  const root = await buildah.run('mount', container)
  const mounts = ['--mount', 'type=tmpfs,destination=/tmp', '--volume', `${data}:/data`]
  const run = [...buildah.command, 'run', '--cap-drop', 'all', ...mounts, ...env.flatMap((one) => ['--env', one])]
  return spawn('unshare', ['--mount', 'sh', '-euc', SCRIPT, root, ...run, container, '--', ...command], {
    env: buildah.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
