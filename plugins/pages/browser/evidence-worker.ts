import { RegistryError, readVerifierKey } from '@signed-registry/verifier'
import { judge } from './evidence/judge.js'
import type { EvidenceAnswer, EvidenceQuestion } from './evidence/question.js'
import { trustedBy } from './evidence/trusted.js'

/** The verifier in a worker: it takes its time, and waits for nobody. */
addEventListener('message', ({ data }: MessageEvent<EvidenceQuestion>) => {
  postMessage(answerTo(data))
})

function answerTo(question: EvidenceQuestion): EvidenceAnswer {
  try {
    if (question.key !== undefined) readVerifierKey(question.key)
    return { verdict: judge(question, trustedBy(question.trust)) }
  } catch (error) {
    // The file was changed or moved.
    if (error instanceof DOMException) return { refused: 'unreadable' }
    if (!(error instanceof RegistryError)) throw error
    if (error.code === 'noteNotVerified') return { refused: 'key' }
    const { reason, file } = error.details ?? {}
    if (reason === 'noAnchor') return { refused: 'noRoot' }
    return { refused: 'anchor', ...(typeof file === 'string' && { file }) }
  }
}
