import { RegistryError, type Trust } from '@signed-registry/core'
import { type Asset, compressed } from './assets.js'
import type { Operations } from './operations.js'

/** Largest revocation lists that come along, all of them, octets. */
const MAX_CRL_BYTES = 1024 * 1024

/**
 * What /check judges evidence bundles by in the browser, as a file: whom the registry trusts, and the key of its statements.
 * It is made anew when the trust set changes.
 */
export class CheckTrust {
  private made: { readonly trust: Trust; readonly file: Asset } | undefined

  constructor(private readonly use: Pick<Operations, 'trustStore' | 'getStatementKey'>) {}

  file(): Asset {
    const trust = this.use.trustStore.trust()
    if (this.made?.trust !== trust) this.made = { trust, file: compressed('.json', Buffer.from(this.text(trust))) }
    return this.made.file
  }

  private text({ anchors, intermediates, responders = [], crls = [] }: Trust): string {
    const withoutCrls = crls.reduce((sum, { der }) => sum + der.length, 0) > MAX_CRL_BYTES
    return JSON.stringify({
      anchors: anchors.map(base64),
      intermediates: intermediates.map(base64),
      responders: responders.map(base64),
      crls: withoutCrls ? [] : crls.map(base64),
      withoutCrls,
      key: this.key(),
    })
  }

  /** The statement key, if the registry has one. */
  private key(): string | undefined {
    try {
      return this.use.getStatementKey.execute().verifierKey
    } catch (error) {
      if (error instanceof RegistryError && error.code === 'statementKeyMissing') return undefined
      throw error
    }
  }
}

const base64 = ({ der }: { readonly der: Uint8Array }): string => Buffer.from(der).toString('base64')
