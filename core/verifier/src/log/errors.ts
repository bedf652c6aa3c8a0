import { defineErrors } from '../error.js'

export const logErrors = defineErrors({
  logNotRead: {
    kind: 'invalid',
    message: 'Data of the transparency log cannot be read',
    ru: 'Не удалось прочитать данные журнала прозрачности',
    kk: 'Ашықтық журналының деректерін оқу мүмкін болмады',
    description:
      'It is not in the form that its specification has: details.reason says of what it is (bundle, entry, leaf, proof, addCheckpoint).',
  },
  logNotProved: {
    kind: 'invalid',
    message: 'The proof does not lead to the transparency log',
    ru: 'Доказательство не подтверждает запись в журнале прозрачности',
    kk: 'Дәлелдеме ашықтық журналындағы жазбаны растамайды',
    description:
      'What the proof is about is not in the tree of its checkpoint at that index (details.reason is notIncluded), or the proof does not say what was logged (extraMissing).',
  },
  logPolicyNotRead: {
    kind: 'invalid',
    message: 'Policy for transparency logs cannot be read',
    ru: 'Не удалось прочитать политику доверия к журналам прозрачности',
    kk: 'Ашықтық журналдарына сенім саясатын оқу мүмкін болмады',
    description:
      'It is not in the form that C2SP tlog-policy has: details.reason says why, details.line in which line (the first is 1).',
  },
})
