import { RegistryError, readVerifierKey } from '@signed-registry/verifier'
import { judge } from './evidence/judge.js'
import type { EvidenceAnswer, EvidenceQuestion } from './evidence/question.js'
import { trustedBy } from './evidence/trusted.js'
import { judgeSignedFile } from './files/judge-signed-file.js'
import type { SignedFileAnswer, SignedFileQuestion } from './files/shown-file.js'

type Refusal = Extract<EvidenceAnswer, { readonly refused: string }>

/** The verifier in a worker: it takes its time, and the page asks it one thing after the other. */
addEventListener('message', ({ data }: MessageEvent<EvidenceQuestion | SignedFileQuestion>) => {
  answerTo(data).then(postMessage, (error: unknown) => {
    // The page gets it as an error of the worker.
    setTimeout(() => {
      throw error
    })
  })
})

async function answerTo(question: EvidenceQuestion | SignedFileQuestion): Promise<EvidenceAnswer | SignedFileAnswer> {
  try {
    if ('signedFile' in question) return await judgeSignedFile(question, trustedBy(question.trust))
    if (question.key !== undefined) readVerifierKey(question.key)
    return { verdict: judge(question, trustedBy(question.trust)) }
  } catch (error) {
    return refusalOf(error)
  }
}

function refusalOf(error: unknown): Refusal {
  // The file was changed or moved.
  if (error instanceof DOMException) return { refused: 'unreadable' }
  if (!(error instanceof RegistryError)) throw error
  if (error.code === 'noteNotVerified') return { refused: 'key' }
  const { reason, file } = error.details ?? {}
  if (reason === 'noAnchor') return { refused: 'noRoot' }
  return { refused: 'anchor', ...(typeof file === 'string' && { file }) }
}
