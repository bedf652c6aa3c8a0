import { RegistryError } from '../kernel/error.js'

/** Runs work on one signature of a package. What refuses it says which one: `index`, `documentId` and `code` in its details. */
export async function inPlace<T>(index: number, documentId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof RegistryError ? error.with({ index, documentId, code: error.code }) : error
  }
}

/** Adds `index` and `code` to a refusal that names its document itself. */
export function placed(error: unknown, documentsIds: readonly string[]): unknown {
  if (!(error instanceof RegistryError)) return error
  const index = documentsIds.indexOf(String(error.details?.documentId))
  return index < 0 ? error : error.with({ index, code: error.code })
}
