import { expect } from 'chai'
import { RegistryError } from '#verifier/error.js'

/** Runs what must be refused with a coded error, and gives that error; `reason` is the sub-indication in its details. */
export function expectRefusal(code: string, reason: string | undefined, run: () => unknown): RegistryError {
  let refusal: unknown
  let answer: unknown
  try {
    answer = run()
  } catch (error) {
    refusal = error
  }
  if (refusal === undefined) expect.fail(`expected ${code} (${reason}), but it was accepted: ${String(answer)}`)
  if (!(refusal instanceof RegistryError)) throw refusal
  expect(`${refusal.code} ${String(refusal.details?.reason)}`).to.equal(`${code} ${reason}`)
  return refusal
}

/** The coded error that `attempt` throws; fails when it throws another or none. */
export function refusalOf(attempt: () => unknown): RegistryError {
  try {
    attempt()
  } catch (error) {
    if (error instanceof RegistryError) return error
    throw error
  }
  return expect.fail('it was accepted')
}

/** Code and reason of the coded error that `attempt` throws. */
export function reasonOf(attempt: () => unknown): string {
  const { code, details } = refusalOf(attempt)
  return `${code}: ${String(details?.reason)}`
}

/** The coded error that a promise rejects with. */
export async function rejectionOf(attempt: Promise<unknown>): Promise<RegistryError> {
  const outcome = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (outcome instanceof RegistryError) return outcome
  if (outcome !== undefined) throw outcome
  return expect.fail('it was accepted')
}
