import { expect } from 'chai'
import { RegistryError } from '../../core/dist/kernel/error.js'

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
