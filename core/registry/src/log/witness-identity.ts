import { createPublicKey } from 'node:crypto'
import { cosign, cosignerKey, originHash } from '@signed-registry/verifier/log'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import { LogSettings } from './log-settings.js'
import { hostOf } from './log-store.js'

/** This registry as a witness of the logs of others: its name, its key, and whose logs it cosigns. */
export class WitnessIdentity {
  static readonly inject = { settings: LogSettings, site: Site, clock: Clock }

  constructor(private readonly use: Injected<typeof WitnessIdentity.inject>) {}

  /** The key that others configure; `undefined` where this registry is no witness. */
  get verifierKey(): string | undefined {
    const { witnessFor, witnessKey } = this.use.settings
    if (witnessFor === undefined || witnessKey === undefined) return undefined
    return cosignerKey(this.name, createPublicKey(witnessKey))
  }

  /** Verifier keys of a log that this registry is a witness of; `undefined` of any other. */
  keysOf(origin: string): readonly string[] | undefined {
    const keys = this.logs().filter(({ key }) => key.name === origin)
    return keys.length === 0 ? undefined : keys.map(({ verifierKey }) => verifierKey)
  }

  /** The logs that this registry is a witness of. */
  get origins(): readonly string[] {
    return [...new Set(this.logs().map(({ key }) => key.name))]
  }

  /** The origin of a log that this registry is a witness of, by its SHA-256 in hexadecimal. */
  originOf(hash: string): string | undefined {
    return this.logs().find(({ key }) => originHash(key.name) === hash)?.key.name
  }

  /** The signature line under the text of a checkpoint, dated now. */
  cosign(text: string): string {
    const { witnessKey } = this.use.settings
    if (witnessKey === undefined) throw new Error('A registry without a key for it is no witness')
    const time = Math.floor(this.use.clock.now() / 1000)
    return cosign(text, { name: this.name, key: witnessKey, time })
  }

  private get name(): string {
    return `${hostOf(this.use.site.baseUrl)}/witness`
  }

  private logs() {
    const { witnessFor, witnessKey } = this.use.settings
    return witnessKey === undefined ? [] : (witnessFor?.logs ?? [])
  }
}
