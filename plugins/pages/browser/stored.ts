import { client } from './api.js'

/** An original that the registry keeps. Rejects with its refusal. */
export async function storedOriginal(id: string): Promise<Blob> {
  const response = await fetch(`/api/${id}/data`, { headers: { accept: 'application/octet-stream' } })
  // The client knows what a refusal looks like.
  if (!response.ok) await client.getDocumentData({ id })
  return response.blob()
}
