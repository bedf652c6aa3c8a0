import type { LogVerdict } from './judge-log.js'
import type { EvidenceProblem } from './problem.js'

/** What the log refutes of a bundle; signatures are judged by themselves. */
export const logProblems = (found: readonly LogVerdict[]): EvidenceProblem[] =>
  found.flatMap((one): EvidenceProblem[] => {
    if (one.state === 'wrong') return [{ code: 'logProofWrong', file: one.file }]
    if (one.state === 'changed')
      return [{ code: 'logChanged', ...(one.signature !== undefined && { file: one.signature }) }]
    return one.state === 'logged' && one.isOutside ? [{ code: 'logContradiction', file: one.file }] : []
  })

/** The files of those signatures that no proof is trusted of by the reader's policy; a wrong proof is a problem already. */
export function notEstablished(signatures: readonly string[], found: readonly LogVerdict[]): EvidenceProblem[] {
  const told = found.filter((one) => one.state === 'wrong' || (one.state === 'logged' && one.trust === 'established'))
  const files = new Set(told.map(({ signature }) => signature))
  return signatures.filter((file) => !files.has(file)).map((file) => ({ code: 'logNotEstablished', file }))
}
