import type { ByteSource } from '../byte-source.js'
import type { PdfEntries } from './entries.js'
import { notRead } from './errors.js'
import { type InflateBudget, streamData } from './inflate.js'
import { objectAt } from './object-at.js'
import { NotAnObject, PdfParser } from './parser.js'
import type { PdfRevision } from './revisions.js'
import { nameText, PdfDictionary, PdfRef, PdfStream, type PdfValue } from './values.js'

/** References that lead to references. */
const MAX_STEPS = 32
/** Objects that are remembered, and octets of object streams. */
const KEPT_OBJECTS = 1024
const KEPT_OCTETS = 32 * 1024 * 1024

/** The objects of a file as one of its revisions has them. */
export class PdfDocument {
  private readonly objects = new Map<number, PdfValue>()
  private readonly streams = new Map<number, ObjectStream>()

  constructor(
    private readonly source: ByteSource,
    readonly revision: PdfRevision,
    private readonly budget: InflateBudget,
  ) {}

  get entries(): PdfEntries {
    return this.revision.entries
  }

  /** The value of an object; null for one that there is not (ISO 32000-2, 7.3.10). */
  object(number: number): PdfValue {
    const known = this.objects.get(number)
    if (known !== undefined) return known
    const value = this.read(number)
    this.objects.set(number, value)
    const [oldest] = this.objects.keys()
    if (this.objects.size > KEPT_OBJECTS && oldest !== undefined) this.objects.delete(oldest)
    return value
  }

  /** What a value is once references are followed. */
  resolve(value: PdfValue): PdfValue {
    let found = value
    for (let step = 0; found instanceof PdfRef; step += 1) {
      if (step === MAX_STEPS) throw notRead('referenceLoop', { object: found.number })
      found = this.at(found)
    }
    return found
  }

  /** A dictionary, also that of a stream; `undefined` for anything else. */
  dictionary(value: PdfValue): PdfDictionary | undefined {
    const found = this.resolve(value)
    if (found instanceof PdfStream) return found.dictionary
    return found instanceof PdfDictionary ? found : undefined
  }

  /** Octets of the data of a stream. */
  lengthOf(stream: PdfStream): number {
    const length = this.resolve(stream.dictionary.get('Length'))
    if (typeof length !== 'number' || !Number.isInteger(length)) throw notRead('streamLength', { at: stream.dataAt })
    return length
  }

  /** The data of a stream, inflated. */
  data(stream: PdfStream): Uint8Array {
    return streamData(this.source, stream, {
      length: this.lengthOf(stream),
      resolve: (value) => this.resolve(value),
      budget: this.budget,
    })
  }

  /** What a reference names, as it stands. */
  at({ number, generation }: PdfRef): PdfValue {
    const entry = this.entries.get(number)
    if (entry?.in === 'file' && entry.generation !== generation) return null
    if (entry?.in === 'stream' && generation !== 0) return null
    return this.object(number)
  }

  private read(number: number): PdfValue {
    const entry = this.entries.get(number)
    if (entry === undefined) return null
    if (entry.in === 'stream') return this.stream(entry.stream).object(number, entry.index)
    // What stands behind the end of a revision is no part of it.
    if (entry.at >= this.revision.end) throw notRead('xrefBroken', { object: number })
    const found = objectAt(this.source, entry.at)
    if (found.number !== number || found.generation !== entry.generation)
      throw notRead('xrefBroken', { object: number, at: entry.at })
    return found.value
  }

  private stream(number: number): ObjectStream {
    const known = this.streams.get(number)
    if (known !== undefined) return known
    const entry = this.entries.get(number)
    const value = entry?.in === 'file' ? this.object(number) : null
    if (!(value instanceof PdfStream) || nameText(value.dictionary.get('Type')) !== 'ObjStm')
      throw notRead('objectStreamBroken', { object: number })
    const made = new ObjectStream(value.dictionary, this.data(value), number)
    this.streams.set(number, made)
    let kept = 0
    for (const [other, { size }] of [...this.streams].reverse()) {
      kept += size
      if (kept > KEPT_OCTETS && other !== number) this.streams.delete(other)
    }
    return made
  }
}

/** Objects in a stream (7.5.7). */
class ObjectStream {
  private readonly places: readonly { readonly number: number; readonly at: number }[]
  private readonly indices = new Map<number, number>()

  constructor(
    { entries }: PdfDictionary,
    private readonly data: Uint8Array,
    private readonly own: number,
  ) {
    const [count, first] = [entries.get('N'), entries.get('First')]
    if (typeof count !== 'number' || typeof first !== 'number' || count > data.length || first > data.length)
      throw notRead('objectStreamBroken', { object: own })
    const parser = new PdfParser(data.subarray(0, first))
    this.places = this.parsing(() =>
      Array.from({ length: count }, () => ({ number: parser.integer(), at: first + parser.integer() })),
    )
    for (const [index, { number }] of this.places.entries())
      if (!this.indices.has(number)) this.indices.set(number, index)
  }

  get size(): number {
    return this.data.length
  }

  object(number: number, index: number): PdfValue {
    const place = this.places[index]
    // Readers differ in whether they look by index or by number.
    if (place?.number !== number || this.indices.get(number) !== index)
      throw notRead('objectStreamBroken', { object: this.own })
    return this.parsing(() => new PdfParser(this.data, place.at).value())
  }

  private parsing<T>(parse: () => T): T {
    try {
      return parse()
    } catch (error) {
      if (error instanceof NotAnObject) throw notRead('objectStreamBroken', { object: this.own })
      throw error
    }
  }
}
