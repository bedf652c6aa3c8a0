import type { Deviations } from './deviation.js'

export const evidenceDeviations = {
  carriedEvidence: {
    lines: [377, 9],
    words: 'If present they must be the ones already registered at the service',
    ours: 'a time stamp and an OCSP answer that come in a new signature are judged as strictly as those that the registry asks for, and become the registered ones',
    because: {
      specification:
        'of a new signature nothing is registered yet, and line 9 collects the two "when the signature does not carry them"',
    },
  },
} as const satisfies Deviations
