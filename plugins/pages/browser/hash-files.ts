import { toBase64 } from './bytes.js'
import { make, progressBar, say } from './dom.js'
import { hashOf } from './hash.js'
import { texts } from './texts.js'

/** SHA-256 of each of several files in base64, with one progress bar. */
export async function hashFiles(files: readonly File[], place: HTMLElement): Promise<string[]> {
  const bar = progressBar(texts.hashing)
  say(place, 'busy', make('p', {}, texts.hashing), bar.element)
  const digests: string[] = []
  for (const [index, file] of files.entries()) {
    digests.push(toBase64(await hashOf(file, (done) => bar.to((index + done) / files.length))))
  }
  return digests
}
