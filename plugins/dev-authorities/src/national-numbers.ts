const WEIGHTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
const OTHER_WEIGHTS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2]

let given = 0

/** An IIN that no other call in this process has given: birth date, century and sex, sequence, control digit. */
export const newIin = (): string => next('9001013')

/** A BIN that no other call in this process has given: registration month, kind, sequence, control digit. */
export const newBin = (): string => next('2001400')

function next(prefix: string): string {
  for (;;) {
    given = (given + 1) % 10_000
    const digits = prefix + String(given).padStart(4, '0')
    const control = [WEIGHTS, OTHER_WEIGHTS].map((weights) => weigh(digits, weights)).find((digit) => digit < 10)
    // Numbers whose control digit would be 10 under both weights are never given out.
    if (control !== undefined) return digits + control
  }
}

const weigh = (digits: string, weights: readonly number[]) =>
  weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0) % 11
