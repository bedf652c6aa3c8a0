import {
  type Clock,
  definePlugin,
  type Plugin,
  provideValue,
  StatusSource,
  TimestampSource,
  type Trust,
  TrustStore,
} from '@signed-registry/core'

import type { DevAuthorities } from '@signed-registry/dev-authorities'
import { Type } from 'typebox'
import { Crl } from '#verifier/x509/crl.js'
import { trustOf } from './trust.js'

/** Authorities without a responder: what is revoked is known from the CRLs that the operator has put down. */
export class CrlAuthorities {
  trust: Trust

  constructor(
    readonly authorities: DevAuthorities,
    private readonly clock: Clock,
  ) {
    this.trust = trustOf(authorities)
  }

  /** Puts down the CRLs of all authorities as of now. */
  publish(): void {
    const { hierarchy } = this.authorities
    const issuing = (['rsa', 'ecdsa', 'gost'] as const).map((name) => this.authorities.crl(name))
    const crls = [...issuing, hierarchy.root.crl(this.clock.now())].map((der) => Crl.parse(der))
    this.trust = { ...trustOf(this.authorities), crls }
  }

  /** Takes the CRLs away. */
  withdraw(): void {
    this.trust = trustOf(this.authorities)
  }

  get plugin(): Plugin {
    const { tsa } = this.authorities
    const store: TrustStore = { trust: () => this.trust, state: () => ({ loadedAt: 0, anchors: 1 }) }
    return definePlugin({
      name: 'crl-authorities',
      options: Type.Object({}),
      parts: () => ({
        provides: [
          provideValue(TrustStore, store),
          provideValue(TimestampSource, {
            url: 'http://tsp.test/',
            timestamp: async (request) => tsa.respond(request),
          }),
          provideValue(StatusSource, {
            urlFor: () => undefined,
            status: () => Promise.reject(new Error('nobody is there')),
          }),
        ],
      }),
    })({})
  }
}
