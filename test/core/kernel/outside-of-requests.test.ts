import { AsyncLocalStorage } from 'node:async_hooks'
import { expect } from 'chai'
import { outsideOfRequests } from '#core/kernel/outside-of-requests.js'

describe('work outside of requests', () => {
  it('belongs to no request, however long it goes on after the one that began it', async () => {
    const request = new AsyncLocalStorage<string>()
    const seen = (begin: (work: () => void) => void) =>
      request.run(
        'a request',
        () => new Promise((resolve) => begin(() => setImmediate(() => resolve(request.getStore())))),
      )
    expect(await seen((work) => work())).to.equal('a request')
    expect(await seen(outsideOfRequests)).to.equal(undefined)
  })
})
