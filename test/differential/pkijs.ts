import { isSignedPlace, streamed, toBer } from '#dev-authorities/der/ber.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { RegistryError } from '#verifier/error.js'
import { pkijsVerify } from '../bench/pkijs-verify.js'
import { mutateDer, mutateOctets } from '../fuzz/mutate-der.js'
import { Random } from '../fuzz/random.js'
import { testAuthorities } from '../support/pki/authorities.js'

/**
 * The same CMS to pkijs and to us, in DER and BER, changed at random: value and digest alone, which is what pkijs checks.
 * Prints how often the verdicts agree and every kind of disagreement. `node dist-test/differential/pkijs.js [cases] [seed]`
 */
const cases = Number(process.argv[2] ?? 500)
const seed = Number(process.argv[3] ?? 1)
const random = new Random(seed)
const TEXT = Buffer.from('a contract')
const authorities = testAuthorities()
const signers = (['rsa2048', 'p256'] as const).map((algorithm) => authorities.person({ algorithm }))
const due = Buffer.from(readCms(signers[0]?.signCms(TEXT) ?? Buffer.alloc(0)).digests[0]?.value ?? [])

function ours(cms: Uint8Array): string {
  try {
    const { digests } = readCms(cms)
    return digests.every(({ value }) => due.equals(value)) ? 'accepted' : 'digest of other data'
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    return `${error.code} ${String(error.details?.reason)} ${String(error.details?.explanation ?? '')}`.trim()
  }
}

const theirs = (cms: Uint8Array): Promise<string> =>
  pkijsVerify(cms, TEXT).then(
    () => 'accepted',
    (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 60),
  )

/** A CMS as it is, in BER, or changed; all of it detached. */
function next(): Buffer {
  const der = random.pick(signers).signCms(TEXT)
  const kind = random.below(6)
  if (kind === 0) return streamed(der)
  if (kind === 1) return mutateOctets(streamed(der), random)
  if (kind === 2)
    return toBer(der, (place) =>
      isSignedPlace(place) ? 'der' : random.pick(['der', 'indefinite', 'longLength', 'pieces'] as const),
    )
  return random.chance(10) ? der : mutateDer([der], random)
}

const kinds = new Map<string, number>()
let [agreed, accepted] = [0, 0]
for (let index = 0; index < cases; index += 1) {
  const cms = next()
  const [mine, other] = [ours(cms), await theirs(cms)]
  if (mine === 'accepted') accepted += 1
  if ((mine === 'accepted') === (other === 'accepted')) agreed += 1
  else {
    const kind = `we: ${mine}; pkijs: ${other}`
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
}
console.log(`seed ${seed}: ${agreed} of ${cases} verdicts agree, we accept ${accepted}`)
for (const [kind, count] of [...kinds].sort((a, b) => b[1] - a[1])) console.log(`${String(count).padStart(6)}  ${kind}`)
