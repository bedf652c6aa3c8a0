import {
  type PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  type PDFPage,
  type PDFRef,
  PDFString,
} from 'pdf-lib'

/** Standard structure types (ISO 32000-1, 14.8.4) that cards have. */
export type Role =
  | 'Document'
  | 'Sect'
  | 'H1'
  | 'H2'
  | 'P'
  | 'L'
  | 'LI'
  | 'Lbl'
  | 'LBody'
  | 'TOC'
  | 'TOCI'
  | 'Table'
  | 'TR'
  | 'TH'
  | 'TD'
  | 'Figure'

interface Attributes {
  /** What a figure shows, for who does not see it. */
  readonly alt?: string
  readonly lang?: string | undefined
}

/** A piece of marked content on a page. */
interface Content {
  readonly page: PDFRef
  readonly mcid: number
}

/** An element of the structure of a card: what readers aloud follow (tagged PDF, ISO 32000-1, 14.7). */
export class Tag {
  private readonly kids: (Tag | Content)[] = []

  constructor(
    readonly role: Role,
    private readonly attributes: Attributes = {},
  ) {}

  /** Adds an element inside this one. */
  add(role: Role, attributes?: Attributes): Tag {
    const tag = new Tag(role, attributes)
    this.kids.push(tag)
    return tag
  }

  /** Adds what is drawn on a page as the content of this element. */
  addContent(content: Content): void {
    this.kids.push(content)
  }

  /** Whether nothing is drawn in it. */
  isEmpty(): boolean {
    return this.kids.every((kid) => kid instanceof Tag && kid.isEmpty())
  }

  /** Writes the element and all inside it; `refs` gets the reference of each. */
  write(pdf: PDFDocument, parent: PDFRef, refs: Map<Tag, PDFRef>): PDFRef {
    const { context } = pdf
    const ref = context.nextRef()
    refs.set(this, ref)
    const page = this.kids.find((kid): kid is Content => !(kid instanceof Tag))?.page
    const kids = this.kids.flatMap((kid): PDFObject[] => {
      if (kid instanceof Tag) return kid.isEmpty() ? [] : [kid.write(pdf, ref, refs)]
      if (kid.page === page) return [context.obj(kid.mcid)]
      return [context.obj({ Type: 'MCR', Pg: kid.page, MCID: kid.mcid })]
    })
    const { alt, lang } = this.attributes
    const element = context.obj({
      Type: 'StructElem',
      S: this.role,
      P: parent,
      ...(page && { Pg: page }),
      ...(alt !== undefined && { Alt: PDFHexString.fromText(alt) }),
      ...(lang !== undefined && { Lang: PDFString.of(lang) }),
      ...(this.role === 'TH' && { A: { O: 'Table', Scope: 'Column' } }),
    })
    element.set(PDFName.of('K'), context.obj(kids))
    context.assign(ref, element)
    return ref
  }
}

/** Writes the structure of a card: its root, its elements, and which of them the marked content of each page belongs to. */
export function writeStructure(
  pdf: PDFDocument,
  root: Tag,
  pages: readonly { readonly page: PDFPage; readonly contents: readonly Tag[] }[],
): void {
  const { context, catalog } = pdf
  const ref = context.nextRef()
  const refs = new Map<Tag, PDFRef>()
  const document = root.write(pdf, ref, refs)
  const numbers = pages.flatMap(({ page, contents }, n) => {
    page.node.set(PDFName.of('StructParents'), context.obj(n))
    page.node.set(PDFName.of('Tabs'), PDFName.of('S'))
    const owners = contents.flatMap((tag) => refs.get(tag) ?? [])
    return [context.obj(n), context.register(context.obj(owners))]
  })
  const tree: PDFDict = context.obj({ Type: 'StructTreeRoot', K: [document], ParentTreeNextKey: pages.length })
  tree.set(PDFName.of('ParentTree'), context.register(context.obj({ Nums: numbers })))
  context.assign(ref, tree)
  catalog.set(PDFName.of('StructTreeRoot'), ref)
  catalog.set(PDFName.of('MarkInfo'), context.obj({ Marked: true }))
}
