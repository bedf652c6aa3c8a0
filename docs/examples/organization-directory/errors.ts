import { defineErrors } from '@signed-registry/core'

export const directoryErrors = defineErrors({
  organizationUnknown: {
    kind: 'absent',
    message: 'Organization is unknown',
    ru: 'Организация не найдена',
    kk: 'Ұйым табылмады',
    description: 'The directory of organizations has none with this BIN.',
  },
})
