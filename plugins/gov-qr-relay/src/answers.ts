import { type Announcement, type OutboundAnswer, RelayRefusal } from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

/** A longer answer is not searched for an error message. */
export const MAX_REFUSAL_BYTES = 64 * 1024

/** The needed fields of the answer to `POST /api/govQr`; the field names of the production service are accepted too. */
const StartedProcedure = Type.Object({
  expireAt: Type.Integer(),
  qrCode: Type.String(),
  dataURL: Type.String(),
  signURL: Type.String(),
  dataURLAuto: Type.Optional(Type.String()),
  signURLAuto: Type.Optional(Type.String()),
  govMobileLaunchLink: Type.Optional(Type.String()),
  govBusinessLaunchLink: Type.Optional(Type.String()),
  eGovMobileLaunchLink: Type.Optional(Type.String()),
  eGovBusinessLaunchLink: Type.Optional(Type.String()),
})

/** Addresses at the service; they are secrets. */
const Channel = Type.Object({ dataURL: Type.String(), signURL: Type.String() })
type Channel = Static<typeof Channel>

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47])

/** Error messages with status 200 after which a retry may succeed. */
const TRANSIENT_MESSAGES = new Set(['Request rate limit reached', 'Too much users use QR signing', 'Unexpected error'])
const TRANSIENT_STATUSES = new Set([408, 425, 429])

/** Returns the answer unless it is an error. A `RelayRefusal` is final; after any other error a retry may succeed. */
export function withoutRefusal({ status, headers, body }: OutboundAnswer): OutboundAnswer {
  const message = messageIn(body)
  if (status === 200 && message === undefined) return { status, headers, body }
  const said = `The relay answered ${status}${message === undefined ? '' : `: ${message.slice(0, 200)}`}`
  const isTransient =
    status === 200 ? TRANSIENT_MESSAGES.has(message ?? '') : status >= 500 || TRANSIENT_STATUSES.has(status)
  throw isTransient ? new Error(said) : new RelayRefusal(said)
}

/** A `message` without documents is an error, whatever the status. */
function messageIn(body: Uint8Array): string | undefined {
  if (body.length > MAX_REFUSAL_BYTES) return undefined
  try {
    const { message, documentsToSign } = Object(JSON.parse(Buffer.from(body).toString('utf8')))
    return typeof message === 'string' && documentsToSign === undefined ? message : undefined
  } catch {
    return undefined
  }
}

/** The announcement in an answer of the service at `url`. Throws for foreign addresses and for codes that cannot be shown. */
export function announcementIn({ body }: OutboundAnswer, url: string, now: number): Announcement {
  const started: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
  if (!Value.Check(StartedProcedure, started)) throw new RelayRefusal('The relay answered something else')
  const { dataURL, signURL, dataURLAuto = dataURL, signURLAuto = signURL, expireAt, ...shown } = started
  const qrCode = Buffer.from(shown.qrCode, 'base64')
  if (!qrCode.subarray(0, PNG.length).equals(PNG)) throw new RelayRefusal('The code of the relay is no PNG image')
  if (expireAt <= now) throw new RelayRefusal('What the relay began is over')
  return {
    qrCode,
    expireAt,
    govMobileLaunchLink: linkOf(shown.govMobileLaunchLink ?? shown.eGovMobileLaunchLink),
    govBusinessLaunchLink: linkOf(shown.govBusinessLaunchLink ?? shown.eGovBusinessLaunchLink),
    channel: channelOf({ dataURL: dataURLAuto, signURL: signURLAuto }, url),
  }
}

/** Checks that the addresses of a channel have the origin of the service at `url`: its answers must not lead elsewhere. */
export function channelOf(channel: unknown, url: string): Channel {
  const { origin } = new URL(url)
  if (!Value.Check(Channel, channel)) throw new RelayRefusal('The procedure has no channel of this relay')
  for (const address of [channel.dataURL, channel.signURL]) {
    if (!URL.canParse(address) || new URL(address).origin !== origin)
      throw new RelayRefusal('An address of the relay leads elsewhere')
  }
  return channel
}

/** A link that opens the app: shown to people, so only `https:` is allowed. */
function linkOf(link: string | undefined): string {
  if (link !== undefined && URL.canParse(link) && new URL(link).protocol === 'https:') return link
  throw new RelayRefusal('A link of the relay is no address of a page')
}
