import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

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
}

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

  /** A file of this version; compressed at the first request. */
  find(version: string, name: string): Asset | undefined {
    const plain = version === this.version ? this.files.get(name) : undefined
    if (plain === undefined) return undefined
    const asset = this.ready.get(name) ?? {
      type: TYPES[extname(name)] ?? 'application/octet-stream',
      plain,
      gzip: gzipSync(plain),
      brotli: brotliCompressSync(plain),
      isWorker: name === 'hash-worker.js',
    }
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
