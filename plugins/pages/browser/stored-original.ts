import { fetchFile } from './fetched-file.js'

/** Fetches a stored original. Rejects with the registry's refusal. */
export const storedOriginal = async (id: string): Promise<Blob> =>
  (await fetchFile(`/api/${id}/data`, 'application/octet-stream')).blob()
