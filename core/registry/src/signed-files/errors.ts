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
  fileNotProved: {
    kind: 'unacceptable',
    message: 'The file is not what its signers signed',
    ru: 'Файл не таков, каким его подписали',
    kk: 'Файл қол қойылған күйінде емес',
    description:
      'Something in the file was changed or added, is signed by nobody, or is not judged here: details.problems says what (docs/signed-files.md, "Problems"). POST /api/checkFile tells everything about it. Nothing was registered.',
  },
  fileNotRegistered: {
    kind: 'unacceptable',
    message: 'Files of this kind are not registered in this way',
    ru: 'Файлы такого вида так не регистрируются',
    kk: 'Мұндай файлдар бұлай тіркелмейді',
    description:
      'details.reason says why: evidence: a bundle, for POST /api/parseEvidence; notSigned: a PDF that nobody signed, or a card, for POST /api/parseDDC; xml, noContent: XML and a CMS without its content, for POST /api, and the document after it; there are tooManyDocuments or tooManySignatures, more than details.limit; signaturesTooLarge: with their manifests, for every document, they have more than details.limit octets.',
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
