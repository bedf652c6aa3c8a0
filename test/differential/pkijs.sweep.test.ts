import { isSignedPlace, streamed, toBer } from '#dev-authorities/der/ber.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { readSignedData } from '#verifier/cms/signed-data.js'
import { DerError } from '#verifier/der/reader.js'
import { pkijsVerify } from '../bench/pkijs-verify.js'
import { mutateDer, mutateOctets } from '../fuzz/mutate-der.js'
import type { Random } from '../fuzz/random.js'
import { testAuthorities } from '../support/pki/authorities.js'
import { compare, type Explained } from './compare.js'
import { MALFORMED } from './malformed.js'
import { accepted, refused } from './opinion.js'
import { traitsOfCms } from './random-evidence.js'

const TEXT = Buffer.from('a contract')
const authorities = testAuthorities()
const signers = (['rsa2048', 'p256'] as const).map((algorithm) => authorities.person({ algorithm }))
const due = Buffer.from(readCms(signers[0]?.signCms(TEXT) ?? Buffer.alloc(0)).digests[0]?.value ?? [])

/** A CMS as it is, in BER, or changed; all of it detached. */
function next(random: Random): Buffer {
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

const EXPLAINED: Explained[] = [
  MALFORMED,
  { rule: 'a signing certificate that is another', weAccept: false, reason: /signingCertificate/ },
  { rule: 'a signature value in another form', weAccept: false, reason: /signatureValue/, trait: 'strangeSignature' },
  {
    rule: 'unsorted attributes, signed in DER',
    weAccept: true,
    reason: /did not verify the signature/,
    trait: 'unsorted',
  },
  {
    rule: 'BER outside of what is signed',
    weAccept: true,
    reason: /schema was not verified|Unable to find signer certificate/,
    trait: 'ber',
  },
]

/** What is odd about a CMS: it is not DER, or a signature has a form that no key makes. */
function traitsOf(cms: Buffer): string[] {
  try {
    const { der, signerInfos } = readSignedData(cms)
    const isStrange = signerInfos.some(({ signature }) => signature.length !== 256 && !isTwoIntegers(signature))
    return [...traitsOfCms(der), ...(cms.equals(der) ? [] : ['ber']), ...(isStrange ? ['strangeSignature'] : [])]
  } catch (error) {
    if (error instanceof DerError) return []
    throw error
  }
}

/** A short SEQUENCE of two INTEGERs, and nothing behind them. */
function isTwoIntegers(value: Uint8Array): boolean {
  const second = 4 + (value[3] ?? 0)
  const lengths = value[1] === value.length - 2 && value[second + 1] === value.length - second - 2
  return lengths && value[0] === 0x30 && value[2] === 2 && value[second] === 2
}

describe('pkijs and we agree, but for what is explained', () => {
  it('on the value and the digest of CMS in DER and BER', () =>
    compare({
      name: 'pkijs, CMS',
      sample: 30,
      all: 2000,
      unread: /schema was not verified|Unable to find signer certificate|TypeError|RangeError/,
      explained: EXPLAINED,
      make: (random) => {
        const cms = next(random)
        return {
          files: { cms },
          traits: traitsOf(cms),
          ours: () => {
            if (!readCms(cms).digests.every(({ value }) => due.equals(value)))
              throw new DerError('digest of other data')
          },
          theirs: () =>
            pkijsVerify(cms, TEXT).then(
              () => accepted,
              (error: unknown) => refused((error instanceof Error ? error.message : String(error)).slice(0, 80)),
            ),
        }
      },
    }))
})
