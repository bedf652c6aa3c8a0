import type { Coverage } from '../verdict.js'

/** What of its document a signature is over, where that is not all of it. */
export type StatedCoverage = Exclude<Coverage, { readonly of: 'content' }>

/** The same as entries of the log have it: `ranges 0-100 200-300`, or `references` and URIs, percent-encoded. */
export const coverageText = (coverage: StatedCoverage): string =>
  coverage.of === 'ranges'
    ? `ranges ${coverage.ranges.map(([from, to]) => `${from}-${to}`).join(' ')}`
    : `references ${coverage.uris.map(encodeURIComponent).join(' ')}`
