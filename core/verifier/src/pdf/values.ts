/** A name (ISO 32000-2, 7.3.5), without its solidus and with its number signs decoded. */
export class PdfName {
  constructor(readonly text: string) {}
}

/** A string (7.3.4), and where its token stands in the file or the object stream. */
export class PdfString {
  constructor(
    readonly bytes: Uint8Array,
    readonly isHexadecimal: boolean,
    readonly at: number,
    readonly end: number,
  ) {}

  /** As text for people: UTF-16 with its mark, UTF-8 with its mark, else Latin. */
  get text(): string {
    const [first, second, third] = this.bytes
    if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(this.bytes.subarray(2))
    if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder().decode(this.bytes.subarray(3))
    return Buffer.from(this.bytes).toString('latin1')
  }
}

/** An indirect reference (7.3.10). */
export class PdfRef {
  constructor(
    readonly number: number,
    readonly generation: number,
  ) {}
}

/** A dictionary (7.3.7); a name that stands in it twice is noted, since readers take different ones. */
export class PdfDictionary {
  readonly entries = new Map<string, PdfValue>()
  doubled: string | undefined

  get(key: string): PdfValue {
    return this.entries.get(key) ?? null
  }
}

/** A stream (7.3.8): its dictionary, and where its data begins. */
export class PdfStream {
  constructor(
    readonly dictionary: PdfDictionary,
    readonly dataAt: number,
  ) {}
}

export type PdfValue =
  | null
  | boolean
  | number
  | PdfName
  | PdfString
  | PdfRef
  | PdfDictionary
  | PdfStream
  | readonly PdfValue[]

/** The text of a name; `undefined` for anything else. */
export const nameText = (value: PdfValue): string | undefined => (value instanceof PdfName ? value.text : undefined)

/** Elements of an array; none for anything else. */
export const elementsOf = (value: PdfValue): readonly PdfValue[] => (Array.isArray(value) ? value : [])
