import { BouncyCastle } from './bouncy-castle.js'
import { type Comparison, compare, type Explained } from './compare.js'
import { answerCase, messageCase, pathCase, stampCase } from './evidence.js'
import { randomAnswer, randomMessage, randomPathWithCrls, randomStamp } from './random-evidence.js'
import { randomHierarchy } from './random-hierarchy.js'

/** We read the whole structure before we judge it. */
const MALFORMED: Explained = {
  rule: 'malformed where BouncyCastle does not look',
  weAccept: false,
  reason: /notDer|malformed|digestAlgorithm|NotSupported|TimeStamp unknown/,
}
const NOT_TRUSTED: Explained = {
  rule: 'algorithms that we do not trust',
  weAccept: false,
  reason: /algorithmNotTrusted/,
}
const HIERARCHIES: Explained[] = [
  {
    rule: 'several CAs of one name',
    weAccept: true,
    reason: /does not verify with supplied key/,
    trait: 'selfIssued',
  },
  { rule: 'a constraint that is not text', weAccept: true, reason: /BMPString/, trait: 'constraintNotText' },
  { rule: 'no policy is left', weAccept: false, reason: /noValidPolicy|anyPolicyMapped/ },
  { rule: 'a URI without a host under a constraint', weAccept: false, reason: /nameExcluded|nameNotPermitted/ },
]
const CRLS: Explained[] = [
  { rule: 'a CRL of the future or for ever', weAccept: false, reason: /undetermined/ },
  { rule: 'an entry of a later date, removeFromCRL in a complete CRL', weAccept: false, reason: /revoked/ },
  { rule: 'a delta for a complete CRL that is stale', weAccept: true, reason: /No CRLs found/, trait: 'delta' },
]
const MESSAGES: Explained[] = [
  MALFORMED,
  NOT_TRUSTED,
  { rule: 'a signing certificate that is another', weAccept: false, reason: /signingCertificate/ },
  { rule: 'no signed attributes', weAccept: false, reason: /signedAttributesMissing/ },
]
const STAMPS: Explained[] = [
  MALFORMED,
  NOT_TRUSTED,
  { rule: 'a time of the future, or too inaccurate', weAccept: false, reason: /genTimeInFuture|accuracy/ },
  {
    rule: 'a malformed certificate that no path needs',
    weAccept: true,
    reason: /^(?:Certificate\w*|IO|ASN1|IllegalArgument|ClassCast|IllegalState)Exception/,
    trait: 'issuerNotCarried',
  },
]
const ANSWERS: Explained[] = [
  MALFORMED,
  NOT_TRUSTED,
  { rule: 'an answer about another certificate', weAccept: false, reason: /otherCertificate/ },
  { rule: 'an answer of another time', weAccept: false, reason: /producedInFuture|evidenceTimesDiffer gap/ },
]

describe('BouncyCastle and we agree, but for what is explained', () => {
  let theirs: BouncyCastle
  before(function () {
    if (!BouncyCastle.isInstalled && process.env.REQUIRE_JAVA !== '1') return this.skip()
    theirs = new BouncyCastle()
  })
  after(() => theirs?.stop())

  const agree = (what: string, all: number, explained: readonly Explained[], make: Comparison['make']) =>
    it(`on ${what}`, () => compare({ name: `BouncyCastle, ${what}`, sample: 20, all, explained, make }))

  agree('random hierarchies', 1500, HIERARCHIES, (random) => pathCase(randomHierarchy(random), theirs))
  agree('paths with CRLs', 1000, CRLS, (random) => pathCase(randomPathWithCrls(random), theirs))
  agree('CMS signatures', 2000, MESSAGES, (random) => messageCase(randomMessage(random), theirs))
  agree('time stamps', 1500, STAMPS, (random) => stampCase(randomStamp(random), theirs))
  agree('OCSP answers', 1500, ANSWERS, (random) => answerCase(randomAnswer(random), theirs))

  agree('paths that it writes', 600, [NOT_TRUSTED, ...CRLS], async (random) =>
    pathCase(await theirs.writePath(random), theirs),
  )
  agree('CMS that it writes', 600, MESSAGES, async (random) => messageCase(await theirs.writeMessage(random), theirs))
  agree('time stamps that it writes', 600, STAMPS, async (random) => stampCase(await theirs.writeStamp(random), theirs))
  agree('answers that it writes', 600, ANSWERS, async (random) => answerCase(await theirs.writeAnswer(random), theirs))
})
