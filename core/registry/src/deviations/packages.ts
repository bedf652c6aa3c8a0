import type { Deviations } from './deviation.js'

export const packageDeviations = {
  originalsNeedSecret: {
    lines: [381, 445],
    words: '**POST /api/{id}/data** fixes hashes.',
    ours: 'for a package that nobody with a name registered it takes `dataSecret` (ours), which `POST /api/package` answered: `POST /api/{id}/data?dataSecret=`',
    because: {
      attack: 'the link to a package has the identifiers of its documents: whoever has it could choose their originals',
    },
  },
  strangersNameNobody: {
    lines: [445, 58, 155, 156],
    words:
      'optional `settings` (package settings), optional `documentsSettings` (document settings applied to each document)',
    ours: 'a rule that names somebody in `packageAccess`, `packageSettings` or `documentAccess` of a caller who is not authenticated: `Authentication required`',
    because: {
      attack:
        'access rules put a package into the lists of those whom they name: anybody could fill the lists of anybody',
    },
  },
} as const satisfies Deviations
