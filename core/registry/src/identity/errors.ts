import { defineErrors } from '../kernel/error.js'

export const identityErrors = defineErrors({
  authenticationRequired: {
    kind: 'unauthenticated',
    message: 'Authentication required',
    ru: 'Требуется аутентификация',
    kk: 'Аутентификация қажет',
    description: 'Authenticate with a certificate, or with mutual TLS as an information system, and repeat.',
  },
  accessDenied: {
    kind: 'forbidden',
    message: 'Access denied',
    ru: 'Доступ запрещён',
    kk: 'Қол жеткізуге тыйым салынған',
    description: 'The authenticated user or system lacks the right to this action.',
  },
})
