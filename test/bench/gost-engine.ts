import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const FEW = 1
const MANY = 401
const MIB = 2 ** 20
const SIZE = 64 * MIB

/** What `openssl` with its gost engine takes, by the processor time of whole processes: of much work less that of little. */
export class GostEngine {
  private constructor(private readonly folder: string) {}

  /** `undefined` where OpenSSL or its engine is missing. */
  static async find(): Promise<GostEngine | undefined> {
    const { status } = spawnSync('openssl', ['engine', '-t', 'gost'], { stdio: 'ignore' })
    return status === 0 ? new GostEngine(mkdtempSync(join(tmpdir(), 'registry-gost-'))) : undefined
  }

  /** Microseconds for a MiB. */
  hashing(digest: string): number {
    const [large, small] = [SIZE, MIB].map((size) => {
      const file = join(this.folder, String(size))
      writeFileSync(file, Buffer.alloc(size, 'signed document'))
      return this.openssl('dgst', '-engine', 'gost', `-${digest}`, file)
    })
    return ((large ?? 0) - (small ?? 0)) / ((SIZE - MIB) / MIB)
  }

  /** Microseconds to read and verify one certificate. */
  verifying({ algorithm, set }: { readonly algorithm: string; readonly set: string }): number {
    const certificate = join(this.folder, `${algorithm}.pem`)
    const key = [
      '-engine',
      'gost',
      '-newkey',
      algorithm,
      '-pkeyopt',
      `paramset:${set}`,
      '-nodes',
      '-keyout',
      '/dev/null',
    ]
    this.openssl('req', '-x509', ...key, '-subj', '/CN=floor', '-out', certificate)
    const verify = (count: number) => {
      const all = Array.from({ length: count }, () => certificate)
      return this.openssl('verify', '-engine', 'gost', '-check_ss_sig', '-CAfile', certificate, ...all)
    }
    return (verify(MANY) - verify(FEW)) / (MANY - FEW)
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Runs to the end; microseconds of processor time. */
  private openssl(...args: readonly string[]): number {
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', 'TIMEFORMAT="%U %S"; time openssl "$@" >/dev/null 2>&1', 'bash', ...args],
      {
        encoding: 'utf8',
      },
    )
    if (status !== 0) throw new Error(`openssl ${args[0]} failed`)
    const [user = 0, system = 0] = stderr.trim().split(' ').map(Number)
    return (user + system) * 1e6
  }
}
