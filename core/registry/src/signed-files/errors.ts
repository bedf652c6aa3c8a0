import { defineErrors } from '../kernel/error.js'

export const fileErrors = defineErrors({
  signedFilesUnavailable: {
    kind: 'unavailable',
    message: 'Registry reads no signed files',
    ru: 'Реестр не читает подписанные файлы',
    kk: 'Тізілім қол қойылған файлдарды оқымайды',
    description:
      'No plugin reads PDFs and containers in this registry. Send the signature and the hashes to POST /api/checkSignature.',
  },
  signedFilesBusy: {
    kind: 'unavailable',
    message: 'Too many signed files are being read',
    ru: 'Слишком много подписанных файлов проверяется одновременно',
    kk: 'Қол қойылған файлдар тым көп тексерілуде',
    description:
      'There is no room for another file at this moment, or reading it took more time or memory than a file may: details.reason says which. Try again later.',
  },
})
