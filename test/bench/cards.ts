import { PDFDocument } from 'pdf-lib'
import { buildCard } from '#ddc-pdf/build-card.js'
import { drawn } from '#ddc-pdf/card-content.js'
import { cardOf, numberedPdf } from '../plugins/ddc-pdf/cards.js'
import { median } from './interleave.js'
import { officePdf } from './office-pdf.js'
import { printRow } from './row.js'

const ROUNDS = 9
const WARM_UP = 3
const AIM_MS = 50
const BOUNDS = { maxPages: 1000, maxObjects: 100_000, maxUnpacked: 2 ** 28 }

/** Milliseconds of processor time. */
async function cost(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** Costs of several rounds, taken in turns. */
async function inTurns<Name extends string>(
  work: Record<Name, () => Promise<unknown>>,
): Promise<Record<Name, number>[]> {
  const names = Object.keys(work) as Name[]
  const rounds: Record<Name, number>[] = []
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    const costs: [Name, number][] = []
    for (const name of names) costs.push([name, await cost(work[name])])
    if (round >= WARM_UP) rounds.push(Object.fromEntries(costs) as Record<Name, number>)
  }
  return rounds
}

/** Prints what cards cost beside a program that merely copies the pages. */
export async function run(): Promise<void> {
  const six = await officePdf(6)
  const built = (original: Uint8Array, signatures: number) => () =>
    buildCard(drawn(cardOf(original, signatures), 5), BOUNDS)
  const copied = async () => {
    const [pdf, original] = [await PDFDocument.create(), await PDFDocument.load(six)]
    for (const page of await pdf.copyPages(original, original.getPageIndices())) pdf.addPage(page)
    return pdf.save()
  }
  const rounds = await inTurns({
    copied,
    two: built(six, 2),
    ten: built(six, 10),
    fifty: built(six, 50),
  })
  const ms = (name: keyof (typeof rounds)[number]) => `${median(rounds.map((round) => round[name])).toFixed(0)} ms`
  printRow({
    what: 'a card of 6 office pages and 2 signatures of 3,000 octets',
    floor: 'the pages copied alone',
    ratios: rounds.map(({ two, copied }) => two / copied),
    figures: `${ms('two')} against ${ms('copied')}`,
  })
  printRow({
    what: 'the same',
    floor: `${AIM_MS} ms of processor time`,
    ratios: rounds.map(({ two }) => two / AIM_MS),
    aim: '<= 1',
  })
  printRow({
    what: 'a signature of a card of 50',
    floor: 'one of a card of 10',
    ratios: rounds.map(({ two, ten, fifty }) => (fifty - ten) / 40 / ((ten - two) / 8)),
    figures: `cards of 2, 10 and 50 signatures: ${ms('two')}, ${ms('ten')}, ${ms('fifty')}`,
  })
  const before = process.memoryUsage().rss
  await buildCard(drawn(cardOf(await numberedPdf(300), 2), 5), BOUNDS)
  console.log(
    `  memory of a card of 300 pages         ${((process.memoryUsage().rss - before) / 2 ** 20).toFixed(0)} MiB more`,
  )
}
