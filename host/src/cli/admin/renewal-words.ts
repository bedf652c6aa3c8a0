import type { LostProof, ProofsThatEnd, RenewalProblem, RenewalReport } from '@signed-registry/core'
import { ago, day } from './moments.js'

const DAY_MS = 86_400_000
const MAX_SHOWN = 10

/** How the renewal of evidence is getting on, in a few readable lines. */
export function renewalWords(report: RenewalReport, now = Date.now()): string {
  const { isOn, leadMs, waiting, gathered, renewed, batches, due, doneAt, requestedAt, problem, restarted } = report
  const days = Math.round(leadMs / DAY_MS)
  const lines = [
    isOn
      ? `Renewal is on: proofs are renewed ${days} days before they end.`
      : 'RENEWAL IS OFF (RENEWAL=off): signatures prove nothing any more once their authorities have ended.',
    ...endedLines(report, now),
    `  waiting     ${signatureCount(waiting)} in no batch yet`,
    `  gathered    ${signatureCount(gathered)} in ${batches} ${batches === 1 ? 'batch' : 'batches'}`,
    `  renewed     ${signatureCount(renewed)} under evidence records`,
    `  due         ${signatureCount(due)} with a proof that ends within ${days} days`,
    ...nextLines(report, now),
    ...hashingLines(report),
    `  last run    ${doneAt === undefined ? 'none yet' : ago(doneAt)}`,
    ...(requestedAt === undefined
      ? []
      : [`  asked for   everything is to be renewed, as was asked ${ago(requestedAt)}`]),
    ...(problem ? [`  problem     ${problemWords(problem)}`, `  to do       ${ADVICE[problem.reason]}`] : []),
    ...restarted.map(
      (one) =>
        `  began anew  batch ${one.batch} of ${signatureCount(one.signatures)}, ${ago(one.at)}: ${becauseWords(one.because)}`,
    ),
  ]
  return `${lines.join('\n')}\n`
}

/** What keeps the registry from renewing, and since when. */
export const problemWords = ({ reason, text, since }: RenewalProblem & { readonly since: number }): string =>
  `${reason}, for the first time ${ago(since)}: ${text}`

/** Whose time stamps prove signatures, and what ends them. */
export function endWords({ authority, by, because, signatures: count }: ProofsThatEnd): string {
  const whose = authority === '' ? '' : ` of ${authority}`
  const own = count === 1 ? 'its own time stamp' : 'their own time stamps'
  const stamps = by === 'timeStamp' ? own : 'the time stamp of a batch'
  return `${signatureCount(count)} by ${stamps}${whose} (${becauseWords(because)})`
}

/** What administrators do about a problem. */
export const ADVICE: Readonly<Record<RenewalProblem['reason'], string>> = {
  authority: '"signed-registry doctor" asks the authority; name another one by RENEWAL_TSP_URL where it does not help',
  endsSooner: 'ask the authority for when it gets its next certificate; name another one by RENEWAL_TSP_URL until then',
  time: "compare the authority's clock and that of this machine; name another authority by RENEWAL_TSP_URL",
  record:
    'look for a root that is missing and for days in the policy of algorithms; "signed-registry admin renew" lets records begin anew',
  digest: 'name stronger digests by RENEWAL_DIGESTS',
}

const BECAUSE: Readonly<Record<string, string>> = {
  certificate: 'a certificate ends',
  algorithm: 'an algorithm ends',
  digest: 'the digest of the tree ends',
  revoked: 'the authority was revoked',
  authorityEnded: 'the authority had ended before it was renewed',
  digestNotTrusted: 'the digest had ended before it was renewed',
  authorityKeyCompromised: 'the key of the authority is in other hands',
}

const becauseWords = (because: string): string => BECAUSE[because] ?? `not provable: ${because}`

/** A signature that nothing proves to others any more, in one line. */
export const lostWords = ({ documentId, signId, because, foundAt }: LostProof): string =>
  `document ${documentId}, signature ${signId}: ${becauseWords(because)} (found ${ago(foundAt)})\n`

/** How many signatures, in words. */
export const signatureCount = (count: number): string => `${count} ${count === 1 ? 'signature' : 'signatures'}`

function endedLines({ proofs, ended }: RenewalReport, now: number): string[] {
  if (ended === 0) return []
  const rows = proofs.filter(({ endsAt }) => endsAt <= now)
  return [
    `  !!! PROOFS HAVE ENDED: of ${signatureCount(ended)} nothing shows any more that they were made in time !!!`,
    ...shown(rows, (one) => `${one.endsAt === 0 ? '' : `${day(one.endsAt)}: `}${endWords(one)}`).map(indented),
    indented('"signed-registry admin renewal --lost" lists them.'),
  ]
}

function nextLines({ proofs }: RenewalReport, now: number): string[] {
  const rows = proofs.filter(({ endsAt }) => endsAt > now)
  const [first = 'nothing is known yet', ...more] = shown(rows, (one) => `${day(one.endsAt)}: ${endWords(one)}`)
  return [`  next end    ${first}`, ...more.map(indented)]
}

function shown(rows: readonly ProofsThatEnd[], words: (row: ProofsThatEnd) => string): string[] {
  const more = rows.length - MAX_SHOWN
  return [...rows.slice(0, MAX_SHOWN).map(words), ...(more > 0 ? [`and ${more} more dates and authorities`] : [])]
}

const indented = (line: string): string => `              ${line}`

const hashingLines = ({ hashing }: RenewalReport): string[] =>
  hashing
    ? [
        `  hashing     batch ${hashing.batch}: ${Math.floor((100 * hashing.hashed) / Math.max(1, hashing.of))} %, ${hashing.hashed} of ${signatureCount(hashing.of)}`,
      ]
    : []
