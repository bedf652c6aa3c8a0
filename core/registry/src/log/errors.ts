import { defineErrors } from '../kernel/error.js'

export const logErrors = defineErrors({
  logNotFound: {
    kind: 'absent',
    message: 'There is no such log, tile or checkpoint',
    ru: 'Нет такого журнала, его части или контрольной точки',
    kk: 'Мұндай журнал, оның бөлігі немесе бақылау нүктесі жоқ',
    description: 'The log has another name, or the tree is not as large yet; tiles end with the newest checkpoint.',
  },
  logNotKept: {
    kind: 'absent',
    message: 'This registry keeps no log',
    ru: 'Этот реестр не ведёт журнал',
    kk: 'Бұл тізілім журнал жүргізбейді',
    description: 'The operator has turned the log off.',
  },
  logUnreadable: {
    kind: 'unavailable',
    message: 'The log cannot be read now',
    ru: 'Журнал сейчас нельзя прочитать',
    kk: 'Журналды қазір оқу мүмкін емес',
    description:
      'A part of the log is lost or was changed in the database, or the database is older than a checkpoint that was signed, so it is not served; the operator has to restore it.',
  },
  logNotWitnessed: {
    kind: 'absent',
    message: 'This registry is no witness of that log, or has not cosigned it yet',
    ru: 'Этот реестр не свидетельствует о таком журнале или ещё не подписал его контрольную точку',
    kk: 'Бұл тізілім ондай журналдың куәгері емес немесе оның бақылау нүктесіне әлі қол қоймаған',
    description: 'The operator names the logs that are witnessed, by their origins and keys.',
  },
  checkpointUnreadable: {
    kind: 'invalid',
    message: 'Request to a witness cannot be read',
    ru: 'Не удалось прочитать запрос к свидетелю журнала',
    kk: 'Журнал куәгеріне жіберілген сұрауды оқу мүмкін болмады',
    description:
      'It is not an old size, a consistency proof and a signed checkpoint as C2SP tlog-witness has them; details.reason says which part (addCheckpoint, malformed, otherText).',
  },
  checkpointNotSigned: {
    kind: 'forbidden',
    message: 'The checkpoint is not signed by its log',
    ru: 'Контрольная точка не подписана своим журналом',
    kk: 'Бақылау нүктесіне өз журналының қолы қойылмаған',
    description: 'No known key of the log has signed it, or a signature by one is wrong.',
  },
  checkpointSizesReversed: {
    kind: 'invalid',
    message: 'The old size is larger than the checkpoint',
    ru: 'Прежний размер больше контрольной точки',
    kk: 'Бұрынғы өлшем бақылау нүктесінен үлкен',
    description: 'A log only grows: the proof leads from the smaller tree to the larger one.',
  },
  checkpointConflict: {
    kind: 'conflict',
    message: 'The witness has cosigned a checkpoint of another size last',
    ru: 'Последняя подписанная свидетелем контрольная точка имеет другой размер',
    kk: 'Куәгер соңғы қол қойған бақылау нүктесінің өлшемі басқа',
    description: 'Prove the growth from that size, which details.size and the answer over HTTP tell.',
  },
  checkpointInconsistent: {
    kind: 'unacceptable',
    message: 'The checkpoint does not continue the one that the witness has cosigned',
    ru: 'Контрольная точка не продолжает ту, которую подписал свидетель',
    kk: 'Бақылау нүктесі куәгер қол қойған нүктенің жалғасы емес',
    description: 'The proof is wrong, or the log shows two trees.',
  },
  witnessBehind: {
    kind: 'unavailable',
    message: 'The witness cannot cosign this log now',
    ru: 'Свидетель сейчас не может подписать контрольную точку этого журнала',
    kk: 'Куәгер қазір бұл журналдың бақылау нүктесіне қол қоя алмайды',
    description:
      'Its database is older than the checkpoint that it cosigned last, which details.cosigned has the size of, or the file of that checkpoint cannot be read; its operator has to decide.',
  },
})
