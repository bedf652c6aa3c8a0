import { readBundle, writeBundle } from '#verifier/log/bundle.js'
import { checkpointText } from '#verifier/log/checkpoint.js'
import { cosignatureLines, verifyCosignature } from '#verifier/log/cosignature.js'
import { saltedEntry } from '#verifier/log/entry.js'
import { growTree } from '#verifier/log/grow-tree.js'
import { writeLeafText } from '#verifier/log/leaf-text.js'
import { leafHash } from '#verifier/log/merkle.js'
import { policyVerdict, quorumsIntersect } from '#verifier/log/policy.js'
import { writeLogProof } from '#verifier/log/proof.js'
import { publicEntry, readPublicEntry } from '#verifier/log/public-entry.js'
import { readLogPolicy } from '#verifier/log/read-policy.js'
import { readTilePath, tilePath } from '#verifier/log/tile-path.js'
import { verifyLogProof } from '#verifier/log/verify-log-proof.js'
import { judgeAddCheckpoint, readAddCheckpoint, writeAddCheckpoint } from '#verifier/log/witness.js'
import { signNote } from '#verifier/notes/signed-note.js'
import { logKeyOf, privateKeyOf, witnessOf } from '../support/log/note-keys.js'
import { mutateOctets } from './mutate-der.js'
import type { Random } from './random.js'
import type { Target } from './targets.js'

const WORDS = [
  '\n',
  '\n\n',
  '\r\n',
  ' ',
  '\t',
  '\u2014 ',
  '0',
  '00',
  '-1',
  '9007199254740991',
  '9007199254740992',
  '=',
  'A',
  '+',
  'none',
  'old 0',
  'index 0',
  'extra ',
  '__proto__',
  'constructor',
  '\u00a0',
  '\ud800',
  '\ufeff',
  '\u0000',
] as const

/** A good text with one to four of its lines, words or characters changed. */
function mutateLines(seeds: readonly string[], random: Random): string {
  let text = random.pick(seeds)
  for (let changes = 1 + random.below(4); changes > 0; changes -= 1) {
    const by = random.pick(['\n', '\n', ' ', ''])
    const parts = text.split(by)
    const at = random.below(parts.length)
    const part = parts[at] ?? ''
    const others = random.pick(seeds).split(by)
    const instead = random.pick([
      [],
      [part, part],
      [random.pick(others)],
      [random.pick(WORDS)],
      [part, random.pick(WORDS)],
      Array<string>(70).fill(part),
    ])
    parts.splice(at, 1, ...instead)
    text = parts.join(by)
  }
  return text
}

/** What reads proofs, policies and requests about logs, which strangers send. */
export function logTargets(): readonly Target[] {
  const origin = 'log.example/one'
  const key = logKeyOf(origin, 1)
  const [one, two] = [witnessOf(2), witnessOf(3)]
  const salt = Buffer.alloc(32, 1)
  const text = writeLeafText('signature', [['signId', '5']])
  const forgotten = publicEntry({ kind: 'forgotten', origin, index: 0, entryKind: 'digests', reason: 'x' })
  const stamp = publicEntry({ kind: 'stamp', size: 9, token: Buffer.alloc(40, 3) })
  const leaves = [saltedEntry(salt, text), forgotten].map(leafHash)
  const [first, second] = leaves
  if (first === undefined || second === undefined) throw new TypeError('no leaves')
  const tree = growTree({ size: 0, edge: [] }, leaves)
  const note = signNote(checkpointText({ origin, ...tree }), origin, privateKeyOf(1))
  const cosigned = note + one.line(note) + two.line(note)
  const checkpoint = cosigned
  const proofs = [
    writeLogProof({ extra: Buffer.concat([salt, Buffer.from(text)]), index: 0, hashes: [second], checkpoint }),
    writeLogProof({ extra: forgotten, index: 1, hashes: [first], checkpoint }),
  ]
  const policies = [
    `log ${key}\nwitness a ${one.key}\nwitness b ${two.key}\ngroup g 2 a b\nquorum g\n`,
    `# all\nlog ${key} https://log.example/\nwitness a ${one.key}\nquorum none\n`,
  ]
  const policy = readLogPolicy(policies[0] ?? '')
  const requests = [
    writeAddCheckpoint({ oldSize: 0, proof: [], note }),
    writeAddCheckpoint({ oldSize: 1, proof: [second], note: cosigned }),
  ]
  const latest = { size: 1, root: first }
  const asText = (input: Uint8Array | string): string =>
    typeof input === 'string' ? input : Buffer.from(input).toString()
  const asOctets = (input: Uint8Array | string): Uint8Array => (typeof input === 'string' ? Buffer.from(input) : input)
  const lines = (seeds: readonly string[]) => (random: Random) => mutateLines(seeds, random)
  return [
    {
      name: 'log: verifyLogProof',
      leaves: 'coded',
      make: lines(proofs),
      run: (input) => {
        const verdict = verifyLogProof(asText(input), { policy, logKeys: [key] })
        const isRight = verdict.origin === origin && verdict.size === 2
        if (verdict.trust === 'established' && !isRight) throw new Error('trusted, but another log')
      },
    },
    {
      name: 'log: readLogPolicy',
      leaves: 'coded',
      make: lines(policies),
      run: (input) => {
        const read = readLogPolicy(asText(input))
        quorumsIntersect(read)
        policyVerdict(cosigned, read)
      },
    },
    {
      name: 'log: readAddCheckpoint',
      leaves: 'coded',
      make: lines(requests),
      run: (input) => {
        const { outcome } = judgeAddCheckpoint(readAddCheckpoint(asText(input)), { keys: [key], latest })
        if (outcome === 'accepted' && !asText(input).includes('\n2\n')) throw new Error('accepted another tree')
      },
    },
    {
      name: 'log: cosignatures',
      leaves: 'coded',
      make: lines([one.line(note), one.line(note) + two.line(note)]),
      run: (input) => {
        const taken = cosignatureLines(note, asText(input), one.key)
        if (taken !== '' && verifyCosignature(note + taken, one.key) === undefined) throw new Error('taken, but wrong')
      },
    },
    {
      name: 'log: readPublicEntry',
      leaves: 'coded',
      make: (random) =>
        random.chance(50)
          ? mutateLines([`${forgotten}`, `${stamp}`], random)
          : mutateOctets(Buffer.from(random.pick([forgotten, stamp])), random),
      run: (input) => {
        const entry = readPublicEntry(asOctets(input))
        if (entry !== undefined && !publicEntry(entry).equals(asOctets(input))) throw new Error('written in two ways')
      },
    },
    {
      name: 'log: readBundle',
      leaves: 'coded',
      make: (random) => mutateOctets(writeBundle([forgotten, stamp, Buffer.alloc(32)]), random),
      run: (input) => readBundle(asOctets(input), 3),
    },
    {
      name: 'log: readTilePath',
      leaves: 'coded',
      make: lines(['0/x001/234.p/17', 'entries/x001/x234/067', '63/000.p/255']),
      run: (input) => {
        const read = readTilePath(asText(input))
        if (read?.kind === 'hashes' && tilePath(read) !== input) throw new Error('written in two ways')
      },
    },
  ]
}
