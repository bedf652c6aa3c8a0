import { defineErrors } from '@signed-registry/core'

/** What can be answered beside the errors of core; the code is stable, the texts are for people. */
export const visitErrors = defineErrors({
  visitorRefused: {
    kind: 'forbidden',
    message: 'Visitor is refused',
    ru: 'Посетителю отказано',
    kk: 'Келушіге рұқсат берілмеді',
    description: 'The operator refuses visitors of this name.',
  },
})
