import { defineErrors } from '../kernel/error.js'

export const webhookErrors = defineErrors({
  webhookNotFound: {
    kind: 'absent',
    message: 'Webhook not found',
    ru: 'Вебхук не найден',
    kk: 'Вебхук табылмады',
    description: 'The organization has no webhook address with this identifier in its settings.',
  },
})
