import { parentPort, workerData } from 'node:worker_threads'
import type { FoundFile } from '@signed-registry/core'
import { type ByteSource, RegistryError } from '@signed-registry/verifier'
import { looksLikeEvidence } from '@signed-registry/verifier/evidence'
import { readSignedFile } from '@signed-registry/verifier/files'
import { fileSource } from './file-source.js'
import type { ReadAnswer, ReadJob } from './read-in-thread.js'

const { descriptor, size }: ReadJob = workerData

parentPort?.postMessage(await answer(fileSource(descriptor, size)))

async function answer(source: ByteSource): Promise<ReadAnswer> {
  try {
    return { found: await foundIn(source) }
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    const { code, kind, message, details } = error
    return { refusal: { code, kind, message, details } }
  }
}

async function foundIn(source: ByteSource): Promise<FoundFile> {
  if (looksLikeEvidence(source)) return { is: 'evidence' }
  const file = await readSignedFile(source)
  const isUnsigned = file.format === 'pdf' && file.signatures.length + file.problems.length === 0
  return { is: isUnsigned ? 'card' : 'signed', file }
}
