import { readFileSync } from 'node:fs'
import {
  calledName,
  REPORT_NOTE,
  type ReportNote,
  readTrust,
  readVerifierKey,
  utc,
  VerifierError,
  verifyReport,
  verifyTimeStamp,
} from '../index.js'
import { cut, cutMiddle, plain } from './columns.js'
import { UsageError } from './console.js'
import { givenFile } from './given-file.js'
import { readKey } from './key-file.js'
import { labelled } from './signer-lines.js'
import { trustFilesAt } from './trust-files.js'
import { readOf } from './unreadable.js'

/** A report with a registry's note about it, and perhaps a time stamp over that. */
interface ReportFiles {
  readonly reports: readonly { readonly name: string; readonly bytes: Buffer }[]
  readonly note: Buffer
  readonly token: Buffer | undefined
}

const DER_SEQUENCE = 0x30
const TEXT_COLUMNS = 70
const NAME_COLUMNS = 24

/**
 * Tells whether reports are as a registry signed them: by its verifier key alone, and its time stamp by trust. Answers what
 * people are told, and whether everything holds.
 */
export async function checkSignedReports(
  names: readonly string[],
  keyFile: string,
  trustPath: string | undefined,
): Promise<{ readonly isGood: boolean; readonly text: string }> {
  const key = readKey(keyFile)
  const { name: signedBy } = readVerifierKey(key)
  const { reports, note, token } = await sorted(names)
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(note)
  let isGood = true
  let said: ReportNote | undefined
  const lines = reports.map(({ name, bytes }) => {
    const shown = cutMiddle(plain(name), NAME_COLUMNS)
    try {
      said = verifyReport(bytes, text, key)
      return `${shown} is as ${plain(signedBy)} signed it`
    } catch (error) {
      if (!(error instanceof VerifierError)) throw error
      isGood = false
      return `WRONG: ${shown}: ${REASONS[String(error.details?.reason)] ?? error.message}`
    }
  })
  const made = said && [
    ...labelled('made', cut(`${said.time}, as ${said.origin} says`, TEXT_COLUMNS)),
    ...labelled('stamped', ...stampLines()),
  ]
  return {
    isGood,
    text: `${[...lines.flatMap((line) => labelled('report', cut(line, TEXT_COLUMNS))), ...(made ?? [])].join('\n')}\n`,
  }

  function stampLines(): string[] {
    if (token === undefined) return ['no time stamp was given: the time is the registry’s word']
    if (trustPath === undefined)
      throw new UsageError('Say whom to trust with time stamps: --trust PATH or TRUST_ANCHORS')
    try {
      const stamp = verifyTimeStamp(token, note, { trust: readTrust(trustFilesAt(trustPath)), now: Date.now() })
      return [cut(plain(`${utc(stamp.genTime)}, by ${calledName(stamp.signer.subject)}`), TEXT_COLUMNS)]
    } catch (error) {
      if (!(error instanceof VerifierError)) throw error
      isGood = false
      return [
        cut(`WRONG: the time stamp proves nothing (${String(error.details?.reason ?? error.code)})`, TEXT_COLUMNS),
      ]
    }
  }
}

const REASONS: Readonly<Record<string, string>> = {
  malformed: 'the note is damaged',
  signatureMissing: 'nothing here is signed with that key',
  signature: 'the note was changed',
  otherText: 'the note is not about a report',
  otherReport: 'was changed or is not in this note',
}

async function sorted(names: readonly string[]): Promise<ReportFiles> {
  const files: { name: string; bytes: Buffer }[] = []
  for (const name of new Set(names)) {
    await givenFile(name)
    files.push({ name, bytes: readOf(name, () => readFileSync(name)) })
  }
  const notes = files.filter(({ bytes }) => bytes.toString('latin1', 0, REPORT_NOTE.length) === REPORT_NOTE)
  const tokens = files.filter(({ bytes }) => bytes[0] === DER_SEQUENCE)
  const reports = files.filter((file) => !notes.includes(file) && !tokens.includes(file))
  const [note, ...more] = notes
  if (note === undefined || more.length > 0 || reports.length === 0 || tokens.length > 1)
    throw new UsageError('With --key, name the reports, the one note about them and its time stamp if there is one')
  return { reports, note: note.bytes, token: tokens[0]?.bytes }
}
