import { defineErrors } from '../error.js'

export const noteErrors = defineErrors({
  noteNotVerified: {
    kind: 'invalid',
    message: 'Signed note is not verified',
    ru: 'Подпись реестра под отчётом не подтверждена',
    kk: 'Тізілімнің есептегі қолтаңбасы расталмады',
    description:
      'The note is malformed, or no signature in it is by the given key, or it is about something else: details.reason says which.',
  },
})
