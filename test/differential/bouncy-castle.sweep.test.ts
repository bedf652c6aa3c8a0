import { BouncyCastle } from './bouncy-castle.js'
import { type Comparison, compare, type Explained } from './compare.js'
import { answerCase, messageCase, pathCase, stampCase } from './evidence.js'
import { requireJava } from './java.js'
import { MALFORMED } from './malformed.js'
import { randomAnswer, randomMessage, randomPathWithCrls, randomStamp, someOf, traitsOfCms } from './random-evidence.js'
import { randomHierarchy } from './random-hierarchy.js'

const NOT_TRUSTED: Explained = {
  rule: 'algorithms that we do not trust',
  weAccept: false,
  reason: /algorithmNotTrusted/,
}
/** What BouncyCastle says where it cannot read something. */
const NOT_READ = /^(?:Certificate\w*|IO|EOF|ASN1|IllegalArgument|ClassCast|IllegalState)Exception/
/** As what is printed begins. */
const UNREAD = /they say: (?:Certificate\w*|IO|EOF|ASN1|IllegalArgument|ClassCast|IllegalState)Exception/
/** It reads every certificate before anything; we read what a path needs. */
const NOT_NEEDED: Explained = { rule: 'a malformed certificate that no path needs', weAccept: true, reason: NOT_READ }

const HIERARCHIES: Explained[] = [
  {
    rule: 'several CAs of one name',
    weAccept: true,
    reason: /does not verify with supplied key/,
    trait: 'selfIssued',
  },
  { rule: 'a constraint that is not text', weAccept: true, reason: /BMPString/, trait: 'constraintNotText' },
  { rule: 'no policy is left', weAccept: false, reason: /noValidPolicy|anyPolicyMapped/ },
  { rule: 'a form of names that we do not compare', weAccept: false, reason: /nameFormNotSupported/ },
  {
    rule: 'a URI without a host under a constraint',
    weAccept: false,
    reason: /nameExcluded|nameNotPermitted/,
    trait: 'uriWithoutHost',
  },
  { rule: 'a mailbox in other letters', weAccept: false, reason: /nameNotPermitted/, trait: 'capitals' },
  { rule: 'a wildcard that stands for an excluded name', weAccept: false, reason: /nameExcluded/, trait: 'wildcard' },
]
const CRLS: Explained[] = [
  { rule: 'a CRL of the future or for ever', weAccept: false, reason: /undetermined/, trait: 'futureOrForEver' },
  { rule: 'an entry that nobody understands', weAccept: false, reason: /undetermined/, trait: 'strangeEntry' },
  { rule: 'an entry of a later date', weAccept: false, reason: /revoked/, trait: 'laterEntry' },
  { rule: 'an entry of a later date', weAccept: false, reason: /revoked/, trait: 'CRL revoked later' },
  { rule: 'removeFromCRL in a complete CRL', weAccept: false, reason: /revoked/, trait: 'removedInComplete' },
  { rule: 'delta CRLs', weAccept: false, reason: /revoked/, trait: 'delta' },
  { rule: 'a delta for a complete CRL that is stale', weAccept: true, reason: /No CRLs found/, trait: 'delta' },
]
const MESSAGES: Explained[] = [
  MALFORMED,
  NOT_TRUSTED,
  { rule: 'a signing certificate that is another', weAccept: false, reason: /signingCertificate/ },
  { rule: 'algorithms protected in another form', weAccept: true, reason: /Algorithm Identifier Protection/ },
  { rule: 'no signed attributes', weAccept: false, reason: /signedAttributesMissing/ },
  {
    rule: 'a malformed unsigned attribute that we ignore',
    weAccept: true,
    reason: NOT_READ,
    trait: 'counter-signed true',
  },
  NOT_NEEDED,
]
const STAMPS: Explained[] = [
  MALFORMED,
  NOT_TRUSTED,
  { rule: 'a time of the future, or too inaccurate', weAccept: false, reason: /genTimeInFuture|accuracy/ },
  { rule: 'an anchor that is not valid then', weAccept: false, reason: /notYetValid/ },
  NOT_NEEDED,
]
const ANSWERS: Explained[] = [
  MALFORMED,
  NOT_TRUSTED,
  NOT_NEEDED,
  { rule: 'NULL or nothing behind an algorithm', weAccept: true, reason: /not same as outer cert/ },
  { rule: 'an answer of another time', weAccept: false, reason: /producedInFuture|evidenceTimesDiffer gap/ },
]

/** How many in a hundred of what it writes are changed then. */
const CHANGED = 30

describe('BouncyCastle and we agree, but for what is explained', () => {
  let theirs: BouncyCastle
  before(function () {
    requireJava(this, BouncyCastle.jars)
    theirs = new BouncyCastle()
  })
  after(() => theirs?.stop())

  const agree = (what: string, all: number, explained: readonly Explained[], make: Comparison['make']) =>
    it(`on ${what}`, () => compare({ name: `BouncyCastle, ${what}`, sample: 20, all, explained, unread: UNREAD, make }))

  agree('random hierarchies', 1500, HIERARCHIES, (random) => pathCase(randomHierarchy(random), theirs))
  agree('paths with CRLs', 800, CRLS, (random) => pathCase(randomPathWithCrls(random), theirs))
  agree('CMS signatures', 1500, MESSAGES, (random) => messageCase(randomMessage(random), theirs))
  agree('time stamps', 1200, STAMPS, (random) => stampCase(randomStamp(random), theirs))
  agree('OCSP answers', 1200, ANSWERS, (random) => answerCase(randomAnswer(random), theirs))

  agree('paths that it writes', 400, [NOT_TRUSTED, ...CRLS], async (random) =>
    pathCase(await theirs.writePath(random), theirs),
  )
  agree('CMS that it writes', 400, MESSAGES, async (random) => {
    const input = await theirs.writeMessage(random)
    const cms = someOf(input.cms, random, CHANGED)
    return messageCase({ ...input, cms, traits: [...(input.traits ?? []), ...traitsOfCms(cms)] }, theirs)
  })
  agree('time stamps that it writes', 400, STAMPS, async (random) => {
    const input = await theirs.writeStamp(random)
    return stampCase({ ...input, token: someOf(input.token, random, CHANGED) }, theirs)
  })
  agree('answers that it writes', 400, ANSWERS, async (random) => {
    const input = await theirs.writeAnswer(random)
    return answerCase({ ...input, response: someOf(input.response, random, CHANGED) }, theirs)
  })
})
