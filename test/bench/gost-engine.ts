import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const CERTIFICATES = 1000
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

  /**
   * Microseconds of one verification: `openssl verify` reads the same certificates with and without verifying what their
   * issuer, which is trusted, signed of itself.
   */
  verifying({ algorithm, set }: { readonly algorithm: string; readonly set: string }): number {
    const certificate = join(this.folder, `${algorithm}-${set}.pem`)
    const key = ['-newkey', algorithm, '-pkeyopt', `paramset:${set}`, '-nodes', '-keyout', '/dev/null']
    if (!existsSync(certificate)) {
      this.openssl('req', '-x509', '-engine', 'gost', ...key, '-subj', '/CN=floor', '-out', certificate)
    }
    const all = Array.from({ length: CERTIFICATES }, () => certificate)
    const read = (...how: string[]) => this.openssl('verify', '-engine', 'gost', ...how, '-CAfile', certificate, ...all)
    return (read('-check_ss_sig') - read()) / CERTIFICATES
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
