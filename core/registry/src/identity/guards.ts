import { type Guard, guard } from '../kernel/operation.js'
import { assertAuthenticated, type Caller, personOf } from './caller.js'

/** Anybody may call; `more` is added to the description, such as what proves the request. */
export const anyone = (more = ''): Guard => told(`anyone${more}`)

/** A guard in words only: the operation itself decides. `refuses` are the codes of its refusals. */
export const told = (words: string, ...refuses: readonly string[]): Guard => ({ words, refuses })

/** The caller who logs in; a system was authenticated by its certificate. */
export const anyoneButSystems = told('anyone but systems, which their certificate has authenticated')

/** The operation makes a guard's check itself: under a lock, or together with what it reads. */
export const byItself = <const G extends Guard>(checked: G) => ({ ...checked, byItself: true }) as const

/** People, in their own name or as employees. */
export const people = guard({
  words: 'people and employees, about themselves',
  refuses: ['authenticationRequired', 'accessDenied'],
  inject: {},
  check: () => async (caller: Caller) => ({ caller: personOf(caller) }),
})

/** Everybody but anonymous callers. */
export const authenticated = (about: string) =>
  guard({
    words: `anyone authenticated, ${about}`,
    refuses: ['authenticationRequired'],
    inject: {},
    check: () => async (caller: Caller) => {
      assertAuthenticated(caller)
      return { caller }
    },
  })
