/** What a report says about one recipient (RFC 3464 section 2.3). */
export interface ReportedRecipient {
  /** The recipient's addresses: the original one and the one it was forwarded to. */
  readonly addresses: readonly string[]
  readonly action: string
  /** Enhanced status code (RFC 3463), such as `5.1.1`. */
  readonly status: string
  /** What the other server said. */
  readonly diagnostic: string
}

/** A report of a mail that was sent. */
export interface Report {
  /** Of the mail that bounced. */
  readonly messageId: string
  readonly recipients: readonly ReportedRecipient[]
}

const MAX_MESSAGE = 1024 * 1024
const MAX_RECIPIENTS = 100

interface MimePart {
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Parses a message to the return path; `undefined` for anything but a delivery report. */
export function readReport(message: Uint8Array): Report | undefined {
  const { headers, body } = partOf(Buffer.from(message.subarray(0, MAX_MESSAGE)).toString('latin1'))
  const boundary = /^multipart\/report\b.*?;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(
    headers.get('content-type') ?? '',
  )
  if (boundary === null) return undefined
  const parts = body
    .split(`--${boundary[1] ?? boundary[2]}`)
    .slice(1, -1)
    .map((part) => partOf(part.replace(/^\r?\n/, '')))
  const typed = (type: RegExp) => parts.find((part) => type.test(part.headers.get('content-type') ?? ''))
  const about = typed(/^(message\/rfc822|text\/rfc822-headers)\b/i)
  const status = typed(/^message\/(global-)?delivery-status\b/i)
  const messageId = about && partOf(about.body).headers.get('message-id')
  if (messageId === undefined || status === undefined) return undefined
  // The first group of fields is about the message, each further one about a recipient.
  const groups = status.body
    .split(/\r?\n[ \t]*\r?\n/)
    .slice(1, MAX_RECIPIENTS)
    .filter((group) => group.trim() !== '')
  return { messageId, recipients: groups.map((group) => recipientOf(headersOf(group))) }
}

function recipientOf(fields: ReadonlyMap<string, string>): ReportedRecipient {
  const address = (name: string) =>
    fields
      .get(name)
      ?.replace(/^[^;]*;\s*/, '')
      .replace(/^<|>$/g, '')
  return {
    addresses: [address('original-recipient'), address('final-recipient')].flatMap((one) => one ?? []),
    action: (fields.get('action') ?? '').toLowerCase(),
    status: /^\d\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? '',
    diagnostic: (fields.get('diagnostic-code') ?? '').replace(/^[^;]*;\s*/, ''),
  }
}

function partOf(text: string): MimePart {
  const end = /\r?\n\r?\n/.exec(text)
  const headers = headersOf(end === null ? text : text.slice(0, end.index))
  const body = end === null ? '' : text.slice(end.index + end[0].length)
  const isBase64 = /^base64$/i.test(headers.get('content-transfer-encoding') ?? '')
  return { headers, body: isBase64 ? Buffer.from(body, 'base64').toString('latin1') : body }
}

/** Unfolded fields by lower-case name; the first of several with one name. */
function headersOf(text: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const line of text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const at = line.indexOf(':')
    const name = line.slice(0, at).trim().toLowerCase()
    if (at > 0 && !headers.has(name)) headers.set(name, line.slice(at + 1).trim())
  }
  return headers
}
