import assert from 'node:assert/strict'
import type { TrustStore } from '../signatures/index.js'
import type { Clause } from './clause.js'

/** The `TrustStore` to check against its contract. */
export interface TrustStoreUnderTest {
  /** A store with at least one trust anchor. */
  open(): TrustStore | Promise<TrustStore>
  /**
   * A store, and a function that makes its next load fail, for example by corrupting its file and advancing its clock. Leave
   * it out if the set cannot change.
   */
  failing?(): Promise<{ readonly store: TrustStore; spoil(): Promise<void> }>
}

/** What every `TrustStore` promises. */
export function trustStoreContract({ open, failing }: TrustStoreUnderTest): readonly Clause[] {
  return [
    {
      title: 'returns self-issued trust anchors, and reports their number',
      async check() {
        const store = await open()
        const { anchors } = store.trust()
        assert.ok(anchors.length > 0, 'there is a trust anchor')
        for (const { isSelfIssued } of anchors) assert.ok(isSelfIssued, 'an anchor is self-issued')
        assert.equal(store.state().anchors, anchors.length)
      },
    },
    {
      title: 'returns the same object while nothing has changed: verdicts are cached by it',
      async check() {
        const store = await open()
        assert.equal(store.trust(), store.trust())
      },
    },
    {
      title: 'reports when it was loaded, and no failure if there was none',
      async check() {
        const { loadedAt, error } = (await open()).state()
        assert.ok(Number.isSafeInteger(loadedAt) && loadedAt > 0, 'loadedAt is in milliseconds')
        assert.equal(error, undefined)
      },
    },
    ...(failing === undefined
      ? []
      : [
          {
            title: 'keeps the last good set when a load fails, and reports why',
            async check() {
              const { store, spoil } = await failing()
              const before = store.trust()
              await spoil()
              assert.equal(store.trust(), before)
              assert.match(store.state().error ?? '', /./)
            },
          },
        ]),
  ]
}
