import type { Deviations } from './deviation.js'

export const versionDeviations = {
  noLicenseOwner: {
    lines: [295, 610],
    words: '`licenseOwner` (BIN)',
    ours: '`licenseOwner` is empty',
    because: {
      law: 'the licence of the registry (MIT) is everybody’s and for ever: it has no owner whose BIN could be told',
    },
    switch: '`LICENSE_OWNER`, `license` of `createRegistry`',
  },
} as const satisfies Deviations
