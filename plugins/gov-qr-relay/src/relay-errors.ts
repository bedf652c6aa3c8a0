import { defineErrors } from '@signed-registry/core'

export const relayErrors = defineErrors({
  relayUnavailable: {
    kind: 'unavailable',
    message: 'The way to the mobile application is not available',
    ru: 'Мобильное приложение сейчас недоступно',
    kk: 'Мобильді қолданба қазір қолжетімсіз',
    description:
      'The application reaches this service through another one, which did not answer, refused, or answered something else; details name the reason. Repeat later.',
  },
  relayWithoutLogin: {
    kind: 'invalid',
    message: 'The mobile application cannot prove its user here',
    ru: 'Здесь мобильное приложение не может подтвердить пользователя',
    kk: 'Мұнда мобильді қолданба пайдаланушыны растай алмайды',
    description:
      'The application reaches this service through another one, which does not ask for a signed login before it shows documents. Leave authType Eds out.',
  },
})
