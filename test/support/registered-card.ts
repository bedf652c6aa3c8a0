import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { documentRegistrar } from './document-registrar.js'
import { postBytes } from './http.js'

/**
 * Has a host, whose development authorities are in this folder, register a document, take its original, make its card and read
 * the card again: what uses its database, its folders and its processes.
 */
export async function expectCardOfRegistered(url: string, folder: string): Promise<void> {
  const note = Buffer.from('I owe you 100 tenge.\n')
  const id = await documentRegistrar(url, folder)(createHash('sha256').update(note).digest())
  expect((await postBytes(`${url}/api/${id}/data`, note)).status).to.equal(200)
  const made = await fetch(`${url}/api/${id}/buildDDC?withoutDocumentVisualization=true&language=en`, {
    method: 'POST',
    headers: { accept: 'application/pdf', 'content-type': 'application/octet-stream' },
    body: note,
  })
  expect(made.status).to.equal(200)
  const checked = await postBytes(`${url}/api/checkFile`, new Uint8Array(await made.arrayBuffer()))
  expect(checked.json).to.include({ outcome: 'proved' })
}
