import { anonymous, CardLimits, defaultShares, Ledger } from '@signed-registry/core'

import { PDFDocument } from 'pdf-lib'
import { CardWork } from '#core/cards/card-work.js'
import { PdfCards } from '#ddc-pdf/pdf-cards.js'
import { cardOf, numberedPdf } from '../plugins/ddc-pdf/cards.js'
import { mutateOctets } from './mutate-der.js'
import type { Random } from './random.js'
import type { Target } from './targets.js'

const LIMITS = {
  processorSeconds: 15,
  timeoutMs: 60_000,
  memoryMb: 256,
  processes: 1,
  waiting: 4,
  waitMs: 60_000,
  pages: 200,
  objects: 10_000,
  files: 50,
  fileBytes: 8 * 1024 * 1024,
  unpackedBytes: 64 * 1024 * 1024,
}
/** Names and numbers of PDF that mean something, put where they should not be. */
const WORDS = [
  '/Kids',
  '/Names',
  '/Count -1',
  '/Length 99999999',
  '1 0 R',
  '/Filter/LZWDecode',
  '<<',
  '>>',
  'endobj',
  '/Parent',
  '4294967296',
]

function mutatePdf(seeds: readonly Buffer[], random: Random): Buffer {
  const pdf = Buffer.from(random.pick(seeds))
  for (let words = random.below(4); words > 0; words -= 1)
    pdf.write(random.pick(WORDS), random.below(pdf.length), 'latin1')
  return random.chance(60) ? mutateOctets(pdf, random) : pdf
}

/** What reads and shows PDF files that strangers send; in the processes that cards are made in. */
export async function cardTargets(): Promise<readonly Target[]> {
  const cards = new PdfCards(LIMITS, 5)
  const work = new CardWork({ ledger: new Ledger({ shares: defaultShares }), limits: CardLimits.defaults })
  const original = await numberedPdf(2)
  const card = await cards.build(cardOf(original, 2))
  // Without object streams more of a file is reached by changing its octets.
  const plain = async (pdf: Uint8Array) =>
    Buffer.from(await (await PDFDocument.load(pdf)).save({ useObjectStreams: false }))
  const seeds = [Buffer.from(card), await plain(card), await plain(original)]
  const make = (random: Random) => mutatePdf(seeds, random)
  return [
    {
      name: 'card: files out of a PDF',
      leaves: 'coded',
      make,
      run: (input) => work.have(anonymous, 'cardNotParsed', () => cards.parse(Buffer.from(input))),
    },
    {
      name: 'card: pages of a PDF',
      leaves: 'coded',
      make,
      run: (input) => work.have(anonymous, 'cardNotBuilt', () => cards.sample(Buffer.from(input), ['ru'])),
    },
  ]
}
