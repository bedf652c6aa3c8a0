import { readFileSync } from 'node:fs'
import { VerifierError } from '../index.js'
import type { LogPolicy } from '../log/policy.js'
import { readLogPolicy } from '../log/read-policy.js'
import { UsageError } from './console.js'
import { readOf } from './unreadable.js'

/** The policy for transparency logs in a file (C2SP tlog-policy); throws a `UsageError` that names the line that is wrong. */
export function policyAt(file: string): LogPolicy {
  const text = readOf(file, () => readFileSync(file, 'utf8'))
  try {
    return readLogPolicy(text)
  } catch (error) {
    if (!(error instanceof VerifierError)) throw error
    const { line, reason } = error.details ?? {}
    throw new UsageError(`${file} is not a policy for transparency logs: line ${line}, ${reason}`)
  }
}
