import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { fileOf } from './child-processes.js'
import { onPath } from './programs.js'
import { until } from './until.js'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const SYSTEMD = '/usr/lib/systemd/systemd'

/** True where systemd can be started as the first process of a namespace, with control groups of its own. */
export const startsSystemd: boolean =
  existsSync(SYSTEMD) &&
  spawnSync('unshare', ['--mount', '--pid', '--cgroup', 'mount', '-t', 'cgroup2', 'none', '/mnt']).status === 0

/** Control groups in which systemd makes its own: those of this machine stay as they are. */
const IN_GROUP = `
mount --make-rprivate /
mount -t cgroup2 none "$root/sys"
mkdir "$root/sys/$group"
echo $$ >"$root/sys/$group/cgroup.procs"
umount "$root/sys"
exec unshare --mount --pid --fork --kill-child --cgroup --uts --ipc $network sh -euc "$1"`

/** What every machine has of its own. */
const BOOT = `
mount --bind "$root" "$root"
cd "$root"
eval "$mounts"
mount --bind "$node" usr/bin/node
mount -o remount,bind,ro usr/bin/node
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t tmpfs none dev
for device in null zero full random urandom tty; do
  : >"dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=666 none dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mount -t tmpfs none dev/shm
mount -t sysfs -o ro sys sys
mount -t cgroup2 none sys/fs/cgroup
mount -t tmpfs none run
pivot_root . .
umount --lazy .
exec env -i container=other $unitPath ${SYSTEMD} --system --unit=multi-user.target`

const TIDY = `
mount -t cgroup2 none "$root/sys"
find "$root/sys/$group" -depth -type d -exec rmdir {} +`

/** What a machine is made of. */
export interface MachineKind {
  /** Puts files under its root. */
  fill(root: string): void
  /** Mounts more there, as a shell does. */
  readonly mounts: string
  /** The only folder that systemd reads units from; where there is none, those of Debian. */
  readonly units?: string
  /** Where its root is put; in the temporary folder unless given, which may be in memory. */
  readonly folder?: string
  /** It reaches nothing but itself, and its ports are its own. */
  readonly isAlone?: boolean
}

const FOLDERS =
  'usr/bin usr/lib usr/lib64 opt/signed-registry proc dev sys run tmp root var/lib var/tmp etc/systemd/system'

/**
 * Programs of this machine without its units, the repository where the documents put it, and everything else its own.
 * Units of this machine would do their work on its files, such as removing what is in `/tmp`.
 */
const withRepository: MachineKind = {
  units: '/etc/systemd/system',
  mounts: `
for libraries in lib lib64; do
  mount --bind "/usr/$libraries" "usr/$libraries"
  mount -o remount,bind,ro "usr/$libraries"
done
for units in system system-generators system-shutdown; do
  if [ -d "usr/lib/systemd/$units" ]; then mount -t tmpfs none "usr/lib/systemd/$units"; fi
done
mount --bind "$repository" opt/signed-registry
mount -o remount,bind,ro opt/signed-registry`,
  fill: (root) => {
    for (const name of FOLDERS.split(' ')) mkdirSync(join(root, name), { recursive: true })
    for (const name of ['lib', 'lib64', 'bin']) symlinkSync(`usr/${name}`, join(root, name))
    for (const program of ['sh', 'env', 'kill', 'umount', 'systemctl'])
      cpSync(onPath(program) ?? program, join(root, 'usr/bin', program), { dereference: true })
    for (const target of ['sysinit', 'basic', 'shutdown', 'multi-user'])
      write(root, `etc/systemd/system/${target}.target`, '[Unit]\nDefaultDependencies=no\n')
  },
}

const INSIDE = ['--mount', '--pid', '--cgroup', '--ipc', '--uts']

/** A machine of its own that systemd runs; `node` is the program that it has as `/usr/bin/node`. */
export class SystemdMachine {
  /** Where its files are found from outside. */
  readonly root: string
  private readonly env: NodeJS.ProcessEnv
  private machine: ChildProcess | undefined
  /** Its first process, as this machine numbers it. */
  firstProcess = ''

