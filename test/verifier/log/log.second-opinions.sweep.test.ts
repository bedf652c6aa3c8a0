import { LogCheckpoint } from '@sigstore/verify/dist/tlog/checkpoint.js'
import { verifyMerkleInclusion } from '@sigstore/verify/dist/tlog/merkle.js'
import { expect } from 'chai'
import { checkpointText } from '#verifier/log/checkpoint.js'
import { type InclusionProof, isConsistent, isIncluded, leafHash } from '#verifier/log/merkle.js'
import { Random } from '../../fuzz/random.js'
import { askConsistency, askGo, askInclusion, requireGo } from '../../support/log/go.js'
import { GrownLog } from '../../support/log/grown-log.js'
import { consistenciesBy, inclusionsBy } from '../../support/log/other-proofs.js'
import { entryAt } from '../../support/log/plain-tree.js'
import { amount } from '../../support/sweep.js'

const SIZE = amount(20_000, 1_000_000)
const PROOFS = amount(200, 2_000)
/** Entries that are added at once. */
const STEP = 99_991

/** Whether sigstore accepts a proof, of an entry that it hashes itself. */
function sigstoreAccepts(entry: Buffer, { index, size, root, proof }: InclusionProof): boolean {
  const checkpoint = LogCheckpoint.fromString(checkpointText({ origin: 'log.example/one', size, root }))
  const rootHash = Buffer.from(root)
  const hashes = proof.map((hash) => Buffer.from(hash))
  const inclusionProof = {
    logIndex: `${index}`,
    treeSize: `${size}`,
    rootHash,
    hashes,
    checkpoint: { envelope: '' },
  }
  const logged = {
    logIndex: `${index}`,
    logId: { keyId: Buffer.alloc(0) },
    kindVersion: { kind: '', version: '' },
    integratedTime: '0',
    inclusionPromise: undefined,
    inclusionProof,
    canonicalizedBody: entry,
  }
  try {
    verifyMerkleInclusion(logged, checkpoint)
    return true
  } catch (error) {
    expect(error).to.have.property('code', 'TLOG_INCLUSION_PROOF_ERROR')
    return false
  }
}

describe(`others and we agree on a log of ${SIZE} entries`, function () {
  this.timeout(900_000)
  const random = new Random(20_261_123)
  const log = new GrownLog()
  const inclusions: { readonly entry: Buffer; readonly asked: InclusionProof }[] = []

  before(async () => {
    while (log.tree.size < SIZE) log.add(Math.min(STEP, SIZE - log.tree.size))
    for (let made = 0; made < PROOFS; made += 1) {
      // Most of the log as it is, some as it was.
      const size = random.chance(70) ? SIZE : 1 + random.below(SIZE)
      const index = random.below(size)
      const tree = log.tiled(size)
      const [proof, root] = await Promise.all([tree.inclusion(index), tree.root()])
      const good = { leaf: leafHash(entryAt(index)), index, size, proof, root }
      for (const asked of inclusionsBy(good, random.below(2 ** 30)))
        inclusions.push({ entry: asked.leaf === good.leaf ? entryAt(index) : Buffer.from('another'), asked })
    }
  })

  it('with sigstore, which entries are proved', () => {
    const wrong = inclusions.filter(({ entry, asked }) => sigstoreAccepts(entry, asked) !== isIncluded(asked))
    expect(wrong).to.deep.equal([])
    expect(inclusions.filter(({ asked }) => isIncluded(asked)).length).to.be.within(PROOFS, inclusions.length / 2)
  })

  it('with Go, which entries are proved', function () {
    requireGo(this)
    const answers = askGo(inclusions.map(({ asked }) => askInclusion(asked)))
    const wrong = inclusions.filter(({ asked }, at) => isIncluded(asked) !== (answers[at]?.refused === undefined))
    expect(wrong).to.deep.equal([])
  })

  it('with Go, which trees continue which', async function () {
    requireGo(this)
    const all = []
    for (let made = 0; made < PROOFS; made += 1) {
      const to = random.chance(70) ? SIZE : 1 + random.below(SIZE)
      const from = 1 + random.below(to)
      const [proof, newer, older] = await Promise.all([
        log.tiled(to).consistency(from),
        log.tiled(to).root(),
        log.tiled(from).root(),
      ])
      const good = { from: { size: from, root: older }, to: { size: to, root: newer }, proof }
      all.push(...consistenciesBy(good, random.below(2 ** 30)))
    }
    const answers = askGo(all.map(askConsistency))
    const wrong = all.filter((asked, at) => isConsistent(asked) !== (answers[at]?.refused === undefined))
    expect(wrong).to.deep.equal([])
    expect(all.filter(isConsistent).length).to.be.within(PROOFS, all.length / 2)
  })
})
