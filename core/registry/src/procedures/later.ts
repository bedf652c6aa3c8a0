import type { RegistryError } from '../kernel/error.js'

const LATER = new Set<string>(['unavailable', 'unexpected', 'tooMany', 'full'])

/** True for an error that says nothing of what came: the same may do later. */
export const saysNothing = ({ kind }: RegistryError): boolean => LATER.has(kind)
