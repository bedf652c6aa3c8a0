import { type ChildProcess, execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onPath } from './programs.js'
import { type MachineKind, SystemdMachine, startsSystemd } from './systemd.js'

/** True where Debian can be put into a folder, and started by its systemd. */
export const startsDebian: boolean = startsSystemd && onPath('mmdebstrap') !== undefined

/** Debian 12 with some packages, installed once for all machines that are made of it. */
export class DebianImage {
  private constructor(private readonly folder: string) {}

  static async make(packages: readonly string[]): Promise<DebianImage> {
    const folder = mkdtempSync(join(tmpdir(), 'registry-debian-'))
    const args = ['--quiet', '--mode=root', '--variant=minbase', `--include=${['systemd', ...packages].join(',')}`]
    await promisify(execFile)(onPath('mmdebstrap') ?? 'mmdebstrap', [...args, 'bookworm', folder])
    return new DebianImage(folder)
  }

  /** A machine of it that reaches nothing but itself; `node` is its program of Node. */
  machine(node: string): SystemdMachine {
    const kind: MachineKind = {
      fill: (root) => void execFileSync('cp', ['--archive', `${this.folder}/.`, root]),
      mounts: '',
      isAlone: true,
    }
    return new SystemdMachine(kind, node)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** One shell on a machine, which runs scripts one after another and keeps its variables and its folder. */
export class MachineShell {
  private said = ''
  private hasEnded = false
  private scripts = 0
  private heard: (() => void) | undefined
  private readonly shell: ChildProcess

  constructor(private readonly machine: SystemdMachine) {
    this.shell = machine.spawn('bash', '-eu')
    for (const stream of [this.shell.stdout, this.shell.stderr])
      stream?.on('data', (chunk) => {
        this.said += chunk
        this.heard?.()
      })
    this.shell.on('close', () => {
      this.hasEnded = true
      this.heard?.()
    })
  }

  /** What it said; throws with it when a command fails, which ends the shell. */
  run(script: string): Promise<string> {
    this.scripts += 1
    const file = `tmp/script-${this.scripts}`
    const end = `<end of script ${this.scripts}>\n`
    this.said = ''
    writeFileSync(join(this.machine.root, file), script)
    // From a file: commands of the script may read standard input.
    if (!this.hasEnded) this.shell.stdin?.write(`. /${file} </dev/null\necho '${end.trim()}'\n`)
    return new Promise((resolve, reject) => {
      this.heard = () => {
        if (this.said.endsWith(end)) resolve(this.said.slice(0, -end.length))
        else if (this.hasEnded) reject(new Error(`The shell ended at\n${script}\n${this.said}`))
      }
      this.heard()
    })
  }

  close(): void {
    this.shell.kill('SIGKILL')
  }
}
