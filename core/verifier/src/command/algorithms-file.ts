import { readFileSync } from 'node:fs'
import {
  type AlgorithmPolicy,
  defaultAlgorithmPolicy,
  etsiCatalogue,
  readAlgorithmCatalogue,
  VerifierError,
} from '../index.js'
import { UsageError } from './console.js'
import { readOf } from './unreadable.js'

/** The policy by the catalogue of ETSI (`etsi`), or by one in a file; throws a `UsageError` that says what is wrong with it. */
export function algorithmsAt(file: string): AlgorithmPolicy {
  if (file === 'etsi') return { ...defaultAlgorithmPolicy, evaluations: etsiCatalogue.evaluations }
  const text = readOf(file, () => readFileSync(file, 'utf8'))
  try {
    return { ...defaultAlgorithmPolicy, evaluations: readAlgorithmCatalogue(text).evaluations }
  } catch (error) {
    if (!(error instanceof VerifierError)) throw error
    const { reason, algorithm } = error.details ?? {}
    throw new UsageError(`${file} is not a catalogue of algorithms: ${[reason, algorithm].filter(Boolean).join(', ')}`)
  }
}
