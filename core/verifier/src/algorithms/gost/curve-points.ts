import type { GostPoint } from './curves.js'
import type { Jacobian } from './point-arithmetic.js'

/**
 * A sum and numbered table entries, points of one curve in the coordinates whose formulas are fastest for it. Where the
 * formulas do not hold the sum becomes one with z = 0, and stays so whatever is done to it but `load`.
 */
export interface CurvePoints {
  /** Writes an entry; `affine` where `add` will be told so. */
  write(entry: number, point: GostPoint, affine: boolean): void
  /** Writes the sum as an entry. */
  writeSum(entry: number): void
  /** Makes an entry, or its opposite, the sum. */
  load(entry: number, negative: boolean): void
  /** Adds an entry, or its opposite, to the sum. */
  add(entry: number, negative: boolean, affine: boolean): void
  double(): void
  read(): Jacobian
}
