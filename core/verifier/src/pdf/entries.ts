import { notRead } from './errors.js'

/** Where an object is (ISO 32000-2, 7.5.4 and 7.5.8.3). */
export type PdfEntry =
  | { readonly in: 'file'; readonly at: number; readonly generation: number }
  | { readonly in: 'stream'; readonly stream: number; readonly index: number }

/** Numbers of objects that are taken: the largest that readers must take is 8,388,607 (Annex C). */
export const MAX_OBJECTS = 2_000_000
const ABSENT = 0
const FREE = 1
const IN_FILE = 2
const IN_STREAM = 3

/** Entries of a cross-reference table by their numbers, nine octets for each. */
export class PdfEntries {
  private states = new Uint8Array(0)
  private firsts = new Float64Array(0)
  private seconds = new Uint32Array(0)

  /** One more than the highest number. */
  get size(): number {
    return this.states.length
  }

  /** Whether the table says anything about a number, also that it is free. */
  has(number: number): boolean {
    return (this.states[number] ?? ABSENT) !== ABSENT
  }

  isInUse(number: number): boolean {
    return (this.states[number] ?? ABSENT) >= IN_FILE
  }

  get(number: number): PdfEntry | undefined {
    const [state, first = 0, second = 0] = [this.states[number], this.firsts[number], this.seconds[number]]
    if (state === IN_FILE) return { in: 'file', at: first, generation: second }
    return state === IN_STREAM ? { in: 'stream', stream: first, index: second } : undefined
  }

  /** `undefined` for one that is free. */
  set(number: number, entry: PdfEntry | undefined): void {
    this.grow(number + 1)
    this.states[number] = entry === undefined ? FREE : entry.in === 'file' ? IN_FILE : IN_STREAM
    this.firsts[number] = entry === undefined ? 0 : entry.in === 'file' ? entry.at : entry.stream
    this.seconds[number] = entry === undefined ? 0 : entry.in === 'file' ? entry.generation : entry.index
  }

  /** These entries, and over them those of a later table. */
  with(later: PdfEntries): PdfEntries {
    const both = new PdfEntries()
    both.grow(Math.max(this.size, later.size))
    both.put(this)
    both.put(later)
    return both
  }

  /** Whether two tables say the same about a number. */
  isSame(number: number, other: PdfEntries): boolean {
    const state = this.isInUse(number) ? this.states[number] : ABSENT
    const otherState = other.isInUse(number) ? other.states[number] : ABSENT
    if (state !== otherState) return false
    return (
      state === ABSENT ||
      (this.firsts[number] === other.firsts[number] && this.seconds[number] === other.seconds[number])
    )
  }

  private put(later: PdfEntries): void {
    for (let number = 0; number < later.size; number += 1) {
      if (!later.has(number)) continue
      this.states[number] = later.states[number] ?? ABSENT
      this.firsts[number] = later.firsts[number] ?? 0
      this.seconds[number] = later.seconds[number] ?? 0
    }
  }

  private grow(size: number): void {
    if (size <= this.states.length) return
    if (size > MAX_OBJECTS) throw notRead('tooManyObjects')
    // Room for as many again, since numbers come one by one.
    const room = Math.min(MAX_OBJECTS, Math.max(size, this.firsts.length * 2))
    if (room > this.firsts.length) {
      const [states, firsts, seconds] = [new Uint8Array(room), new Float64Array(room), new Uint32Array(room)]
      states.set(this.states)
      firsts.set(this.firsts)
      seconds.set(this.seconds)
      this.firsts = firsts
      this.seconds = seconds
      this.states = states.subarray(0, size)
    } else this.states = new Uint8Array(this.states.buffer, 0, size)
  }
}
