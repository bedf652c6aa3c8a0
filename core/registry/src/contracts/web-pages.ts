import assert from 'node:assert/strict'
import { anonymous, type Caller } from '../identity/index.js'
import { requestErrors } from '../kernel/request-errors.js'
import type { PageAnswer, PageRequest, WebPages } from '../web/index.js'
import type { Clause } from './clause.js'

/** What the contract of `WebPages` is held against: the pages of a registry that has nothing in it. */
export interface WebPagesUnderTest {
  open(): WebPages | Promise<WebPages>
  /** Somebody who has logged in. */
  caller(): Caller
}

/** What stands in the places of addresses: nothing is called so. */
const NOTHING = 'AAAAAAAAAAAAAAAA'
const SECRET = 'connect ECONNREFUSED 10.0.0.5'

/** What every `WebPages` promises. */
export function webPagesContract({ open, caller }: WebPagesUnderTest): readonly Clause[] {
  return [
    {
      title: 'have paths of their own, each once and outside of the API',
      async check() {
        const { addresses, files } = await open()
        const paths = [...addresses, ...files]
        assert.equal(new Set(paths).size, paths.length)
        for (const path of paths) assert.match(path, /^\/(?!api\/)/)
      },
    },
    {
      title: 'answer under each path, whoever asks, for things that are not there too',
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
      title: 'are kept by no cache for others where they depend on who asks',
      async check() {
        const pages = await open()
        for (const address of pages.addresses) {
          const { headers } = await pages.answer(ask(address, caller()))
          assert.match(headers['cache-control'] ?? '', /\b(no-store|private)\b/, address)
        }
      },
    },
    {
      title: 'have a page in place of one that failed, which tells nothing of the failure',
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
      title: 'have a page in place of one that is refused',
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

/** Asks for an address as a browser does that sends no headers of note. */
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
