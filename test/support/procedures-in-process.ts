import {
  type AppDocuments,
  anonymous,
  type Caller,
  MobileApp,
  type Plugin,
  provideValue,
  type Registry,
  type Relay,
} from '@signed-registry/core'

import {
  BeginRawProcedure,
  DescribeToApp,
  GetRawState,
  GiveToApp,
  SendRawData,
  TakeFromApp,
} from '@signed-registry/core/procedures'
import { addressIn } from '@signed-registry/dev-authorities'

const partOf = (url: string, at: number): string => new URL(url).pathname.split('/').at(at) ?? ''

/** All bytes of a stream. */
export async function collected(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A raw procedure, as who began it calls from inside the process. */
export async function beginRaw(registry: Registry, { caller = anonymous, description = 'Sign this' } = {}) {
  const asked = caller as Caller
  const begun = await registry.get(BeginRawProcedure).execute(asked, { request: { description } })
  const qrId = partOf(begun.dataURL, -1)
  return {
    ...begun,
    send: (body: string, read: () => void = () => undefined) => {
      async function* stream() {
        read()
        yield Buffer.from(body)
      }
      return registry.get(SendRawData).execute(anonymous, { qrId, body: { stream: stream() } })
    },
    state: async () => (await registry.get(GetRawState).execute(anonymous, { qrId })).status,
  }
}

/** The mobile application, which follows a link from inside the process. */
export async function followLink(registry: Registry, { govMobileLaunchLink }: { govMobileLaunchLink: string }) {
  const described = await registry
    .get(DescribeToApp)
    .execute(anonymous, { appId: partOf(addressIn(govMobileLaunchLink), -1) })
  const { uri, auth_token: token } = described.document
  const appId = partOf(uri, -2)
  const proof = { authorization: `Bearer ${token}` }
  return {
    described,
    /** Waits until they are there; gives up when told to. */
    async documents(signal: AbortSignal = new AbortController().signal): Promise<Buffer> {
      const connection = { signal, reading: () => undefined }
      const given: AppDocuments = await registry.get(GiveToApp).execute(anonymous, { appId }, proof, connection)
      return collected(given.bytes())
    },
    answer: (returned: object) =>
      registry
        .get(TakeFromApp)
        .execute(anonymous, { appId, body: { stream: [Buffer.from(JSON.stringify(returned))] } }, proof),
  }
}

/** A relay whose app has the documents when a test says so. */
export function relayInProcess(): { plugin: Plugin; delivered(): void } {
  let delivered = (): void => undefined
  const isDelivered = new Promise<void>((resolve) => {
    delivered = resolve
  })
  const untilAborted = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
  const relay: Relay = {
    deliver: (_channel, _documents, signal) => Promise.race([isDelivered, untilAborted(signal)]),
    collect: (_channel, _take, signal) => untilAborted(signal),
    cancel: async () => undefined,
  }
  const app: MobileApp = {
    relay,
    announce: async () => ({
      qrCode: new Uint8Array(),
      govMobileLaunchLink: 'https://relay.example/',
      govBusinessLaunchLink: 'https://relay.example/',
      channel: {},
    }),
  }
  return {
    plugin: { name: 'relay-in-process', provides: [provideValue(MobileApp, app)] },
    delivered: () => delivered(),
  }
}
