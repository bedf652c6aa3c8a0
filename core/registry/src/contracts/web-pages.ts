import assert from 'node:assert/strict'
import { anonymous, type Caller } from '../identity/index.js'
import { requestErrors } from '../kernel/request-errors.js'
import type { PageAnswer, PageRequest, WebPages } from '../web/index.js'
import type { Clause } from './clause.js'

/** The `WebPages` of an empty registry, to check against their contract. */
export interface WebPagesUnderTest {
  open(): WebPages | Promise<WebPages>
  /** Somebody who has logged in. */
  caller(): Caller
}

/** Fills the parameters of addresses: an identifier that does not exist. */
const NOTHING = 'AAAAAAAAAAAAAAAA'
const SECRET = 'connect ECONNREFUSED 10.0.0.5'

/** What every `WebPages` promises. */
export function webPagesContract({ open, caller }: WebPagesUnderTest): readonly Clause[] {
  return [
    {
      title: 'have unique paths outside of the API',
      async check() {
        const { addresses, files } = await open()
        const paths = [...addresses, ...files]
        assert.equal(new Set(paths).size, paths.length)
        for (const path of paths) assert.match(path, /^\/(?!api\/)/)
      },
    },
    {
      title: 'answer under each path, to any caller, even for things that do not exist',
      async check() {
        const pages = await open()
        for (const address of [...pages.addresses, ...pages.files]) {
          for (const asking of [anonymous, caller()]) {
            const answer = await pages.answer(ask(address, asking))
            assertSendable(answer, address)
            assert.ok(answer.status < 500, `${address} answers ${answer.status}`)
          }
        }
      },
    },
    {
      title: 'are not cached for others if they depend on the caller',
      async check() {
        const pages = await open()
        for (const address of pages.addresses) {
          const { headers } = await pages.answer(ask(address, caller()))
          assert.match(headers['cache-control'] ?? '', /\b(no-store|private)\b/, address)
        }
      },
    },
    {
      title: 'have an error page that tells nothing of the error',
      async check() {
        const pages = await open()
        for (const address of pages.addresses) {
          const answer = await pages.failure(ask(address, anonymous), new Error(SECRET))
          assertSendable(answer, address)
          assert.ok(answer.status >= 500, `${address} answers ${answer.status}`)
          assert.ok(!Buffer.from(answer.body).includes(SECRET))
        }
      },
    },
    {
      title: 'have a page for refusals',
      async check() {
        const pages = await open()
        for (const address of pages.addresses) {
          const answer = await pages.failure(ask(address, caller()), requestErrors.error('invalidQueryParameter'))
          assertSendable(answer, address)
          assert.ok(answer.status >= 400 && answer.status < 500, `${address} answers ${answer.status}`)
        }
      },
    },
  ]
}

/** Requests an address like a browser without special headers. */
function ask(address: string, caller: Caller): PageRequest {
  const params = Object.fromEntries([...address.matchAll(/:(\w+)|\*/g)].map(([place, name = place]) => [name, NOTHING]))
  return { address, params, url: address.replace(/:\w+|\*/g, NOTHING), isHttps: false, caller, header: () => undefined }
}

function assertSendable({ status, headers, body }: PageAnswer, address: string): void {
  assert.ok(Number.isInteger(status) && status >= 200, `${address} answers ${status}`)
  for (const name of Object.keys(headers)) assert.equal(name, name.toLowerCase())
  if (body.length > 0) assert.ok(headers['content-type'], `${address} says of what type it is`)
  else assert.ok(status >= 300, `${address} answers nothing`)
}
