import { checkpointText } from '#verifier/log/checkpoint.js'
import { writeAddCheckpoint } from '#verifier/log/witness.js'
import { signNote } from '#verifier/notes/signed-note.js'
import { GrownLog } from './grown-log.js'
import { privateKeyOf } from './note-keys.js'

/** The body of a request to cosign a tree of the entries of `GrownLog`, in a log with the key of this number. */
export async function askedCheckpoint(origin: string, key: number, from: number, to: number): Promise<string> {
  const log = GrownLog.ofSize(to)
  const note = signNote(checkpointText({ origin, ...log.tree }), origin, privateKeyOf(key))
  return writeAddCheckpoint({ oldSize: from, proof: from > to ? [] : await log.tiled().consistency(from), note })
}
