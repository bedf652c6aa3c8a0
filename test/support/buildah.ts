import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onPath } from './programs.js'

/** True when images can be made here: buildah needs root and mounts of its own, and mmdebstrap makes a base. */
export const makesImages: boolean =
  process.getuid?.() === 0 &&
  onPath('buildah') !== undefined &&
  onPath('mmdebstrap') !== undefined &&
  spawnSync('unshare', ['--mount', 'true']).status === 0

/** How an image is started, and how its health is asked: what Docker reads of it. */
export interface ImageConfig {
  readonly User: string
  readonly Cmd: readonly string[]
  readonly StopSignal: string
  readonly Healthcheck?: { readonly Test: readonly string[] }
}

/** Images and containers in a folder of their own, without a daemon. */
export class Buildah {
  /** What every command begins with, and runs in. */
  readonly command: readonly string[]
  readonly env: NodeJS.ProcessEnv

  /** On the disk, where folders of tests may be in memory: images take two gigabytes. */
  readonly folder = mkdtempSync('/var/tmp/registry-images-')

  constructor() {
    process.once('exit', this.remove)
    const temporary = join(this.folder, 'tmp')
    mkdirSync(temporary)
    this.env = { PATH: process.env.PATH, HOME: this.folder, TMPDIR: temporary, BUILDAH_ISOLATION: 'chroot' }
    const places = ['--root', join(this.folder, 'root'), '--runroot', join(this.folder, 'run')]
    const storage = [...places, '--storage-driver', 'vfs']
    this.command = [onPath('buildah') ?? 'buildah', ...storage]
  }

  /** Runs a command to its end and gives what it wrote; rejects when it fails, with what it said. */
  async run(...args: readonly string[]): Promise<string> {
    const [program = '', ...storage] = this.command
    const { stdout } = await promisify(execFile)(program, [...storage, ...args], { env: this.env, maxBuffer: 1e8 })
    return stdout.trim()
  }

  /** Builds an image; a base that is not here already is a failure, and is not pulled. */
  build(tag: string, ...args: readonly string[]): Promise<string> {
    // Images in the format of OCI have no health check.
    return this.run('build', '--format', 'docker', '--pull-never', '--quiet', '--tag', tag, ...args)
  }

  async configOf(image: string): Promise<ImageConfig> {
    return JSON.parse(await this.run('inspect', '--type', 'image', image)).Docker.config
  }

  readonly remove = (): void => rmSync(this.folder, { recursive: true, force: true })
}
