const FORM = /^(?:0|[1-9]\d{0,15})$/

/** Whether this is a size or an index that JavaScript counts exactly. */
export const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

/** A size or an index in decimal digits without leading zeroes; undefined for anything else. */
export function readDecimal(text: string): number | undefined {
  const value = FORM.test(text) ? Number(text) : Number.NaN
  return isCount(value) ? value : undefined
}
