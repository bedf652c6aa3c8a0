import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { Random } from '../fuzz/random.js'
import { amount } from '../support/sweep.js'
import { type Opinion, ourOpinion } from './opinion.js'

/** One input, which `files` hold, and how to ask for both opinions of it. */
export interface Case {
  readonly files: Readonly<Record<string, Uint8Array | string>>
  /** What is odd about it, for disagreements that only such cases explain. */
  readonly traits?: readonly string[]
  /** Refuses by an error of the verifier. */
  readonly ours: () => unknown
  readonly theirs: () => Opinion | Promise<Opinion>
}

/** A disagreement that is known, with its row in docs/verifier.md. */
export interface Explained {
  /** How its row in docs/verifier.md begins. */
  readonly rule: string
  readonly weAccept: boolean
  /** What the one that refuses says. */
  readonly reason: RegExp
  /** What the case must have beside that. */
  readonly trait?: string
}

export interface Comparison {
  /** Who is compared about what: `OpenSSL, CMS`. */
  readonly name: string
  readonly sample: number
  readonly all: number
  readonly explained: readonly Explained[]
  /** What they say where they cannot read something, which may be a part that nothing needs: that we accept it is printed. */
  readonly unread?: RegExp
  readonly make: (random: Random) => Case | Promise<Case>
}

/** `SEED` chooses other cases and `CASES` how many; what fails is kept here, since temporary files of a run are removed. */
export const seed = Number(process.env.SEED ?? 20_261_122)
const KEPT = '/tmp'
const AT_ONCE = 32
/** Of so many cases some are good and some are not. */
const MANY = 100
const WE_ACCEPT = 'we accept'
/** Keys are random, and so is what a mutant meets: so few, or a single one, are printed for somebody to explain. */
const FEW = 1 / 200

/**
 * Asks both about random cases. Acceptances of ours that nothing explains fail when they are more than few; that we refuse what they accept, and that
 * they cannot read what we accept, is printed, since mutants find ever new places that one looks at and the other does not. Either is told with its seed and the folder of its input.
 */
export async function compare({ name, sample, all, explained, unread, make }: Comparison): Promise<void> {
  const cases = process.env.CASES === undefined ? amount(sample, all) : Number(process.env.CASES)
  const table = readFileSync('docs/verifier.md', 'utf8')
  for (const { rule } of explained) expect(table, 'the table of disagreements').to.include(`| ${rule} `)
  const random = new Random(seed)
  const tally = {
    both: 0,
    neither: 0,
    acceptances: 0,
    unexplained: new Map<string, string>(),
    explained: new Map<string, number>(),
  }

  const judge = async (one: Case): Promise<void> => {
    const mine = keeping(one, () => ourOpinion(one.ours))
    const other = await one.theirs()
    if (mine.accepted === other.accepted) tally[mine.accepted ? 'both' : 'neither'] += 1
    else {
      const { why } = mine.accepted ? other : mine
      const known = explained.find(
        ({ weAccept, reason, trait }) =>
          weAccept === mine.accepted && reason.test(why) && (trait === undefined || one.traits?.includes(trait)),
      )
      if (known !== undefined) tally.explained.set(known.rule, (tally.explained.get(known.rule) ?? 0) + 1)
      else {
        const kind = mine.accepted ? `${WE_ACCEPT}, they say: ${why}` : `they accept, we say: ${why}`
        if (mine.accepted && unread?.test(kind) !== true) tally.acceptances += 1
        if (!tally.unexplained.has(kind)) tally.unexplained.set(kind, keep(one))
      }
    }
  }

  for (let left = cases; left > 0; left -= AT_ONCE) {
    const batch: Promise<void>[] = []
    for (let index = 0; index < Math.min(left, AT_ONCE); index += 1) batch.push(judge(await make(random)))
    await Promise.all(batch)
  }
  const known = [...tally.explained].map(([rule, count]) => `${count} × ${rule}`).join(', ')
  console.log(
    `      ${name}: ${cases} cases, seed ${seed}: both accept ${tally.both}, both refuse ${tally.neither}` +
      (known === '' ? '' : `; explained: ${known}`),
  )
  const found = [...tally.unexplained].map(([kind, folder]) => `${kind} (${folder}, seed ${seed})`)
  for (const one of found) console.log(`      ${name}, nothing explains: ${one}`)
  if (tally.acceptances > Math.max(1, cases * FEW))
    expect(found, `${name}: acceptances that nothing explains`).to.deep.equal([])
  if (cases < MANY) return
  expect(tally.both, `${name}: cases that both accept`).to.be.greaterThan(0)
  expect(tally.neither, `${name}: cases that both refuse`).to.be.greaterThan(0)
}

/** Keeps the input of a case that makes us crash. */
function keeping(one: Case, run: () => Opinion): Opinion {
  try {
    return run()
  } catch (error) {
    throw new Error(`The verifier fails: see ${keep(one)}, seed ${seed}`, { cause: error })
  }
}

function keep({ files }: Case): string {
  const folder = mkdtempSync(join(KEPT, 'differential-'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}
