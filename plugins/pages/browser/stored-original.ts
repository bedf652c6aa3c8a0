import { client } from './api.js'

/** Fetches a stored original. Rejects with the registry's refusal. */
export async function storedOriginal(id: string): Promise<Blob> {
  const response = await fetch(`/api/${id}/data`, { headers: { accept: 'application/octet-stream' } })
  // The client parses the refusal.
  if (!response.ok) await client.getDocumentData({ id })
  return response.blob()
}
