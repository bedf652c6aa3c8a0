import type { GostCurve, GostPoint } from './curves.js'
import { type PrimeField, readElement, writeElement } from './field-module.js'
import { type Jacobian, type Multiple, toAffine } from './point-arithmetic.js'
import { createPointModule } from './point-module.js'
import { signedDigits } from './signed-digits.js'

/** Window widths: for the base point, whose table is precomputed, and for other points. */
const BASE_WIDTH = 8
const WIDTH = 5
const tableSize = (width: number): number => 2 ** (width - 2)

/** Slots of points in memory: the sum, a doubled point, then the tables of odd multiples. */
const SUM = 0
const DOUBLED = 1
const BASE_TABLE = 2
const TABLE = BASE_TABLE + tableSize(BASE_WIDTH)

/** A factor in digits, and the table of its point. */
interface Digits {
  readonly digits: Int16Array
  readonly table: number
}

/** Sums of multiples on one curve in WebAssembly; a result with z = 0 must be recomputed with the complete formulas. */
export class FastMultiples {
  private readonly field: PrimeField
  private readonly module: ReturnType<typeof createPointModule>

  constructor(field: PrimeField, curve: GostCurve) {
    this.field = field
    this.module = createPointModule(field, curve)
    this.writeTable(BASE_TABLE, tableSize(BASE_WIDTH), curve.base)
    for (let entry = BASE_TABLE; entry < TABLE; entry += 1) {
      const point = toAffine(curve, this.read(entry))
      if (point) this.writeEntry(entry, point)
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
    const { functions, at } = this.module
    let started = false
    for (let i = Math.max(...terms.map(({ digits }) => digits.length)) - 1; i >= 0; i -= 1) {
      if (started) functions.double(at(SUM))
      for (const { digits, table } of terms) {
        const digit = digits[i] ?? 0
        if (digit === 0) continue
        this.addEntry(table + (Math.abs(digit) >> 1), digit < 0, started)
        started = true
      }
    }
    return started ? this.read(SUM) : { x: 1n, y: 1n, z: 0n }
  }

  private addEntry(entry: number, negative: boolean, started: boolean): void {
    const { functions, memory, at, length, pointLength } = this.module
    const x = at(entry)
    const y = x + (negative ? 3 : 1) * length
    if (started) {
      if (entry < TABLE) functions.addAffine(at(SUM), x, y)
      else functions.add(at(SUM), x, y, x + 2 * length)
    } else {
      memory.copyWithin(at(SUM), x, x + pointLength)
      memory.copyWithin(at(SUM) + length, y, y + length)
    }
  }

  /** point, 3 * point, 5 * point ... each with its -y. */
  private writeTable(table: number, size: number, { x, y }: GostPoint): void {
    const { functions, memory, at, length, pointLength } = this.module
    this.write(table, x, y)
    memory.copyWithin(at(DOUBLED), at(table), at(table) + pointLength)
    functions.double(at(DOUBLED))
    const doubled = [0, 1, 2].map((part) => at(DOUBLED) + part * length)
    for (let entry = table; entry < table + size; entry += 1) {
      if (entry > table) {
        memory.copyWithin(at(entry), at(entry - 1), at(entry - 1) + pointLength)
        functions.add(at(entry), ...doubled)
      }
      functions.negate(at(entry) + 3 * length, at(entry) + length)
    }
  }

  private writeEntry(entry: number, { x, y }: GostPoint): void {
    const { functions, at, length } = this.module
    this.write(entry, x, y)
    functions.negate(at(entry) + 3 * length, at(entry) + length)
  }

  private write(point: number, x: bigint, y: bigint): void {
    const { view, at, length } = this.module
    ;[x, y, 1n].forEach((value, part) => {
      writeElement(this.field, view, at(point) + part * length, value)
    })
  }

  private read(point: number): Jacobian {
    const { view, at, length } = this.module
    const part = (n: number) => readElement(this.field, view, at(point) + n * length)
    return { x: part(0), y: part(1), z: part(2) }
  }
}
