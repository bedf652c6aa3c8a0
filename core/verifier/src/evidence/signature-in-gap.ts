import type { ByteSource } from '../byte-source.js'
import { RegistryError } from '../error.js'
import { looksLikePdf, readPdf } from '../pdf/read-pdf.js'
import { withoutPadding } from '../pdf/signed-ranges.js'
import type { Ranges } from '../signed-file.js'
import { isSameSignature } from './same-signature.js'
import type { StatedCoverage } from './stated-coverage.js'

/** Octets of a signature in hexadecimal, with its padding. */
const MAX_GAP = 1 << 20
/** A hexadecimal string (ISO 32000-2, 7.3.4.3). */
const HEXADECIMAL = /^<[0-9A-Fa-f\0\t\n\f\r ]*>$/

/**
 * Whether ranges leave out of a PDF their own signature and nothing else (ISO 32000-2, 12.8.1). A bundle may say any ranges, and
 * what stands between them nobody signed.
 */
export function isSignatureInGap(signed: Uint8Array, ranges: Ranges, content: ByteSource): boolean {
  const [[begin, from] = [1, 0], [to, end] = [0, 0], ...more] = ranges
  if (more.length > 0 || begin !== 0 || to - from < 2 || to - from > MAX_GAP || end > content.size) return false
  const gap = Buffer.from(content.read(from, to)).toString('latin1')
  if (!looksLikePdf(content) || !HEXADECIMAL.test(gap)) return false
  const cms = withoutPadding(Buffer.from(gap.replace(/[^0-9A-Fa-f]/g, ''), 'hex'))
  return typeof cms !== 'string' && isSameSignature(cms, signed)
}

/** Whether a PDF says itself that nothing was changed after one of its signatures but what leaves it as it was. */
export function isPdfAsSigned(content: ByteSource): boolean {
  try {
    return readPdf(content).problems.length === 0
  } catch (error) {
    if (error instanceof RegistryError) return false
    throw error
  }
}

/** Whether ranges end before their document does: what a later revision changed is told by comparing it. */
export const leaveOutRevisions = (coverage: StatedCoverage | undefined, size: number): boolean =>
  coverage?.of === 'ranges' && coverage.ranges.at(-1)?.[1] !== size
