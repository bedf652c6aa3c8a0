import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Holder } from './cms/signed-data.js'
import { keyFromPem } from './keys.js'
import { pem, readPem } from './pem.js'
import type { SigningKey } from './signing-key.js'

/** Stores keys with their certificates, so that the same authorities can be loaded again. */
export interface CredentialStore {
  /** The credentials under this name, created when there are none. */
  take(name: string, make: () => Holder): Holder
}

/** A store in memory. */
export function memoryCredentials(): CredentialStore {
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
 * Stores each name in `<folder>/<name>.pem`: certificate and PKCS#8 key, readable by the owner only, in the format of
 * `openssl cms -sign -signer`. Processes that start at the same time end up with the same file.
 */
export function folderCredentials(folder: string): CredentialStore {
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

/** Parses the key on first use: startup loads a dozen of them and signs with none. */
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
    // Creating a link is atomic and fails if another process was faster.
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
