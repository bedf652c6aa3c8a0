import { type Announcement, type OutboundAnswer, RelayRefusal } from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

/** Bytes of an answer that are looked at for a refusal. */
export const MAX_REFUSAL_BYTES = 64 * 1024

/** What `POST /api/govQr` answers, of what is needed; names of the production service are taken too. */
const Begun = Type.Object({
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

/** Addresses at the service. Secrets. */
const Channel = Type.Object({ dataURL: Type.String(), signURL: Type.String() })
type Channel = Static<typeof Channel>

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47])

/** Messages by which services say under status 200 that the same may do later. */
const LATER = new Set(['Request rate limit reached', 'Too much users use QR signing', 'Unexpected error'])
const LATER_STATUSES = new Set([408, 425, 429])

/** Answers an answer that is no refusal. A `RelayRefusal` is final; any other error may pass. */
export function withoutRefusal({ status, headers, body }: OutboundAnswer): OutboundAnswer {
  const message = messageIn(body)
  if (status === 200 && message === undefined) return { status, headers, body }
  const said = `The relay answered ${status}${message === undefined ? '' : `: ${message.slice(0, 200)}`}`
  const isLater = status === 200 ? LATER.has(message ?? '') : status >= 500 || LATER_STATUSES.has(status)
  throw isLater ? new Error(said) : new RelayRefusal(said)
}

/** Any `message` means an error, whatever the status; what an app returns has documents. */
function messageIn(body: Uint8Array): string | undefined {
  if (body.length > MAX_REFUSAL_BYTES) return undefined
  try {
    const { message, documentsToSign } = Object(JSON.parse(Buffer.from(body).toString('utf8')))
    return typeof message === 'string' && documentsToSign === undefined ? message : undefined
  } catch {
    return undefined
  }
}

/** How the app is brought, by the answer of the service at `url`. Rejects what leads elsewhere or cannot be shown. */
export function announcementIn({ body }: OutboundAnswer, url: string, now: number): Announcement {
  const begun: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
  if (!Value.Check(Begun, begun)) throw new RelayRefusal('The relay answered something else')
  const { dataURL, signURL, dataURLAuto = dataURL, signURLAuto = signURL, expireAt, ...shown } = begun
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

/** A channel whose addresses belong to the service at `url`: no answer of its leads us elsewhere. */
export function channelOf(channel: unknown, url: string): Channel {
  const { origin } = new URL(url)
  if (!Value.Check(Channel, channel)) throw new RelayRefusal('The procedure has no channel of this relay')
  for (const address of [channel.dataURL, channel.signURL]) {
    if (!URL.canParse(address) || new URL(address).origin !== origin)
      throw new RelayRefusal('An address of the relay leads elsewhere')
  }
  return channel
}

/** A link that opens the app: it is shown to people, and may be nothing but a page. */
function linkOf(link: string | undefined): string {
  if (link !== undefined && URL.canParse(link) && new URL(link).protocol === 'https:') return link
  throw new RelayRefusal('A link of the relay is no address of a page')
}
