import { defineErrors } from '../kernel/error.js'

export const authErrors = defineErrors({
  invalidNonce: {
    kind: 'invalid',
    message: 'Invalid authentication nonce',
    ru: 'Недействительный блок данных для аутентификации',
    kk: 'Аутентификацияға арналған деректер блогы жарамсыз',
    description:
      'The nonce is not from this service, is too old or was used before, or the signature is not over it; details name the reason. Request another and sign that.',
  },
  nonceToSign: {
    kind: 'unacceptable',
    message: 'Data to be signed would log in',
    ru: 'Подпись этих данных означала бы вход в систему',
    kk: 'Бұл деректерге қол қою жүйеге кіруді білдірер еді',
    description:
      'A nonce of this service or a hash of one is in the data, however written, or they are what a signature is computed over (signedInfo), XML that a parser puts together from entities (entities) or from another document (externalDtd) or reads in an encoding that is not looked through (encoding), or have too many hashes to look up (tooManyHashes); details name the reason. Nobody is asked to sign them.',
  },
  alreadyAuthenticatedWithTls: {
    kind: 'conflict',
    message: 'Already authenticated with TLS certificate',
    ru: 'Аутентификация уже выполнена TLS-сертификатом',
    kk: 'Аутентификация TLS сертификатымен орындалып қойған',
    description: 'Information systems authenticate by mutual TLS alone; people log in on the other port.',
  },
})
