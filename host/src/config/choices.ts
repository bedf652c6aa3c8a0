import type { RegistryOptions } from '@signed-registry/core'
import type { Environment } from './environment.js'

/** What the registry may do in one way or another. */
export type Choices = Pick<
  RegistryOptions,
  'webhookSuccess' | 'loginCertificates' | 'license' | 'signaturePolicy' | 'uniqueOrganizations'
>

/** What the operator chose, as `createRegistry` takes it. */
export const choicesOf = (env: Environment): Choices => ({
  webhookSuccess: env.WEBHOOK_SUCCESS,
  loginCertificates: env.LOGIN_CERTIFICATES,
  uniqueOrganizations: env.UNIQUE_BIN === 'on',
  signaturePolicy: { statusByCrls: env.STATUS_BY_CRLS === 'on' },
  ...(env.LICENSE_OWNER !== undefined && { license: { owner: env.LICENSE_OWNER } }),
})

/** For the log: nobody may be asked for certificate statuses, which looks as if it were forgotten. */
export const statusWarnings = ({
  TRUST_ANCHORS,
  OCSP_URL,
  OCSP_ALLOWED_HOSTS,
  STATUS_BY_CRLS,
}: Environment): string[] =>
  TRUST_ANCHORS === undefined || OCSP_URL !== undefined || OCSP_ALLOWED_HOSTS !== undefined || STATUS_BY_CRLS === 'on'
    ? []
    : ['OCSP_URL: neither it nor OCSP_ALLOWED_HOSTS is set: signatures that bring no OCSP answer along are refused']
