import assert from 'node:assert/strict'
import type { WebhookAnswer, WebhookRequest, WebhookSender } from '../webhooks/index.js'
import type { Clause } from './clause.js'

/** A webhook as the receiver got it. */
export interface ReceivedRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

/** The `WebhookSender` to check against its contract, and a test receiver. */
export interface WebhookSenderUnderTest {
  open(): WebhookSender | Promise<WebhookSender>
  /** A sender of a registry that allows only public addresses (`WebhookAddresses`). */
  openPublic(): WebhookSender | Promise<WebhookSender>
  /** A sender of a registry that allows any address, but only the ports 443 and 80. */
  openOnUsualPorts(): WebhookSender | Promise<WebhookSender>
  /** Address of the receiver, on this machine. */
  url(): string
  /** Sets what the receiver answers; `nothing` never answers, `endless` answers without end. */
  answers(
    answer:
      | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
      | 'nothing'
      | 'endless',
  ): void
  /** What the receiver got, in order. */
  received(): readonly ReceivedRequest[]
}

/** What every `WebhookSender` promises. */
export function webhookSenderContract(under: WebhookSenderUnderTest): readonly Clause[] {
  const { open, openPublic, openOnUsualPorts, answers, received } = under
  const post = async (request: Partial<WebhookRequest> = {}, sender = open()): Promise<WebhookAnswer> =>
    (await sender).post({
      url: under.url(),
      headers: { 'content-type': 'application/json', 'webhook-id': 'one' },
      body: Buffer.from('{"signId":1}'),
      signal: new AbortController().signal,
      ...request,
    })
  return [
    {
      title: 'sends headers and body unchanged, once',
      async check() {
        answers({ status: 200 })
        const before = received().length
        const text = '{"comment":"Қазақша \\u2028"}'
        await post({ body: Buffer.from(text) })
        const [got, ...more] = received().slice(before)
        assert.equal(got?.text, text)
        assert.equal(got.headers['webhook-id'], 'one')
        assert.equal(got.headers['content-type'], 'application/json')
        assert.equal(more.length, 0)
      },
    },
    {
      title: 'returns status, Retry-After and the beginning of the body, for any status',
      async check() {
        for (const status of [200, 204, 400, 410, 429, 500, 503]) {
          const body = status === 204 ? '' : `answer ${status}`
          answers({ status, body, headers: { 'retry-after': '120' } })
          assert.deepEqual(await post(), { status, body, retryAfter: '120' })
        }
      },
    },
    {
      title: 'does not follow redirects',
      async check() {
        answers({ status: 307, headers: { location: `${under.url()}/elsewhere` } })
        const before = received().length
        assert.equal((await post()).status, 307)
        assert.equal(received().length, before + 1)
      },
    },
    {
      title: 'limits how much of an answer it reads',
      async check() {
        answers('endless')
        const body = await post().then(
          (answer) => answer.body,
          () => '',
        )
        assert.ok(body.length <= 1024 * 1024, `${body.length} characters were read`)
      },
    },
    {
      title: 'gives up when the caller times out before an answer',
      async check() {
        answers('nothing')
        const caller = new AbortController()
        const exchange = post({ signal: caller.signal })
        setImmediate(() => caller.abort())
        await assert.rejects(exchange)
      },
    },
    {
      title: 'rejects when nobody listens',
      check: () => assert.rejects(post({ url: 'http://127.0.0.1:1/' })),
    },
    refusing('connects to no private address where the registry allows public ones alone', openPublic),
    refusing('connects to no other port than the registry allows', openOnUsualPorts),
  ]

  function refusing(title: string, openStrict: WebhookSenderUnderTest['openPublic']): Clause {
    const check = async () => {
      answers({ status: 200 })
      const before = received().length
      await assert.rejects(post({}, openStrict()))
      assert.equal(received().length, before)
    }
    return { title, check }
  }
}
