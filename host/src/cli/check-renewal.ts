import type { Finding, RenewalReport } from '@signed-registry/core'
import { askTsp, type TspFinding } from '@signed-registry/online-authorities'
import { digestAlgorithm } from '@signed-registry/verifier'
import type { Config } from '../config/config.js'
import { day } from './admin/moments.js'
import { openConfigured } from './admin/open-configured.js'
import { ADVICE, problemWords, signatureCount } from './admin/renewal-words.js'
import { hasCurrentSchema } from './database.js'

const DAY_MS = 86_400_000
/** Renewal runs each night: after that nobody runs it. */
const MAX_SILENCE_MS = 3 * DAY_MS

/** Looks at what the last run of renewal has found, and asks its authority for a time stamp. */
export async function checkRenewal(config: Config): Promise<Finding[]> {
  const report = await readReport(config)
  const { renewal } = config
  if (renewal === undefined) return [offFinding(report)]
  return [...(report ? reportFindings(report) : [NOT_BEGUN]), ...(await authorityFindings(config, renewal, report))]
}

const NOT_BEGUN: Finding = { state: 'ok', text: 'nothing is registered yet' }

/** What the database has of renewal, unless its tables are not there yet. */
async function readReport(config: Config): Promise<RenewalReport | undefined> {
  if (!(await hasCurrentSchema(config))) return undefined
  const administration = await openConfigured(config)
  return administration.renewal.report().finally(() => administration.close())
}

function offFinding(report: RenewalReport | undefined): Finding {
  const known = report === undefined ? 0 : report.waiting + report.gathered
  const text = `off: ${signatureCount(known)} will prove nothing any more once their time-stamping authorities have ended (RENEWAL=on)`
  return known === 0 ? { state: 'ok', text: 'off, and nothing is registered yet' } : { state: 'warn', text }
}

function reportFindings(report: RenewalReport, now = Date.now()): Finding[] {
  const { waiting, gathered, leadMs, ended, proofs, problem, doneAt } = report
  const known = waiting + gathered
  const findings: Finding[] = []
  if (ended > 0)
    findings.push({
      state: 'fail',
      text: `PROOFS HAVE ENDED: of ${signatureCount(ended)} nothing shows any more that they were made in time (admin renewal)`,
    })
  if (problem !== undefined) {
    const state = problem.since <= now - DAY_MS ? 'fail' : 'warn'
    findings.push({ state, text: `${problemWords(problem)}; ${ADVICE[problem.reason]}` })
  }
  if (doneAt !== undefined && doneAt < now - MAX_SILENCE_MS)
    findings.push({ state: 'warn', text: `has not run since ${day(doneAt)}: is a registry running?` })
  if (known === 0) return [...findings, NOT_BEGUN]
  const next = proofs.find(({ endsAt }) => endsAt > now)
  const first =
    next === undefined
      ? 'the first run will tell when the first proof ends'
      : `the first proof ends on ${day(next.endsAt)} (${next.authority}), renewed from ${day(next.endsAt - leadMs)} on`
  return [...findings, { state: 'ok', text: `${signatureCount(known)}; ${first}` }]
}

/** Asks the authority of renewal by the digest that new records have: one that refuses it must not be found on the day. */
async function authorityFindings(
  { authorities }: Config,
  { tspUrl, digests }: NonNullable<Config['renewal']>,
  report: RenewalReport | undefined,
): Promise<Finding[]> {
  if (authorities.kind !== 'online') return []
  const [digestOid = ''] = digests
  const asked = await askTsp({ ...authorities, tspUrl: tspUrl ?? authorities.tspUrl }, digestOid).catch(
    (error: unknown): TspFinding => ({ state: 'fail', text: error instanceof Error ? error.message : String(error) }),
  )
  const answer: Finding = {
    state: asked.state,
    text: `time stamp over ${digestAlgorithm(digestOid).name}: ${asked.text}`,
  }
  const due = report?.proofs.find(({ endsAt }) => endsAt > Date.now() && endsAt <= Date.now() + report.leadMs)
  const { certificatesEnd: end } = asked
  if (end === undefined || due === undefined || end > due.endsAt) return [answer]
  const text = `the certificates of the authority end on ${day(end)}, no later than what has to be renewed: ${ADVICE.endsSooner}`
  return [answer, { state: 'warn', text }]
}
