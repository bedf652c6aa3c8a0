import { RegistryError } from '@signed-registry/core'

/** What is read, or `undefined` for a visitor who may not see it. */
export const unlessRefused = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: unknown) => {
    if (error instanceof RegistryError && (error.kind === 'forbidden' || error.kind === 'unauthenticated'))
      return undefined
    throw error
  })
