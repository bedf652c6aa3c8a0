import type { GostCurve, GostPoint } from './curves.js'
import { inverse, modulo } from './integers.js'

/** (x, y, z) stands for the affine point (x/z^2, y/z^3); z = 0 is the point at infinity. */
export interface Jacobian {
  readonly x: bigint
  readonly y: bigint
  readonly z: bigint
}
const INFINITY: Jacobian = { x: 1n, y: 1n, z: 0n }

function double({ p, a }: GostCurve, { x, y, z }: Jacobian): Jacobian {
  const yy = (y * y) % p
  const s = (4n * x * yy) % p
  const zz = (z * z) % p
  const m = (3n * x * x + a * ((zz * zz) % p)) % p
  const x3 = (m * m - 2n * s) % p
  return { x: x3, y: (m * (s - x3) - 8n * yy * yy) % p, z: (2n * y * z) % p }
}

function add(curve: GostCurve, left: Jacobian, right: Jacobian): Jacobian {
  const { p } = curve
  if (left.z === 0n) return right
  if (right.z === 0n) return left
  const leftZz = (left.z * left.z) % p
  const rightZz = (right.z * right.z) % p
  const u = (left.x * rightZz) % p
  const s = (left.y * ((rightZz * right.z) % p)) % p
  const h = modulo(right.x * leftZz - u, p)
  const r = modulo(right.y * ((leftZz * left.z) % p) - s, p)
  if (h === 0n) return r === 0n ? double(curve, left) : INFINITY
  const hh = (h * h) % p
  const hhh = (h * hh) % p
  const v = (u * hh) % p
  const x = (r * r - hhh - 2n * v) % p
  return { x, y: (r * (v - x) - s * hhh) % p, z: (((left.z * right.z) % p) * h) % p }
}

/** Whether coordinates are in range and fulfil the curve's equation. */
export function isOnCurve({ p, a, b }: GostCurve, { x, y }: GostPoint): boolean {
  if (x < 0n || x >= p || y < 0n || y >= p) return false
  return (y * y - (x * x * x + a * x + b)) % p === 0n
}

/** A point to be taken that many times. */
export interface Multiple {
  readonly factor: bigint
  readonly point: GostPoint
}

/** baseFactor * base point + other.factor * other.point by the binary method; right for all points, and slow. */
export function plainSum(curve: GostCurve, baseFactor: bigint, other?: Multiple): Jacobian {
  const terms = [{ factor: baseFactor, point: curve.base }, ...(other ? [other] : [])].map(({ factor, point }) => ({
    bits: factor.toString(2),
    point: { ...point, z: 1n },
  }))
  let sum = INFINITY
  for (let left = Math.max(...terms.map(({ bits }) => bits.length)); left > 0; left -= 1) {
    sum = double(curve, sum)
    for (const { bits, point } of terms) {
      if (bits.at(-left) === '1') sum = add(curve, sum, point)
    }
  }
  return sum
}

/** Undefined for the point at infinity. */
export function toAffine({ p }: GostCurve, { x, y, z }: Jacobian): GostPoint | undefined {
  if (z === 0n) return undefined
  const scale = inverse(z, p)
  return { x: modulo(x * scale * scale, p), y: modulo(y * scale * scale * scale, p) }
}
