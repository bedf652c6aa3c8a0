import assert from 'node:assert/strict'
import type { WebhookAnswer, WebhookRequest, WebhookSender } from '../webhooks/index.js'
import type { Clause } from './clause.js'

/** A webhook as the receiver got it. */
export interface ReceivedRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

/** What the contract of a `WebhookSender` is held against: it, and a receiver of yours that answers as it is told. */
export interface WebhookSenderUnderTest {
  open(): WebhookSender | Promise<WebhookSender>
  /** A sender of a registry that allows public addresses alone; leave it out where addresses are not the sender's to check. */
  openPublic?(): WebhookSender | Promise<WebhookSender>
  /** A sender of a registry that allows any address, and the ports 443 and 80 alone. */
  openOnUsualPorts?(): WebhookSender | Promise<WebhookSender>
  /** Address of the receiver, on this machine. */
  url(): string
  /** What the receiver answers from now on; `nothing` never answers, `endless` answers without an end. */
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
      title: 'carries headers and body as they are, once',
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
      title: 'tells status, Retry-After and the beginning of the body, whatever the status is',
      async check() {
        for (const status of [200, 204, 400, 410, 429, 500, 503]) {
          const body = status === 204 ? '' : `answer ${status}`
          answers({ status, body, headers: { 'retry-after': '120' } })
          assert.deepEqual(await post(), { status, body, retryAfter: '120' })
        }
      },
    },
    {
      title: 'follows no redirect',
      async check() {
        answers({ status: 307, headers: { location: `${under.url()}/elsewhere` } })
        const before = received().length
        assert.equal((await post()).status, 307)
        assert.equal(received().length, before + 1)
      },
    },
    {
      title: 'bounds what it reads of an answer',
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
      title: 'gives up when the time of the caller ends before an answer comes',
      async check() {
        answers('nothing')
        const caller = new AbortController()
        const exchange = post({ signal: caller.signal })
        setImmediate(() => caller.abort())
        await assert.rejects(exchange)
      },
    },
    {
      title: 'rejects where nobody listens',
      check: () => assert.rejects(post({ url: 'http://127.0.0.1:1/' })),
    },
    ...refusing('connects to no private address where the registry allows public ones alone', openPublic),
    ...refusing('connects to no other port than the registry allows', openOnUsualPorts),
  ]

  function refusing(title: string, openStrict: WebhookSenderUnderTest['openPublic']): readonly Clause[] {
    if (openStrict === undefined) return []
    const check = async () => {
      answers({ status: 200 })
      const before = received().length
      await assert.rejects(post({}, openStrict()))
      assert.equal(received().length, before)
    }
    return [{ title, check }]
  }
}
