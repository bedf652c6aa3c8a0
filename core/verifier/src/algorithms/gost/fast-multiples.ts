import type { CurvePoints } from './curve-points.js'
import type { GostCurve, GostPoint } from './curves.js'
import { edwardsPoints } from './edwards-module.js'
import type { PrimeField } from './field-module.js'
import { jacobianPoints } from './jacobian-module.js'
import { type Jacobian, type Multiple, toAffine } from './point-arithmetic.js'
import { signedDigits } from './signed-digits.js'

/** Window widths: for the base point, whose table is precomputed, and for other points. */
const BASE_WIDTH = 8
const WIDTH = 5
const tableSize = (width: number): number => 2 ** (width - 2)

/** Entries: a doubled point, then the tables of odd multiples. */
const DOUBLED = 0
const BASE_TABLE = 1
const TABLE = BASE_TABLE + tableSize(BASE_WIDTH)

/** A factor in digits, and the table of its point. */
interface Digits {
  readonly digits: Int16Array
  readonly table: number
}

/** Sums of multiples on one curve in WebAssembly; a result with z = 0 must be recomputed with the complete formulas. */
export class FastMultiples {
  private readonly points: CurvePoints

  constructor(field: PrimeField, curve: GostCurve) {
    const { edwards } = curve
    this.points = edwards === undefined ? jacobianPoints(field, curve) : edwardsPoints(field, curve, edwards)
    this.writeTable(BASE_TABLE, tableSize(BASE_WIDTH), curve.base)
    for (let entry = BASE_TABLE; entry < TABLE; entry += 1) {
      this.points.load(entry, false)
      const point = toAffine(curve, this.points.read())
      if (point) this.points.write(entry, point, true)
    }
  }

  /** baseFactor * base point + other.factor * other.point. */
  sum(baseFactor: bigint, other?: Multiple): Jacobian {
    const terms: Digits[] = [{ digits: signedDigits(baseFactor, BASE_WIDTH), table: BASE_TABLE }]
    if (other) {
      this.writeTable(TABLE, tableSize(WIDTH), other.point)
      terms.push({ digits: signedDigits(other.factor, WIDTH), table: TABLE })
    }
    return this.evaluate(terms)
  }

  /** Doubles the sum once for each binary digit of the longest factor, adding entries of the tables on the way. */
  private evaluate(terms: readonly Digits[]): Jacobian {
    const { points } = this
    let started = false
    for (let i = Math.max(...terms.map(({ digits }) => digits.length)) - 1; i >= 0; i -= 1) {
      if (started) points.double()
      for (const { digits, table } of terms) {
        const digit = digits[i] ?? 0
        if (digit === 0) continue
        const entry = table + (Math.abs(digit) >> 1)
        if (started) points.add(entry, digit < 0, entry < TABLE)
        else points.load(entry, digit < 0)
        started = true
      }
    }
    return started ? points.read() : { x: 1n, y: 1n, z: 0n }
  }

  /** point, 3 * point, 5 * point ... */
  private writeTable(table: number, size: number, point: GostPoint): void {
    const { points } = this
    points.write(table, point, false)
    points.load(table, false)
    points.double()
    points.writeSum(DOUBLED)
    points.load(table, false)
    for (let entry = table + 1; entry < table + size; entry += 1) {
      points.add(DOUBLED, false, false)
      points.writeSum(entry)
    }
  }
}
