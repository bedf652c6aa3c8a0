import assert from 'node:assert/strict'
import { newId, newLinkSecret } from '../kernel/ids.js'
import type { BodyStream } from '../kernel/upload.js'
import type { AnnouncedProcedure, Announcement, MobileApp, Relay } from '../procedures/index.js'
import type { Clause } from './clause.js'

/** The `MobileApp` to check against its contract. */
export interface MobileAppUnderTest {
  open(): MobileApp | Promise<MobileApp>
  /** The app at the end of a relay; leave it out if the app connects to this service directly. */
  readonly relayed?: {
    /** Documents that the app understands, as JSON. */
    documents(): Uint8Array
    /** The app follows an announcement, and fetches the documents once they are there: returns them. */
    takes(announcement: Announcement): Promise<Uint8Array>
    /** The app sends what was signed: returns what it sent. Called after `takes`, for the same announcement. */
    returns(announcement: Announcement): Promise<Uint8Array>
  }
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47])
const MINUTE_MS = 60_000

/** What every `MobileApp` promises. */
export function mobileAppContract({ open, relayed }: MobileAppUnderTest): readonly Clause[] {
  return [
    {
      title: 'shows a way for the app: a code, and links that open it',
      async check() {
        const { qrCode, govMobileLaunchLink, govBusinessLaunchLink, expireAt } = await (await open()).announce(
          procedure(),
        )
        assert.ok(Buffer.from(qrCode).subarray(0, PNG.length).equals(PNG), 'the code is a PNG image')
        for (const link of [govMobileLaunchLink, govBusinessLaunchLink]) assert.equal(new URL(link).protocol, 'https:')
        assert.ok(expireAt === undefined || expireAt > Date.now(), 'it is not over yet')
      },
    },
    {
      title: 'shows each procedure a way of its own',
      async check() {
        const app = await open()
        const [one, other] = await Promise.all([app.announce(procedure()), app.announce(procedure())])
        assert.notEqual(one.govMobileLaunchLink, other.govMobileLaunchLink)
        assert.notDeepEqual(one.qrCode, other.qrCode)
      },
    },
    {
      title: 'has a channel that can be stored as JSON with a relay, and none without',
      async check() {
        const app = await open()
        const { channel } = await app.announce(procedure())
        assert.equal(channel === undefined, app.relay === undefined)
        if (channel !== undefined) assert.deepEqual(JSON.parse(JSON.stringify(channel)), channel)
      },
    },
    ...(relayed === undefined ? [] : relayClauses(open, relayed)),
  ]
}

const relayClauses = (
  open: MobileAppUnderTest['open'],
  app: NonNullable<MobileAppUnderTest['relayed']>,
): readonly Clause[] => {
  const begun = async () => {
    const way = await open()
    assert.ok(way.relay)
    const announcement = await way.announce(procedure())
    return { relay: way.relay, announcement, channel: announcement.channel }
  }
  const deliver = (relay: Relay, channel: unknown, signal: AbortSignal) => {
    const bytes = app.documents()
    return relay.deliver(
      channel,
      { type: 'application/json', size: bytes.length, bytes: () => inPieces(bytes) },
      signal,
    )
  }
  /** Up to the point where the app has the documents. */
  const delivered = async () => {
    const { relay, announcement, channel } = await begun()
    const delivering = deliver(relay, channel, new AbortController().signal)
    const [given] = await Promise.all([app.takes(announcement), delivering])
    return { relay, announcement, channel, given }
  }
  return [
    {
      title: 'hands documents to the app unchanged, and waits until it has them',
      async check() {
        const { relay, channel, given } = await delivered()
        assert.ok(Buffer.from(given).equals(app.documents()))
        await relay.cancel(channel)
      },
    },
    {
      title: 'hands over what the app returns unchanged, and resolves when it was accepted',
      async check() {
        const { relay, announcement, channel } = await delivered()
        const taken: Buffer[] = []
        const take = async ({ stream }: BodyStream) => {
          for await (const chunk of stream) taken.push(Buffer.from(chunk))
        }
        const collecting = relay.collect(channel, take, new AbortController().signal)
        const [returned] = await Promise.all([app.returns(announcement), collecting])
        assert.ok(Buffer.concat(taken).equals(returned))
      },
    },
    {
      title: 'rejects when it was not accepted',
      async check() {
        const { relay, announcement, channel } = await delivered()
        const failure = new Error('what the app returned is not kept')
        const collecting = relay.collect(channel, () => Promise.reject(failure), new AbortController().signal)
        await Promise.all([app.returns(announcement), assert.rejects(collecting, failure)])
      },
    },
    {
      title: 'gives up when its caller does',
      async check() {
        const { relay, channel } = await begun()
        const caller = new AbortController()
        const delivering = deliver(relay, channel, caller.signal)
        const collecting = relay.collect(channel, async () => undefined, caller.signal)
        setImmediate(() => caller.abort())
        await Promise.all([assert.rejects(delivering), assert.rejects(collecting)])
        await relay.cancel(channel)
      },
    },
    {
      title: 'refuses channels of others',
      async check() {
        const { relay } = await begun()
        for (const channel of [undefined, {}, 'https://elsewhere.example/'])
          await assert.rejects(deliver(relay, channel, new AbortController().signal))
      },
    },
  ]
}

const procedure = (): AnnouncedProcedure => ({
  id: newId(),
  address: `https://registry.example.kz/api/govQr/app/${newLinkSecret()}`,
  description: 'Договор',
  expireAt: Date.now() + MINUTE_MS,
  backUrl: 'https://registry.example.kz/done',
  authType: 'None',
  logo: undefined,
})

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100)
}