  constructor(
    private readonly kind: MachineKind = withRepository,
    node = process.execPath,
  ) {
    this.root = mkdtempSync(join(kind.folder ?? tmpdir(), 'registry-systemd-'))
    this.env = {
      ...process.env,
      ...{ root: this.root, repository, node, mounts: kind.mounts },
      group: `registry-test-${randomBytes(6).toString('hex')}`,
      network: kind.isAlone === true ? '--net' : '',
      unitPath: kind.units === undefined ? '' : `SYSTEMD_UNIT_PATH=${kind.units}`,
    }
  }

  /** Gives it users, units and files, and starts it. */
  async start(files: Readonly<Record<string, string>> = {}): Promise<void> {
    this.kind.fill(this.root)
    chmodSync(this.root, 0o755)
    write(this.root, 'usr/bin/node', '')
    for (const [name, content] of Object.entries(files)) write(this.root, name, content)
    // The machine ends with this process, however that ends.
    const args = ['--pdeathsig', 'KILL', 'unshare', '--mount', 'sh', '-euc', IN_GROUP, 'sh', BOOT]
    this.machine = spawn('setpriv', args, { env: this.env, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    this.machine.stderr?.on('data', (text) => {
      said += text
    })
    process.once('exit', this.kill)
    await until(async () => {
      if (!this.runs()) throw new Error(`systemd did not start: ${said}`)
      return this.isUp()
    })
  }

  /** Before there is systemd, programs of the boot see the files of this machine. */
  private isUp(): boolean {
    const pid = Number(this.machine?.pid)
    const child = fileOf(pid, `task/${pid}/children`).trim()
    if (child === '' || fileOf(Number(child), 'comm') !== 'systemd\n') return false
    this.firstProcess = child
    return existsSync(`/proc/${child}/root/run/systemd/private`)
  }

  /** Runs a program on it, such as `systemctl`, and gives what it said. */
  async run(...command: readonly string[]): Promise<string> {
    const { program, args, env } = this.entering(INSIDE, command)
    const { stdout } = await promisify(execFile)(program, args, { env })
    return stdout.trim()
  }

  /** Starts a program of this machine in the network of that one, with which it ends. */
  startBeside(...command: readonly string[]): ChildProcess {
    const { program, args } = this.entering(['--pid'], command)
    return spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  }

  private entering(namespaces: readonly string[], command: readonly string[]) {
    if (!this.runs() || this.firstProcess === '') throw new Error('The machine does not run')
    const network = this.kind.isAlone === true ? ['--net'] : []
    const units = this.kind.units === undefined ? {} : { SYSTEMD_UNIT_PATH: this.kind.units }
    return {
      program: onPath('nsenter') ?? 'nsenter',
      args: ['--target', this.firstProcess, ...namespaces, ...network, ...command],
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', ...units },
    }
  }

  /** Ends it as a failure of its power would, and removes what it left. */
  async end(): Promise<void> {
    const ended = this.runs() ? once(this.machine ?? process, 'exit') : undefined
    this.kill()
    await ended
    process.off('exit', this.kill)
    spawnSync('unshare', ['--mount', 'sh', '-euc', TIDY], { env: this.env, stdio: 'inherit' })
    rmSync(this.root, { recursive: true, force: true })
  }

  private readonly runs = (): boolean =>
    this.machine !== undefined && this.machine.exitCode === null && this.machine.signalCode === null

  /** All its processes end with the first, and `unshare` when they have ended. */
  private readonly kill = (): void => {
    if (!this.runs()) return
    if (this.firstProcess === '') this.machine?.kill('SIGKILL')
    else process.kill(Number(this.firstProcess), 'SIGKILL')
  }
}

function write(root: string, name: string, content: string): void {
  mkdirSync(join(root, name, '..'), { recursive: true })
  writeFileSync(join(root, name), content)
}
