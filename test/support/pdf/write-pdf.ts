import { deflateSync } from 'node:zlib'

/** What stands between `obj` and `endobj`. */
export type Body = string | Buffer

/** How the cross reference of an update is written. */
export type CrossReferenceForm = 'table' | 'stream' | 'hybrid'

/** An update of a PDF, or all of one where nothing stands before it. */
export interface PdfUpdate {
  readonly objects?: Readonly<Record<number, Body>>
  /** Numbers of objects that are put into an object stream. */
  readonly packed?: readonly number[]
  readonly freed?: readonly number[]
  readonly form?: CrossReferenceForm
  /** Entries of the trailer beside `Size`, `Root` and `Prev`. */
  readonly trailer?: string
  readonly root?: number
  /** Entries that lie: where objects are said to be. */
  readonly offsets?: Readonly<Record<number, number>>
  /** Entries that lie: objects that are said to be in a stream. */
  readonly inside?: Readonly<Record<number, readonly [stream: number, index: number]>>
  readonly previous?: number
  readonly end?: string
}

/** A PDF with an update behind it; ISO 32000-2, 7.5.6. */
export function updated(before: Buffer, update: PdfUpdate): Buffer {
  const {
    objects = {},
    packed = [],
    freed = [],
    form = 'table',
    trailer = '',
    root = 1,
    offsets = {},
    end = '\n',
  } = update
  const previous = update.previous ?? lastStart(before)
  const pieces: Buffer[] = [
    before.length === 0 ? Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1') : before,
  ]
  const length = () => pieces.reduce((sum, piece) => sum + piece.length, 0)
  const entries = new Map<number, readonly [type: 0 | 1 | 2, first: number, second: number]>()
  for (const number of freed) entries.set(number, [0, 0, 1])
  const put = (number: number, body: Body) => {
    entries.set(number, [1, length(), 0])
    pieces.push(Buffer.concat([Buffer.from(`${number} 0 obj\n`), octets(body), Buffer.from('\nendobj\n')]))
  }
  for (const [number, body] of Object.entries(objects)) if (!packed.includes(Number(number))) put(Number(number), body)
  let highest = Math.max(0, ...Object.keys(objects).map(Number), ...freed, sizeOf(before) - 1)
  if (packed.length > 0) {
    highest += 1
    const bodies = packed.map((number) => octets(objects[number] ?? 'null'))
    let at = 0
    const places = packed.map((number, index) => {
      const place = `${number} ${at}`
      at += (bodies[index]?.length ?? 0) + 1
      return place
    })
    const head = `${places.join(' ')} `
    const data = Buffer.concat([Buffer.from(head), ...bodies.flatMap((body) => [body, Buffer.from(' ')])])
    put(highest, stream(`/Type/ObjStm/N ${packed.length}/First ${head.length}`, data))
    for (const [index, number] of packed.entries()) entries.set(number, [2, highest, index])
  }
  for (const [number, at] of Object.entries(offsets)) entries.set(Number(number), [1, at, 0])
  for (const [number, [own, index]] of Object.entries(update.inside ?? {})) entries.set(Number(number), [2, own, index])
  if (previous === undefined) entries.set(0, [0, 0, 65535])
  const common = `/Root ${root} 0 R${previous === undefined ? '' : `/Prev ${previous}`}${trailer}`
  if (form === 'stream') {
    const at = length()
    const own = highest + 1
    entries.set(own, [1, at, 0])
    pieces.push(
      Buffer.from(`${own} 0 obj\n`),
      octets(xrefStream(entries, `/Size ${own + 1}${common}`)),
      Buffer.from('\nendobj\n'),
    )
    pieces.push(Buffer.from(`startxref\n${at}\n%%EOF${end}`))
    return Buffer.concat(pieces)
  }
  const shown = new Map(form === 'hybrid' ? [...entries].filter(([, [type]]) => type !== 2) : entries)
  let hybrid = ''
  const hidden = new Map([...entries].filter(([, [type]]) => type === 2))
  if (form === 'hybrid' && hidden.size > 0) {
    const at = length()
    put(highest + 1, xrefStream(hidden, `/Size ${highest + 2}`))
    shown.set(highest + 1, [1, at, 0])
    hybrid = `/XRefStm ${at}`
    highest += 1
  }
  const at = length()
  pieces.push(Buffer.from(`xref\n${table(shown)}trailer\n<</Size ${highest + 1}${common}${hybrid}>>\n`))
  pieces.push(Buffer.from(`startxref\n${at}\n%%EOF${end}`))
  return Buffer.concat(pieces)
}

/** A stream in Flate. */
export function stream(dictionary: string, data: Uint8Array, flate = true): Buffer {
  const stored = flate ? deflateSync(data) : Buffer.from(data)
  const filter = flate ? '/Filter/FlateDecode' : ''
  return Buffer.concat([
    Buffer.from(`<<${dictionary}${filter}/Length ${stored.length}>>\nstream\n`),
    stored,
    Buffer.from('\nendstream'),
  ])
}

function xrefStream(entries: ReadonlyMap<number, readonly [number, number, number]>, rest: string): Buffer {
  const numbers = [...entries.keys()].sort((one, other) => one - other)
  const data = Buffer.concat(
    numbers.map((number) => {
      const [type, first, second] = entries.get(number) ?? [0, 0, 0]
      const row = Buffer.alloc(7)
      row.writeUInt8(type, 0)
      row.writeUInt32BE(first, 1)
      row.writeUInt16BE(second, 5)
      return row
    }),
  )
  return stream(`/Type/XRef/W[1 4 2]/Index[${numbers.map((number) => `${number} 1`).join(' ')}]${rest}`, data)
}

function table(entries: ReadonlyMap<number, readonly [number, number, number]>): string {
  return [...entries]
    .sort(([one], [other]) => one - other)
    .map(([number, [type, first, second]]) => {
      const kind = type === 0 ? 'f' : 'n'
      return `${number} 1\n${`${first}`.padStart(10, '0')} ${`${second}`.padStart(5, '0')} ${kind} \n`
    })
    .join('')
}

const octets = (body: Body): Buffer => (typeof body === 'string' ? Buffer.from(body, 'latin1') : body)

/** What the last `startxref` says. */
export function lastStart(pdf: Buffer): number | undefined {
  const text = pdf.toString('latin1')
  const at = text.lastIndexOf('startxref')
  return at === -1 ? undefined : Number(/startxref\s+(\d+)/.exec(text.slice(at))?.[1])
}

/** One that a cross reference has no room for is a lie. */
const sizeOf = (pdf: Buffer): number =>
  Math.max(0, ...[...pdf.toString('latin1').matchAll(/\/Size (\d+)/g)].map(([, size]) => Number(size) % 0x7fffffff))
