import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onPath } from './programs.js'
import { type MachineKind, SystemdMachine, startsSystemd } from './systemd.js'

/** Debian takes a gigabyte. */
const ON_DISK = '/var/tmp'

/** True where Debian can be put into a folder, and started by its systemd. */
export const startsDebian: boolean = startsSystemd && onPath('mmdebstrap') !== undefined

/** Debian 12 with some packages, installed once for all machines that are made of it. */
export class DebianImage {
  private constructor(private readonly folder: string) {}

  static async make(packages: readonly string[]): Promise<DebianImage> {
    const image = new DebianImage(mkdtempSync(join(ON_DISK, 'registry-debian-')))
    const args = ['--quiet', '--mode=root', '--variant=minbase', `--include=${['systemd', ...packages].join(',')}`]
    try {
      await promisify(execFile)(onPath('mmdebstrap') ?? 'mmdebstrap', [...args, 'bookworm', image.folder])
    } catch (error) {
      image.remove()
      throw error
    }
    return image
  }

  /** A machine of it that reaches nothing but itself; `node` is its program of Node. */
  machine(node: string): SystemdMachine {
    const kind: MachineKind = {
      fill: (root) => void execFileSync('cp', ['--archive', `${this.folder}/.`, root]),
      mounts: '',
      folder: ON_DISK,
      isAlone: true,
    }
    return new SystemdMachine(kind, node)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
