import { defineErrors } from './error.js'

export const signedFileErrors = defineErrors({
  fileNotRead: {
    kind: 'unacceptable',
    message: 'Signed file cannot be read',
    ru: 'Не удалось прочитать подписанный файл',
    kk: 'Қол қойылған файлды оқу мүмкін болмады',
    description:
      'The file is not of a signed format that is known here, or its structure is broken or exceeds a limit: details.reason says which, details.file in which file of a container.',
  },
})
