import type { ByteSource } from '../byte-source.js'
import { NORMALIZING } from '../cms/normalize-cms.js'
import { BerReader } from '../der/ber.js'
import { SEQUENCE } from '../der/fields.js'
import { DerError } from '../der/reader.js'
import type { Ranges } from '../signed-file.js'
import type { PdfDictionary, PdfValue } from './values.js'
import { PdfString } from './values.js'

/** Why a signature dictionary is none. */
export type BrokenReason =
  /** `ByteRange` is missing, or not four integers. */
  | 'byteRange'
  /** The ranges overlap, run backwards, or reach behind the end of the file. */
  | 'rangesWrong'
  /** They do not begin with the file. */
  | 'notFromBeginning'
  /** They do not end where a revision does. */
  | 'notToEndOfRevision'
  /** `Contents` is missing, or not hexadecimal. */
  | 'contentsMissing'
  /** What the ranges leave out is not `Contents` alone. */
  | 'gapNotContents'
  /** Something stands behind the signature in `Contents`. */
  | 'behindSignature'
  /** `Contents` is no DER. */
  | 'contentsBroken'

/** What a signature dictionary is over, and the CMS in it. */
export interface SignedRanges {
  readonly ranges: Ranges
  /** DER or BER, without padding. */
  readonly cms: Uint8Array
  /** The end of its revision. */
  readonly end: number
}

/**
 * The ranges of a signature (ISO 32000-2, 12.8.1): from the beginning of the file to the end of a revision, without its own
 * `Contents` and nothing else; or why they are not that.
 */
export function signedRanges(
  dictionary: PdfDictionary,
  source: ByteSource,
  ends: readonly number[],
): SignedRanges | BrokenReason {
  if (dictionary.doubled !== undefined) return dictionary.doubled === 'ByteRange' ? 'byteRange' : 'contentsMissing'
  const range = fourIntegers(dictionary.get('ByteRange'))
  if (range === undefined) return 'byteRange'
  const [begin, before, after, rest] = range
  const end = after + rest
  if (begin !== 0) return 'notFromBeginning'
  if (before === 0 || after <= before || rest === 0 || end > source.size) return 'rangesWrong'
  const contents = dictionary.get('Contents')
  if (!(contents instanceof PdfString) || !contents.isHexadecimal) return 'contentsMissing'
  if (contents.at !== before || contents.end !== after) return 'gapNotContents'
  const revision = ends.find((one) => reaches(source, end, one))
  if (revision === undefined) return 'notToEndOfRevision'
  const cms = withoutPadding(contents.bytes)
  if (typeof cms === 'string') return cms
  return {
    ranges: [
      [0, before],
      [after, end],
    ],
    cms,
    end: revision,
  }
}

/** Four non-negative integers, direct in the dictionary: what they refer to could change. */
function fourIntegers(value: PdfValue): readonly [number, number, number, number] | undefined {
  if (!Array.isArray(value) || value.length !== 4) return undefined
  const [a, b, c, d] = value.map((one: PdfValue) =>
    typeof one === 'number' && Number.isSafeInteger(one) && one >= 0 ? one : undefined,
  )
  return a === undefined || b === undefined || c === undefined || d === undefined ? undefined : [a, b, c, d]
}

/** Writers differ in whether the end of line behind `%%EOF` is signed. */
function reaches(source: ByteSource, end: number, revision: number): boolean {
  if (end < revision || end > revision + 2) return false
  return [...source.read(revision, end)].every((octet) => octet === 0x0d || octet === 0x0a)
}

/** The CMS of `Contents`, which zeros may follow; or why it is none. */
export function withoutPadding(contents: Uint8Array): Uint8Array | 'behindSignature' | 'contentsBroken' {
  try {
    const { after } = new BerReader(NORMALIZING).element(contents)
    if (contents[0] !== SEQUENCE) return 'contentsBroken'
    return contents.subarray(after).every((octet) => octet === 0) ? contents.subarray(0, after) : 'behindSignature'
  } catch (error) {
    if (error instanceof DerError) return 'contentsBroken'
    throw error
  }
}
