import assert from 'node:assert/strict'
import { AuthorityUnavailable } from '../signatures/index.js'

/** Asserts that a source rejected with `AuthorityUnavailable`. */
export async function assertUnavailable(exchange: Promise<unknown>): Promise<void> {
  await assert.rejects(exchange, (error) => {
    assert.ok(error instanceof AuthorityUnavailable, `rejects with AuthorityUnavailable, not with ${String(error)}`)
    return true
  })
}

/** Asserts that an address is http or https without credentials, so that it may be shown to anybody. */
export function assertAddress(url: string): void {
  const { protocol, username, password } = new URL(url)
  assert.match(protocol, /^https?:$/)
  assert.equal(`${username}${password}`, '', 'credentials do not belong into an address')
}

/** Works with a new source, and closes it. */
export async function using<S extends { close?(): void }>(
  make: () => S | Promise<S>,
  work: (source: S) => Promise<void>,
): Promise<void> {
  const source = await make()
  try {
    await work(source)
  } finally {
    source.close?.()
  }
}
