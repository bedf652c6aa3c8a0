import type { Deviations } from './deviation.js'

export const loginDeviations = {
  loginBySigningCertificate: {
    lines: [514, 509],
    words: 'with the authentication key of the certificate',
    ours: 'people log in by a certificate for signing too',
    because: {
      specification:
        'line 509 lets in whoever has a qualified certificate, and there are people who have but one, for signing',
    },
    switch: '`LOGIN_CERTIFICATES=authentication`, `loginCertificates` of `createRegistry`',
  },
  pendingUntilProved: {
    lines: [525],
    words:
      'An information system authenticates with a client certificate that is listed in `tlsCertificatesList` of its organization (and not `disabled`)',
    ours: 'a listed certificate is `pending` (ours) until the holder of its key has named the organization over mutual TLS, by `businessId` (ours) at `POST /api/auth`, or by the `OU` of the certificate',
    because: {
      attack:
        'a certificate is public: who lists that of a stranger, and first, would have the system act for them, and own what it registers',
    },
  },
} as const satisfies Deviations
