import type { News } from './news.js'
import { plain, unlinked } from './render-mail.js'
import { type Told, timeOf } from './tell-item.js'

type EvidenceNews = Extract<News, { state: unknown }>
type Fact = Told['facts'][number]

const MAX_TEXT = 400
const MAX_REASON = 100

/** Tells the operator how the proof of signatures stands, and what to do. */
export function operatorTold(news: EvidenceNews, url: string): Told {
  const { problem, ended, endedSince, due, nextEnd, restarted } = news.state
  const isOver = news.kind === 'evidenceRenewed'
  const facts: Fact[] = [
    ...(problem === undefined ? [] : problemFacts(problem)),
    ...(ended === 0 ? [] : [['proofsEnded', since(ended, endedSince)] satisfies Fact]),
    ...(isOver ? [] : [['proofsDue', String(due)] satisfies Fact]),
    ...(nextEnd === 0 ? [] : [['proofsUntil', timeOf(nextEnd)] satisfies Fact]),
    ...restartedFacts(restarted),
    ...(isOver ? [] : [['nextStep', steps(news)] satisfies Fact]),
  ]
  return { name: '', facts, url, open: 'openService' }
}

const problemFacts = ({ reason, text, since }: NonNullable<EvidenceNews['state']['problem']>): Fact[] => [
  ['reason', (words) => words.operator.problems[reason]],
  ['message', plain(unlinked(text), MAX_TEXT)],
  ['since', timeOf(since)],
]

const since =
  (signatures: number, at: number): Fact[1] =>
  (words) =>
    at === 0 ? String(signatures) : words.operator.since(String(signatures), timeOf(at))

function restartedFacts(restarted: EvidenceNews['state']['restarted']): Fact[] {
  const [first] = restarted
  if (first === undefined) return []
  const signatures = restarted.reduce((sum, one) => sum + one.signatures, 0)
  const because = plain(unlinked(first.because), MAX_REASON)
  return [['proofsRestarted', (words) => `${words.operator.since(String(signatures), timeOf(first.at))} (${because})`]]
}

/** What to do, in the order in which it is done. */
const steps =
  ({ state: { problem, ended, restarted } }: EvidenceNews): Fact[1] =>
  ({ operator: { steps } }) =>
    [
      steps.look,
      ...(problem === undefined ? [] : [steps[problem.reason]]),
      ...(ended === 0 ? [] : [steps.ended]),
      ...(restarted.length === 0 ? [] : [steps.restarted]),
    ].join(' ')
