import { mutateOctets } from './mutate-der.js'
import type { Random } from './random.js'

const RUN = /[0-9a-f]{64,}/g
const NUMBERS = ['0', '-1', '1', '7', '99', '65535', '4294967295', '9999999999']
const WORDS = [
  ...['/Prev', '/XRefStm', '/Root', '/Kids', '/Type/Sig', '/V 10 0 R', '/Contents<', '/ByteRange', '/Parent 3 0 R'],
  ...['/Length 99', '<<', '>>', '[', ']', '(', ')', '%', 'endobj', 'stream\n', 'xref\n0 1\n', 'trailer', '%%EOF\n'],
  ...[
    'PK\u0001\u0002',
    'PK\u0003\u0004',
    'PK\u0005\u0006',
    'PK\u0006\u0006',
    '../',
    '\u0000',
    '<a>',
    '</a>',
    '&a;',
    '<!--',
    ' URI=""',
  ],
]

/** A signed file with one to three things changed: octets flipped, dropped, doubled or swapped, numbers and words put over others. */
export function mutateFile(file: Buffer, random: Random): Buffer {
  let made = file
  for (let changes = random.chance(70) ? 1 : 1 + random.below(3); changes > 0; changes -= 1)
    made = changed(made, random)
  return made.equals(file) ? mutateOctets(file, random) : made
}

function changed(file: Buffer, random: Random): Buffer {
  if (file.length === 0) return random.bytes(4)
  const at = placeIn(file, random)
  const length = 1 + random.below(random.pick([4, 64, 1024]))
  const [before, own, behind] = [file.subarray(0, at), file.subarray(at, at + length), file.subarray(at + length)]
  const other = placeIn(file, random)
  return random.pick([
    ...Array.from({ length: 6 }, () => () => otherNumber(file, at, random)),
    () => overwritten(file, at, Buffer.of(file.readUInt8(at) ^ (1 << random.below(8)))),
    () => overwritten(file, at, Buffer.from(random.pick([...NUMBERS, ...WORDS]), 'latin1')),
    () => overwritten(file, at, random.bytes(1 + random.below(4))),
    () => Buffer.concat([before, behind]),
    () => Buffer.concat([before, own, own, behind]),
    () => Buffer.concat([before, Buffer.from(random.pick(WORDS), 'latin1'), file.subarray(at)]),
    () => before,
    () => overwritten(overwritten(file, at, file.subarray(other, other + length)), other, own),
    () => mutateOctets(file, random),
  ])()
}

/** Mostly outside of long hexadecimal texts, which a PDF with a CMS consists of. */
function placeIn(file: Buffer, random: Random): number {
  let at = random.below(file.length)
  if (random.chance(10)) return at
  const runs = [...file.toString('latin1').matchAll(RUN)].map(({ 0: text, index }) => [index, index + text.length])
  for (let tries = 0; tries < 64; tries += 1) {
    if (!runs.some(([from = 0, to = 0]) => at > from && at < to)) return at
    at = random.below(file.length)
  }
  return at
}

function overwritten(file: Buffer, at: number, octets: Uint8Array): Buffer {
  const made = Buffer.from(file)
  made.set(octets.subarray(0, made.length - at), at)
  return made
}

/** The next decimal number behind a place, replaced by one of the same length: offsets, lengths, numbers of objects. */
function otherNumber(file: Buffer, at: number, random: Random): Buffer {
  const found = /\d+/.exec(file.toString('latin1', at, at + 64))
  if (found === null) return overwritten(file, at, random.bytes(2))
  const near = Number(found[0]) + random.pick([-1, 1, 7, -20])
  const number = random.chance(50) ? `${Math.max(0, near)}` : random.pick(NUMBERS)
  return overwritten(file, at + found.index, Buffer.from(number.padStart(found[0].length, '0').slice(-found[0].length)))
}
