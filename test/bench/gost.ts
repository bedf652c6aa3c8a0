import { createHash } from 'node:crypto'
import {
  gost34311,
  gostCurves,
  type Hasher,
  streebog512,
  verifyGost3410,
} from '../../core/dist/signatures/algorithms/gost/index.js'
import { readLittleEndian } from '../../core/dist/signatures/algorithms/gost/integers.js'
import { generateGostKeyPair, signGost3410 } from '../../core/dist/signatures/algorithms/gost/sign-gost3410.js'
import { naiveVerify } from '../core/signatures/algorithms/gost/naive-gost3410.js'

const CHUNK = Buffer.alloc(1 << 18, 'signed document')

/** Runs the work for about that long and gives its best pace, in calls a second. */
function pace(work: () => void, milliseconds: number): number {
  let best = 0
  const end = performance.now() + milliseconds
  do {
    const start = performance.now()
    work()
    best = Math.max(best, 1000 / (performance.now() - start))
  } while (performance.now() < end)
  return best
}

/** Megabytes a second over a message of 8 MiB. */
function throughput(create: () => Pick<Hasher, 'update' | 'digest'>): number {
  const chunks = 32
  const hash = () => {
    const hasher = create()
    for (let i = 0; i < chunks; i += 1) hasher.update(CHUNK)
    hasher.digest()
  }
  hash()
  return (pace(hash, 1000) * chunks * CHUNK.length) / 1e6
}

function nodeSha512(): Hasher {
  const hash = createHash('sha512')
  const hasher: Hasher = {
    update(bytes) {
      hash.update(bytes)
      return hasher
    },
    digest: () => hash.digest(),
  }
  return hasher
}

/** Hashes against node's SHA-512, verification against affine arithmetic on integers, in one process. */
export function run(): void {
  const sha512 = throughput(nodeSha512)
  console.log(`sha512 of node          ${sha512.toFixed(0)} MB/s`)
  for (const [name, create] of [
    ['Streebog-512', streebog512],
    ['GOST 34.311-95', gost34311],
  ] as const) {
    const speed = throughput(create)
    console.log(`${name.padEnd(23)} ${speed.toFixed(0)} MB/s, ${(speed / sha512).toFixed(3)} of sha512`)
  }
  for (const curve of Object.values(gostCurves)) {
    const { privateKey, publicKey } = generateGostKeyPair(curve)
    const digest = Buffer.alloc(curve.length, 7)
    const signature = signGost3410(curve, privateKey, digest)
    const [r, s] = [signature.subarray(0, curve.length), signature.subarray(curve.length)].map(readLittleEndian)
    const e = readLittleEndian(digest) % curve.q
    const naive = pace(() => naiveVerify(curve, publicKey, e, r as bigint, s as bigint), 500)
    const verify = () => {
      for (let i = 0; i < 20; i += 1) verifyGost3410(curve, publicKey, digest, signature)
    }
    const fast = 20 * pace(verify, 1000)
    const ratio = (fast / naive).toFixed(0)
    console.log(`verify ${curve.name.padEnd(16)} ${fast.toFixed(0)}/s, ${ratio} times affine (${naive.toFixed(0)}/s)`)
  }
}
