/** What a bundle begins with, behind the header of its first entry. */
const START = 'mimetypeapplication/vnd.etsi.asic-e+zip'
const START_AT = 30
const END_SIZE = 64 * 1024

/** Whether a file looks like an evidence bundle, as the verifier tells too (`looksLikeEvidence`), which is not loaded yet. */
export async function isBundle(file: Blob): Promise<boolean> {
  if ((await file.slice(START_AT, START_AT + START.length).text()) !== START) return false
  const ends = [file.slice(0, END_SIZE), file.slice(Math.max(0, file.size - END_SIZE))]
  const texts = await Promise.all(ends.map((end) => end.text()))
  return texts.some((text) => text.includes('evidence.json'))
}
