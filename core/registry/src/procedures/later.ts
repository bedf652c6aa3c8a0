import type { RegistryError } from '../kernel/error.js'

const LATER = new Set<string>(['unavailable', 'unexpected', 'tooMany', 'full'])

/** True for a temporary error: the same input may succeed later. */
export const saysNothing = ({ kind }: RegistryError): boolean => LATER.has(kind)
