import { type EvidenceVerdict, verifyEvidence } from '@signed-registry/verifier'
import { STATEMENT_FILE } from '@signed-registry/verifier/evidence'
import { Random } from '../fuzz/random.js'
import { contentAt, mended, type OtherRegistry, placesIn, unzipped, withContent, zipped } from './containers.js'
import { builtBytes, bundleOf, otherRegistry } from './evidence-bundle.js'
import { loggedBundle } from './log/logged-bundle.js'
import { NOW, testAuthorities } from './pki/authorities.js'
import { trustOf } from './pki/trust.js'

/** Two bundles with files of the same names, whose contents are not the same. */
export interface BundlesToChange {
  readonly own: Buffer
  readonly other: Buffer
  readonly foreign: OtherRegistry
  verify(bundle: Uint8Array): EvidenceVerdict
}

/** Makes the bundles: a document each, signed by RSA with OCSP and by ECDSA with CRLs. */
export async function bundlesToChange(): Promise<BundlesToChange> {
  const authorities = testAuthorities()
  const make = async (content: string) => {
    const [one, other] = [authorities.person({ algorithm: 'rsa2048' }), authorities.person()]
    const plain = bundleOf(authorities, [{ content, signers: [one, { by: other, as: 'crl' }] }])
    return builtBytes(await loggedBundle(plain, authorities))
  }
  const trust = trustOf(authorities)
  return {
    own: await make('A contract of 100 tenge\n'.repeat(20)),
    other: await make('A contract of 999 tenge\n'.repeat(20)),
    foreign: otherRegistry(),
    verify: (bundle) => verifyEvidence(bundle, { trust, at: NOW }),
  }
}

/** Ways to change a bundle, each with what it did in words. */
const WAYS: readonly ((bundles: BundlesToChange, random: Random) => { bundle: Buffer; words: string })[] = [
  ({ own }, random) => {
    const { bytes, at } = flipped(own, random)
    return { bundle: bytes, words: `octet ${at} of the file` }
  },
  ({ own }, random) => {
    const { files, words } = changedInside(own, random)
    return { bundle: zipped(files), words: `${words}, packed again` }
  },
  ({ own }, random) => {
    const { files, words } = changedInside(own, random, (place) => place !== STATEMENT_FILE)
    return { bundle: zipped(mended(files)), words: `${words}, and evidence.json mended` }
  },
  (bundles, random) => {
    const { files, words } = swapped(bundles, random.pick(placesToSwap(bundles, () => true)))
    const isMended = random.chance(50) && !words.startsWith(STATEMENT_FILE)
    return { bundle: zipped(isMended ? mended(files) : files), words: `${words}${isMended ? ', mended' : ''}` }
  },
  (bundles, random) => {
    const { files, words } = swapped(bundles, random.pick(placesToSwap(bundles, isProved)))
    return { bundle: zipped(mended(files, bundles.foreign)), words: `${words}, signed by another registry` }
  },
  ({ own, foreign }, random) => {
    const { files, words } = changedInside(own, random, isProved)
    return { bundle: zipped(mended(files, foreign)), words: `${words}, signed by another registry` }
  },
]

/** Bundles that are told to be proved, or of which nothing is told, though they were changed; by what was done to them. */
export function survivors(bundles: BundlesToChange, { seed, count }: { seed: number; count: number }): string[] {
  const random = new Random(seed)
  return Array.from({ length: count }, (_, index) => {
    const way = WAYS[index % WAYS.length]
    if (way === undefined) return []
    const { bundle, words } = way(bundles, random)
    const { outcome, signatures, evidence } = bundles.verify(bundle)
    const isNamed = evidence.problems.length > 0 || signatures.some(({ indication }) => indication !== 'TOTAL-PASSED')
    return outcome === 'proved' || !isNamed ? [`${words}: ${outcome}`] : []
  }).flat()
}

/** Files that signatures, time stamps and hashes in the log prove by themselves, without `evidence.json`. */
const isProved = (place: string): boolean =>
  /^(?:cms|tst|ocsp|crl|proofs)\/|^checkpoints\/.*\.note$|^document\.asics!\/(?!mimetype)/.test(place)

function changedInside(own: Buffer, random: Random, among: (place: string) => boolean = () => true) {
  const files = unzipped(own)
  const place = random.pick(placesIn(files).filter(among))
  const { bytes, at } = flipped(contentAt(files, place), random)
  return { files: withContent(files, place, bytes), words: `octet ${at} of ${place}` }
}

function placesToSwap({ own, other }: BundlesToChange, among: (place: string) => boolean): string[] {
  const [here, there] = [unzipped(own), unzipped(other)]
  return placesIn(here).filter((place) => among(place) && !contentAt(here, place).equals(contentAt(there, place)))
}

function swapped({ own, other }: BundlesToChange, place: string) {
  const files = withContent(unzipped(own), place, contentAt(unzipped(other), place))
  return { files, words: `${place} of the other` }
}

function flipped(content: Buffer, random: Random): { bytes: Buffer; at: number } {
  const bytes = Buffer.from(content)
  const at = random.below(bytes.length)
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random.below(8)), at)
  return { bytes, at }
}
