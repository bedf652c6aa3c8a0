import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** A file that pages need. */
export interface Asset {
  readonly type: string
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly brotli: Buffer
  /** A web worker, which has its own policy. */
  readonly isWorker: boolean
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.html': 'text/html; charset=utf-8',
  '.sha256': 'text/plain; charset=utf-8',
  '.json': 'application/json',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

/** Of the verifier the best quality takes 700 ms, in which nobody else is served, and the next 50 for 8 % more. */
const LARGE_BYTES = 64 * 1024
const qualityFor = ({ length }: Buffer): number => (length > LARGE_BYTES ? 9 : constants.BROTLI_MAX_QUALITY)

/** A file of this extension, as it is sent. */
export const compressed = (extension: string, plain: Buffer, isWorker = false): Asset => ({
  type: TYPES[extension] ?? 'application/octet-stream',
  plain,
  gzip: gzipSync(plain),
  brotli: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: qualityFor(plain) } }),
  isWorker,
})

/** Modules that run in a worker of their own. */
const WORKERS = new Set(['hash-worker.js', 'evidence-worker.js'])

/** Files of the pages by name, under one version for all of them, so that a URL never changes its content. */
export class Assets {
  private readonly files = new Map<string, Buffer>()
  private readonly ready = new Map<string, Asset>()
  readonly version: string

  constructor({ logo, style }: { readonly logo: string | undefined; readonly style: string | undefined }) {
    // Modules for browsers are put together by packaging/browser.mjs.
    for (const folder of ['./assets/', '../style/']) this.addFolder(fileURLToPath(new URL(folder, import.meta.url)))
    if (logo !== undefined) this.add(`logo${extname(logo).toLowerCase()}`, logo)
    if (style !== undefined) this.add('theme.css', style)
    const hash = createHash('sha256')
    for (const [name, bytes] of this.files) hash.update(name).update(bytes)
    this.version = hash.digest('hex').slice(0, 12)
  }

  /** The path of a file; throws where there is none. */
  path(name: string): string {
    if (!this.files.has(name)) throw new TypeError(`Pages have no file ${name}`)
    return `/assets/${this.version}/${name}`
  }

  /** A file of this version. */
  find(version: string, name: string): Asset | undefined {
    return version === this.version && this.files.has(name) ? this.named(name) : undefined
  }

  /** A file, compressed at the first request; throws where there is none. */
  named(name: string): Asset {
    const plain = this.files.get(name)
    if (plain === undefined) throw new TypeError(`Pages have no file ${name}`)
    const asset = this.ready.get(name) ?? compressed(extname(name), plain, WORKERS.has(name))
    this.ready.set(name, asset)
    return asset
  }

  private addFolder(folder: string): void {
    for (const name of readdirSync(folder)) this.add(name, join(folder, name))
  }

  private add(name: string, path: string): void {
    this.files.set(name, readFileSync(path))
  }
}

export const nameOfLogo = (logo: string): string => `logo${extname(basename(logo)).toLowerCase()}`
