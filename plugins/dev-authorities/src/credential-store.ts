import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Holder } from './cms/signed-data.js'
import { keyFromPem } from './keys.js'
import { pem, readPem } from './pem.js'
import type { SigningKey } from './signing-key.js'

/** Where keys and certificates are kept, so that the same authorities can be had again. */
export interface Shelf {
  /** What is kept under the name; made and kept when there is nothing yet. */
  take(name: string, make: () => Holder): Holder
}

/** Keeps everything for as long as the shelf itself lives. */
export function memoryShelf(): Shelf {
  const kept = new Map<string, Holder>()
  return {
    take(name, make) {
      const holder = kept.get(name) ?? make()
      kept.set(name, holder)
      return holder
    },
  }
}

/**
 * Keeps each name in `<folder>/<name>.pem`: certificate and PKCS#8 key together, readable by the owner alone, as
 * `openssl cms -sign -signer` takes it. Processes that start at the same moment end up with the same file.
 */
export function folderShelf(folder: string): Shelf {
  return {
    take(name, make) {
      const file = join(folder, `${name}.pem`)
      return readHolder(file) ?? keepHolder(file, make())
    },
  }
}

function readHolder(file: string): Holder | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  const [certificate] = readPem('CERTIFICATE', text)
  const [key] = readPem('PRIVATE KEY', text)
  if (certificate === undefined || key === undefined)
    throw new Error(`${file} holds no certificate with its key; delete it to have a new one made`)
  return new KeptHolder(certificate, pem('PRIVATE KEY', key))
}

/** Reads its key when it signs first: a start reads a dozen of them and signs with none. */
class KeptHolder implements Holder {
  private readKey: SigningKey | undefined

  constructor(
    readonly certificate: Buffer,
    private readonly keyPem: string,
  ) {}

  get key(): SigningKey {
    this.readKey ??= keyFromPem(this.keyPem)
    return this.readKey
  }
}

function keepHolder(file: string, holder: Holder): Holder {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, pem('CERTIFICATE', holder.certificate) + holder.key.toPem(), { mode: 0o600 })
  try {
    // A link appears whole or not at all, and never replaces what another process has put there.
    linkSync(unfinished, file)
    return holder
  } catch (error) {
    const theirs = readHolder(file)
    if (theirs === undefined) throw error
    return theirs
  } finally {
    rmSync(unfinished, { force: true })
  }
}
