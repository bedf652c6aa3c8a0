import { save } from './dom.js'
import { fetchFile, isFile } from './fetched-file.js'

const ZIP = 'application/zip'

/** Has the browser download the evidence bundle at an address, whatever its size. Rejects with the registry's refusal. */
export async function downloadEvidence(address: string): Promise<void> {
  const answer = await fetch(address, { method: 'HEAD', headers: { accept: ZIP } })
  // The answer to HEAD does not say why.
  if (!isFile(answer, ZIP)) await (await fetchFile(address, ZIP)).body?.cancel()
  location.assign(address)
}

/** Sends the original of a document, and saves the evidence bundle that has it. Rejects with the registry's refusal. */
export async function saveEvidenceWith(original: File, id: string): Promise<void> {
  const headers = { 'content-type': 'application/octet-stream' }
  const bundle = await fetchFile(`/api/${id}/evidence`, ZIP, { method: 'POST', headers, body: original })
  save(await bundle.blob(), `${id}.zip`)
}
