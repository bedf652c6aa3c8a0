import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** A file that pages need. */
export interface Asset {
  readonly type: string
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly brotli: Buffer
  /** Runs in a thread of its own, by a policy of its own. */
  readonly isWorker: boolean
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** What the national hashes are made of, for browsers. */
const NATIONAL_HASHES = [
  'hashes',
  'block-hasher',
  'hash-functions',
  'web-assembly',
  ...['streebog', 'gost34311'].flatMap((name) => [name, `${name}-module`, `${name}-constants`]),
]

/** Files of pages by their names, and the version that all of them have together: their addresses never change meaning. */
export class Assets {
  private readonly files = new Map<string, Buffer>()
  private readonly ready = new Map<string, Asset>()
  readonly version: string

  constructor({ logo, style }: { readonly logo: string | undefined; readonly style: string | undefined }) {
    const here = fileURLToPath(new URL('.', import.meta.url))
    this.addModules('', join(here, 'browser'))
    this.addModules('texts/', join(here, 'browser', 'texts'))
    this.addModules('client/', packageFolder('@signed-registry/client'))
    for (const name of ['sha2.js', '_md.js', '_u64.js', 'utils.js'])
      this.add(`hashes/${name}`, join(packageFolder('@noble/hashes/sha2.js'), name))
    const gost = packageFolder('@signed-registry/verifier/gost-hashes')
    for (const name of NATIONAL_HASHES) this.add(`gost/${name}.js`, join(gost, `${name}.js`))
    for (const name of readdirSync(join(here, '../style'))) this.add(name, join(here, '../style', name))
    if (logo !== undefined) this.add(`logo${extname(logo).toLowerCase()}`, logo)
    if (style !== undefined) this.add('theme.css', style)
    const hash = createHash('sha256')
    for (const [name, bytes] of this.files) hash.update(name).update(bytes)
    this.version = hash.digest('hex').slice(0, 12)
  }

  /** The path of a file. */
  path(name: string): string {
    return `/assets/${this.version}/${name}`
  }

  has(name: string): boolean {
    return this.files.has(name)
  }

  /** A file of this version, compressed when it is first asked for. */
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

  private addModules(prefix: string, folder: string): void {
    for (const name of readdirSync(folder)) if (name.endsWith('.js')) this.add(prefix + name, join(folder, name))
  }

  private add(name: string, path: string): void {
    const bytes = readFileSync(path)
    this.files.set(name, name.endsWith('.js') ? Buffer.from(withAddresses(name, bytes.toString('utf8'))) : bytes)
  }
}

/** Browsers know no packages: their names in imports become addresses beside the module. */
function withAddresses(name: string, source: string): string {
  const up = name.includes('/') ? '../' : './'
  return source
    .replaceAll("'@signed-registry/client'", `'${up}client/index.js'`)
    .replaceAll("'@noble/hashes/sha2.js'", `'${up}hashes/sha2.js'`)
    .replaceAll("'@signed-registry/verifier/gost-hashes'", `'${up}gost/hashes.js'`)
    .replace(/^\/\/# sourceMappingURL=.*$/m, '')
}

const resolve = createRequire(import.meta.url).resolve
const packageFolder = (name: string): string => dirname(resolvedFile(name))

/** Where a module of a package is; packages that have nothing for `require` are found as imports are. */
function resolvedFile(name: string): string {
  try {
    return resolve(name)
  } catch {
    return fileURLToPath(import.meta.resolve(name))
  }
}

export const nameOfLogo = (logo: string): string => `logo${extname(basename(logo)).toLowerCase()}`
