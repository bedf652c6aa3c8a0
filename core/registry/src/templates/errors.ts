import { defineErrors } from '../kernel/error.js'

export const templateErrors = defineErrors({
  templateNotFound: {
    kind: 'absent',
    message: 'Template not found',
    ru: 'Шаблон не найден',
    kk: 'Үлгі табылмады',
    description: 'You, or your organization, have no template with this identifier. Ours.',
  },
  tooManyTemplates: {
    kind: 'conflict',
    message: 'Too many templates',
    ru: 'Слишком много шаблонов',
    kk: 'Үлгілер тым көп',
    description:
      'Delete a template that is no longer needed, or replace one by its name; details have the limit. Ours.',
  },
})
