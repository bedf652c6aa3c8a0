import { RegistryError } from '../kernel/error.js'

/** Runs work on one signature of a package. What refuses it says which one: `index`, `documentId` and `code` in its details. */
export async function inPlace<T>(index: number, documentId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof RegistryError ? error.with({ index, documentId, code: error.code }) : error
  }
}
