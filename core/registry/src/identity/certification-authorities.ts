/** A certification authority that settings may name in `signersRequirements[].ca`. */
export interface CertificationAuthority {
  readonly ru: string
  readonly kk: string
  /** How the common names of its issuing certificates begin. */
  readonly commonNames: readonly string[]
}

export const certificationAuthorities: Readonly<Record<string, CertificationAuthority>> = {
  nca: {
    ru: 'Национальный удостоверяющий центр',
    kk: 'Ұлттық куәландырушы орталық',
    commonNames: ['ҰЛТТЫҚ КУӘЛАНДЫРУШЫ ОРТАЛЫҚ'],
  },
  btsd: { ru: 'Удостоверяющий центр BTSD', kk: 'BTSD куәландырушы орталығы', commonNames: ['BTSD CA'] },
  ucgo: {
    ru: 'Удостоверяющий центр государственных органов',
    kk: 'Мемлекеттік органдардың куәландырушы орталығы',
    commonNames: ['Удостоверяющий центр Государственных органов'],
  },
  development: {
    ru: 'Удостоверяющий центр разработки',
    kk: 'Әзірлеудің куәландырушы орталығы',
    commonNames: ['DEVELOPMENT ISSUING CA'],
  },
}
