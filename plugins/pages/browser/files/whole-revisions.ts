import type { Revision, SignedFile, SignedPart } from '@signed-registry/verifier'

/** The revisions of a PDF, with the end of line behind each where it is signed, too: without it the signature would not hold. */
export const wholeRevisions = ({ revisions, signatures, timeStamps }: SignedFile): Revision[] =>
  revisions.map((one) => {
    const over = [
      ...one.signatures.map((place) => signatures[place]?.over),
      ...one.timeStamps.map((place) => timeStamps[place]?.over),
    ]
    return { ...one, end: Math.max(one.end, ...over.map(endOf)) }
  })

const endOf = (over: SignedPart | undefined): number =>
  over?.of === 'ranges' ? Math.max(...over.ranges.map(([, to]) => to)) : 0
