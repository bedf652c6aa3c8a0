import { defineErrors } from '../error.js'

export const evidenceErrors = defineErrors({
  evidenceNotRead: {
    kind: 'unacceptable',
    message: 'Evidence bundle cannot be read',
    ru: 'Не удалось прочитать файл доказательств',
    kk: 'Дәлелдемелер файлын оқу мүмкін болмады',
    description:
      'The file is no evidence bundle, it is not in the one form in which registries write bundles, or it is of a version that is not known here: details.reason says which, details.file in which file of it.',
  },
})
