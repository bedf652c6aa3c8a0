import type { CurvePoints } from './curve-points.js'
import type { GostCurve, GostPoint } from './curves.js'
import { edwardsPoints } from './edwards-module.js'
import type { PrimeField } from './field-module.js'
import { jacobianPoints } from './jacobian-module.js'
import { type Jacobian, type Multiple, toAffine } from './point-arithmetic.js'
import { ReturningKeys } from './returning-keys.js'
import { signedDigits } from './signed-digits.js'

/** Window widths: for the base point, whose table is precomputed, and for other points. */
const BASE_WIDTH = 8
const WIDTH = 5
const tableSize = (width: number): number => 2 ** (width - 2)

/** Entries: a doubled point, tables of odd multiples of the base point and of 2^half times it, of a key, and two for each slot. */
const DOUBLED = 0
const BASE_TABLE = 1
const TABLE = BASE_TABLE + 2 * tableSize(BASE_WIDTH)
const FIRST_SLOT = TABLE + tableSize(WIDTH)

/** A factor in digits, and the table of its point. */
interface Digits {
  readonly digits: Int16Array
  readonly table: number
}

/** Sums of multiples on one curve in WebAssembly; a result with z = 0 must be recomputed with the complete formulas. */
export class FastMultiples {
  private readonly points: CurvePoints
  private readonly returning = new ReturningKeys()
  /** Half of the bits of a factor. */
  private readonly half: number

  constructor(field: PrimeField, curve: GostCurve) {
    const { edwards } = curve
    this.half = 4 * curve.length
    this.points = edwards === undefined ? jacobianPoints(field, curve) : edwardsPoints(field, curve, edwards)
    this.writeTables(BASE_TABLE, tableSize(BASE_WIDTH), curve.base)
    for (let entry = BASE_TABLE; entry < TABLE; entry += 1) {
      this.points.load(entry, false)
      const point = toAffine(curve, this.points.read())
      if (point) this.points.write(entry, point, true)
    }
  }

  /**
   * baseFactor * base point + other.factor * other.point. Where there are tables of 2^half times each point too, factors are
   * cut in two, for half of the doublings: of the base point always, of keys that return.
   */
  sum(baseFactor: bigint, other?: Multiple): Jacobian {
    return this.evaluate([
      ...this.halves(baseFactor, BASE_WIDTH, BASE_TABLE),
      ...(other === undefined ? [] : this.digitsOf(other)),
    ])
  }

  private digitsOf({ factor, point }: Multiple): Digits[] {
    const kept = this.returning.slotOf(point)
    if (kept === undefined) {
      this.points.write(TABLE, point, false)
      this.writeMultiples(TABLE, tableSize(WIDTH))
      return [{ digits: signedDigits(factor, WIDTH), table: TABLE }]
    }
    const table = FIRST_SLOT + 2 * tableSize(WIDTH) * kept.slot
    if (kept.fresh) this.writeTables(table, tableSize(WIDTH), point)
    return this.halves(factor, WIDTH, table)
  }

  private halves(factor: bigint, width: number, table: number): Digits[] {
    return [BigInt.asUintN(this.half, factor), factor >> BigInt(this.half)].map((part, index) => ({
      digits: signedDigits(part, width),
      table: table + index * tableSize(width),
    }))
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

  /** A table of a point, and behind it that of 2^half times it. */
  private writeTables(table: number, size: number, point: GostPoint): void {
    const { points } = this
    points.write(table, point, false)
    this.writeMultiples(table, size)
    points.load(table, false)
    for (let doubled = 0; doubled < this.half; doubled += 1) points.double()
    points.writeSum(table + size)
    this.writeMultiples(table + size, size)
  }

  /** 3 * point, 5 * point ... behind a point that is an entry. */
  private writeMultiples(table: number, size: number): void {
    const { points } = this
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
