import { createHash } from 'node:crypto'
import { gost34311, gostCurves, type Hasher, streebog512, verifyGost3410 } from '#verifier/algorithms/gost/index.js'
import { generateGostKeyPair, signGost3410 } from '#verifier/algorithms/gost/sign-gost3410.js'
import { GostEngine } from './gost-engine.js'
import { median } from './interleave.js'
import { printRow } from './row.js'

const CHUNK = Buffer.alloc(1 << 18, 'signed document')
const CHUNKS = 32
const SIGNATURES = 100
const ROUNDS = 8

/** GOST against the engine of OpenSSL (Debian: libengine-gost-openssl), and hashes against SHA-512 of node; processor time. */
export async function run(): Promise<void> {
  const engine = await GostEngine.find()
  if (engine === undefined)
    console.log("OpenSSL's gost engine is not installed: what is measured against it is left out")
  const sha512 = repeat(() => hashing(() => createHash('sha512')))
  for (const [name, create, dgst] of [
    ['Streebog-512', streebog512, 'md_gost12_512'],
    ['GOST 34.311-95', gost34311, 'md_gost94'],
  ] as const) {
    const ours = repeat(() => hashing(create))
    const aim = '>= 0.1'
    printRow({
      what: name,
      floor: 'the speed of SHA-512 of node',
      ratios: ours.map((us, at) => (sha512[at] ?? 0) / us),
      aim,
    })
    if (engine === undefined) continue
    const theirs = repeat(() => engine.hashing(dgst))
    const figures = `${median(ours).toFixed(0)} against ${median(theirs).toFixed(0)} us/MiB`
    printRow({
      what: name,
      floor: 'the speed of the engine',
      ratios: ours.map((us, at) => (theirs[at] ?? 0) / us),
      aim: '>= 1',
      figures,
    })
  }
  for (const [curve, parameters] of [
    [gostCurves.tc26Gost512A, { algorithm: 'gost2012_512', set: 'A' }],
    [gostCurves.tc26Gost256A, { algorithm: 'gost2012_256', set: 'TCA' }],
    [gostCurves.cryptoProA, { algorithm: 'gost2012_256', set: 'A' }],
  ] as const) {
    const digest = Buffer.alloc(curve.length, 7)
    const signed = () => {
      const { privateKey, publicKey } = generateGostKeyPair(curve)
      return { publicKey, signature: signGost3410(curve, privateKey, digest) }
    }
    const verifying = (keys: readonly ReturnType<typeof signed>[]) => {
      const start = process.cpuUsage()
      for (const { publicKey, signature } of keys) verifyGost3410(curve, publicKey, digest, signature)
      return microseconds(start) / SIGNATURES
    }
    const one = signed()
    const rounds = repeat(() => ({
      theirs: engine?.verifying(parameters) ?? Number.NaN,
      returns: verifying(Array.from({ length: SIGNATURES }, () => one)),
      isNew: verifying(Array.from({ length: SIGNATURES }, signed)),
    }))
    for (const [whose, ours] of [
      ['a key that returns', 'returns'],
      ['a key that is new', 'isNew'],
    ] as const) {
      const medians = [ours, 'theirs' as const].map((which) => median(rounds.map((round) => round[which])).toFixed(0))
      printRow({
        what: `verification, ${curve.name}, ${whose}`,
        floor: 'the speed of the engine',
        ratios: rounds.map((round) => round.theirs / round[ours]),
        aim: '>= 0.9',
        figures: `${medians.join(' against ')} us`,
      })
    }
  }
  engine?.close()
}

/** Rounds after one that warms up. */
const repeat = <Round>(round: () => Round): Round[] => Array.from({ length: ROUNDS + 1 }, round).slice(1)

/** Microseconds of processor time for a MiB. */
function hashing(create: () => Pick<Hasher, 'digest'> & { update(bytes: Uint8Array): unknown }): number {
  const start = process.cpuUsage()
  const hasher = create()
  for (let i = 0; i < CHUNKS; i += 1) hasher.update(CHUNK)
  hasher.digest()
  return microseconds(start) / ((CHUNKS * CHUNK.length) / 2 ** 20)
}

function microseconds(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return user + system
}
