import type { Deviations } from './deviation.js'

export const completenessDeviations = {
  forgottenIncomplete: {
    lines: [334],
    words:
      'A document or package is registered but not complete until POST /api/{id}/data has succeeded for every document',
    ours: 'a package, or a document that was preregistered, is forgotten after 30 days where an original is still missing, nobody has signed and nothing is archived',
    because: { attack: 'anybody, also without a name, would fill the database with what never gets its originals' },
    switch: '`INCOMPLETE_RETENTION=0`',
  },
} as const satisfies Deviations
