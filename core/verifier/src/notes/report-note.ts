import { createHash } from 'node:crypto'
import { noteErrors } from './errors.js'
import { verifySignedNote } from './signed-note.js'

/** The forms of a report that a note is about. */
export const REPORT_FORMS = ['json', 'html', 'xml'] as const
export type ReportForm = (typeof REPORT_FORMS)[number]

/** First line of the text of a note about a report. */
export const REPORT_NOTE = 'signed-registry/report/v1'

/** What a note about a report says. */
export interface ReportNote {
  /** Address of the registry that made the report. */
  readonly origin: string
  /** When it made it, in UTC. */
  readonly time: string
  /** SHA-256 of each form, lower-case hexadecimal. */
  readonly digests: Readonly<Record<ReportForm, string>>
}

/** The text that a registry signs for a report. */
export const reportNoteText = (
  { origin, time }: Pick<ReportNote, 'origin' | 'time'>,
  forms: Readonly<Record<ReportForm, string>>,
): string =>
  [
    REPORT_NOTE,
    `origin ${origin}`,
    `time ${time}`,
    ...REPORT_FORMS.map((form) => `${form} ${sha256(forms[form])}`),
    '',
  ].join('\n')

const LINES =
  /^signed-registry\/report\/v1\norigin (\S+)\ntime (\S+)\njson ([0-9a-f]{64})\nhtml ([0-9a-f]{64})\nxml ([0-9a-f]{64})\n$/

/**
 * Whether a report, in any of its forms, is the one that the holder of a key signed: what the note says of it, and which
 * form it is. Throws `noteNotVerified`, with reason `otherText` where the note is about no report, `otherReport` where it
 * is about another one.
 */
export function verifyReport(
  report: Uint8Array,
  note: string,
  key: string,
): ReportNote & { readonly form: ReportForm } {
  const read = LINES.exec(verifySignedNote(note, key))
  if (read === null) throw noteErrors.error('noteNotVerified', { reason: 'otherText' })
  const [, origin = '', time = '', json = '', html = '', xml = ''] = read
  const digests = { json, html, xml }
  const own = sha256(report)
  const form = REPORT_FORMS.find((one) => digests[one] === own)
  if (form === undefined) throw noteErrors.error('noteNotVerified', { reason: 'otherReport' })
  return { origin, time, digests, form }
}

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
