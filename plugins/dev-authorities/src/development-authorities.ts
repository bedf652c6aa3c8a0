import { port } from '@signed-registry/core'
import type { DevAuthorities } from './dev-authorities.js'

/** The authorities of a registry that runs with `devAuthorities`: `registry.get(DevelopmentAuthorities).person()`. */
export type DevelopmentAuthorities = DevAuthorities
export const DevelopmentAuthorities = port<DevAuthorities>('DevelopmentAuthorities', 'defaulted')
