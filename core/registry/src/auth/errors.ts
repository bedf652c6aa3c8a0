import { defineErrors } from '../kernel/error.js'

export const authErrors = defineErrors({
  invalidNonce: {
    kind: 'invalid',
    message: 'Invalid authentication nonce',
    ru: 'Недействительный блок данных для аутентификации',
    kk: 'Аутентификацияға арналған деректер блогы жарамсыз',
    description:
      'The nonce is not of this service, is too old or was used before, or the signature is not over it; details name the reason. Request another and sign that.',
  },
  alreadyAuthenticatedWithTls: {
    kind: 'conflict',
    message: 'Already authenticated with TLS certificate',
    ru: 'Аутентификация уже выполнена TLS сертификатом',
    kk: 'Аутентификация TLS сертификатымен орындалған',
    description: 'Information systems authenticate by mutual TLS alone; people log in on the other port.',
  },
})
