import { compare, type Explained } from './compare.js'
import { answerCase, messageCase, pathCase, stampCase } from './evidence.js'
import { MALFORMED } from './malformed.js'
import { openSsl } from './openssl.js'
import { randomAnswer, randomMessage, randomPathWithCrls, randomStamp } from './random-evidence.js'
import { randomHierarchy } from './random-hierarchy.js'

const ALGORITHMS = {
  rule: 'algorithms that do not fit each other',
  weAccept: false,
  reason: /digestAlgorithm|NotSupported|TimeStamp unknown/,
}

/** What OpenSSL says where it cannot read something. */
const NOT_READ =
  /wrong tag|mstring|encod|too (?:long|small|large|short)|header|asn1|length|invalid (?:object|time|utf8)|missing/i
/** It reads every certificate before anything; we read what a path needs. */
const NOT_NEEDED: Explained = { rule: 'a malformed certificate that no path needs', weAccept: true, reason: NOT_READ }

describe('OpenSSL and we agree, but for what is explained', () => {
  it('on random hierarchies', () =>
    compare({
      name: 'OpenSSL, hierarchies',
      sample: 15,
      all: 400,
      unread: NOT_READ,
      explained: [
        {
          rule: 'a wildcard that stands for an excluded name',
          weAccept: false,
          reason: /nameExcluded/,
          trait: 'wildcard',
        },
        { rule: 'anyPolicy mapped', weAccept: false, reason: /anyPolicyMapped/ },
        {
          rule: 'several CAs of one name',
          weAccept: true,
          reason: /certificate signature failure/,
          trait: 'selfIssued',
        },
        {
          rule: 'a constraint that is not text',
          weAccept: true,
          reason: /unable to get local issuer|self-signed certificate/,
          trait: 'constraintNotText',
        },
      ],
      make: (random) => pathCase(randomHierarchy(random), openSsl),
    }))

  it('on paths with CRLs', () =>
    compare({
      name: 'OpenSSL, paths with CRLs',
      sample: 15,
      all: 400,
      unread: NOT_READ,
      explained: [
        { rule: 'a CRL of the future or for ever', weAccept: false, reason: /undetermined/, trait: 'futureOrForEver' },
        { rule: 'removeFromCRL in a complete CRL', weAccept: false, reason: /revoked/, trait: 'removedInComplete' },
        { rule: 'delta CRLs', weAccept: false, reason: /revoked/, trait: 'delta' },
        { rule: 'delta CRLs', weAccept: true, reason: /certificate revoked|CRL has expired/, trait: 'delta' },
      ],
      make: (random) => pathCase(randomPathWithCrls(random), openSsl),
    }))

  it('on CMS signatures', () =>
    compare({
      name: 'OpenSSL, CMS',
      sample: 15,
      all: 400,
      unread: NOT_READ,
      explained: [
        ALGORITHMS,
        MALFORMED,
        { rule: 'a digest that no signer uses', weAccept: true, reason: /unsupported/, trait: 'severalDigests' },
        {
          rule: 'unsorted attributes, signed in DER',
          weAccept: true,
          reason: /bad signature|verification failure/,
          trait: 'unsorted',
        },
      ],
      make: (random) => messageCase(randomMessage(random), openSsl),
    }))

  it('on time stamps', () =>
    compare({
      name: 'OpenSSL, time stamps',
      sample: 15,
      all: 400,
      unread: NOT_READ,
      explained: [ALGORITHMS, MALFORMED, NOT_NEEDED],
      make: (random) => stampCase(randomStamp(random), openSsl),
    }))

  it('on OCSP answers', () =>
    compare({
      name: 'OpenSSL, OCSP answers',
      sample: 15,
      all: 400,
      unread: NOT_READ,
      explained: [
        MALFORMED,
        NOT_NEEDED,
        { rule: 'NULL or nothing behind an algorithm', weAccept: true, reason: /certificate verify error/ },
      ],
      make: (random) => answerCase(randomAnswer(random), openSsl),
    }))
})
