import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Clock, Reread, TrustState, TrustStore } from '@signed-registry/core'
import { readTrust, type Trust, type TrustFile } from '@signed-registry/verifier'

const CHECK_EVERY = 60_000
const EXTENSIONS = new Set(['.pem', '.crt', '.cer', '.der', '.crl'])
const MAX_FILES = 1_000
const MAX_BYTES = 64 * 1024 * 1024

/**
 * The operator's certificates and CRLs, from a file or folder, or given in code. Self-signed certificates are trust
 * anchors, the others issuing CAs for path building. Files are checked for changes at most once a minute, on use;
 * a set that cannot be loaded is reported in `state()`, and the last good one stays in use.
 */
export class ConfiguredTrust implements TrustStore {
  private current: Trust
  private loaded: number
  private checked: number
  private seen: string
  private failure: string | undefined

  /** Loads the set; throws when there is none to begin with. `source` is a path, or DER or PEM values. */
  constructor(
    private readonly source: string | readonly Uint8Array[],
    private readonly clock: Clock,
    /** Responders whose OCSP answers count for every certificate; a path, or DER or PEM values. */
    private readonly responders: string | readonly Uint8Array[] = [],
  ) {
    this.seen = this.sourceState()
    this.current = this.read()
    this.loaded = this.checked = clock.now()
  }

  trust(): Trust {
    this.check()
    return this.current
  }

  state(): TrustState {
    this.check()
    const state = { loadedAt: this.loaded, anchors: this.current.anchors.length }
    return this.failure === undefined ? state : { ...state, error: this.failure }
  }

  /** Loads the set again, now. */
  reload(): void {
    this.checked = this.clock.now()
    try {
      this.prepare().apply()
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error)
    }
  }

  async reread(): Promise<Reread> {
    try {
      const next = this.prepare()
      // Verdicts are cached by the set: one that is the same stays.
      return next.changed === undefined ? { ...next, apply: () => undefined } : next
    } catch (error) {
      throw new Error(`trust anchors: ${error instanceof Error ? error.message : error}`, { cause: error })
    }
  }

  /** Reads the set; throws when it is not good. */
  private prepare(): Reread {
    // Taken before the files are read: one that changes meanwhile is loaded again.
    const seen = this.sourceState()
    const next = this.read()
    return {
      changed: seen === this.seen && this.failure === undefined ? undefined : `trust anchors: ${next.anchors.length}`,
      apply: () => {
        this.current = next
        this.loaded = this.checked = this.clock.now()
        this.seen = seen
        this.failure = undefined
      },
    }
  }

  private check(): void {
    if (
      (typeof this.source !== 'string' && typeof this.responders !== 'string') ||
      Math.abs(this.clock.now() - this.checked) < CHECK_EVERY
    )
      return
    this.checked = this.clock.now()
    try {
      if (this.failure === undefined && this.sourceState() === this.seen) return
    } catch {
      // The load below fails the same way and reports it.
    }
    this.reload()
  }

  private sourceState = (): string =>
    [this.source, this.responders].map((one) => (typeof one === 'string' ? trustFilesState(one) : '')).join('\n\n')

  private read = (): Trust => readTrust(filesOf(this.source), { responders: filesOf(this.responders) })
}

const filesOf = (source: string | readonly Uint8Array[]): readonly (TrustFile | Uint8Array)[] =>
  typeof source === 'string' ? readTrustFiles(source) : source

/** Reads a file, or the files of a folder that end in .pem, .crt, .cer, .der or .crl, by name; throws for what cannot be read. */
function readTrustFiles(path: string): TrustFile[] {
  return listed(path).map((name) => {
    if (statSync(name).size > MAX_BYTES) throw new Error(`${name} is larger than ${MAX_BYTES} bytes`)
    return { name, bytes: readFileSync(name) }
  })
}

/** A text that changes whenever one of the files does; cheap enough to ask often. */
function trustFilesState(path: string): string {
  return listed(path)
    .map((name) => {
      const { size, mtimeMs, ino } = statSync(name)
      return `${name} ${size} ${mtimeMs} ${ino}`
    })
    .join('\n')
}

function listed(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  const names = readdirSync(path).filter((name) => !name.startsWith('.') && EXTENSIONS.has(extname(name).toLowerCase()))
  if (names.length > MAX_FILES) throw new Error(`${path} holds more than ${MAX_FILES} files`)
  return names.sort().map((name) => join(path, name))
}
