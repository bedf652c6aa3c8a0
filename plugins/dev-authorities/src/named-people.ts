import { VALIDITY } from './hierarchy.js'
import { type CertificateOptions, employeeIdentity, type Identity, personIdentity, systemIdentity } from './people.js'

const ORGANIZATION = { organization: 'ТОО "ОБРАЗЕЦ"', bin: '200140000019' }

const IDENTITIES = {
  'person-1': personIdentity({ iin: '900101300010', surname: 'ИВАНОВ', name: 'ИВАН', patronymic: 'ИВАНОВИЧ' }),
  'person-2': personIdentity({ iin: '900101300020', surname: 'АСАНОВА', name: 'АЙГУЛЬ', patronymic: 'АСАНОВНА' }),
  'person-3': personIdentity({ iin: '900101300050', surname: 'СЕРІКОВ', name: 'СЕРІК', patronymic: 'СЕРІКҰЛЫ' }),
  'head-1': employeeIdentity({ ...ORGANIZATION, iin: '900101300030', surname: 'АХМЕТОВ', name: 'АХМЕТ', role: 'head' }),
  'employee-1': employeeIdentity({ ...ORGANIZATION, iin: '900101300040', surname: 'ПЕТРОВ', name: 'ПЁТР' }),
  'system-1': systemIdentity({ ...ORGANIZATION, name: 'ОБРАЗЕЦ' }),
} as const

/** The named subjects; `-auth` is the authentication certificate of the same one. */
export type PersonName = keyof typeof IDENTITIES | `${keyof typeof IDENTITIES}-auth`

const entry = (identity: Identity, options: CertificateOptions) => ({
  identity,
  options: { validFrom: VALIDITY.notBefore, validUntil: VALIDITY.notAfter, ...options },
})

export const PEOPLE: Readonly<Record<PersonName, ReturnType<typeof entry>>> = {
  'person-1': entry(IDENTITIES['person-1'], { algorithm: 'rsa2048' }),
  'person-1-auth': entry(IDENTITIES['person-1'], { algorithm: 'rsa2048', use: 'authentication' }),
  'person-2': entry(IDENTITIES['person-2'], {}),
  'person-2-auth': entry(IDENTITIES['person-2'], { use: 'authentication' }),
  'person-3': entry(IDENTITIES['person-3'], { algorithm: 'gost512' }),
  'person-3-auth': entry(IDENTITIES['person-3'], { algorithm: 'gost512', use: 'authentication' }),
  'head-1': entry(IDENTITIES['head-1'], { algorithm: 'rsa2048' }),
  'head-1-auth': entry(IDENTITIES['head-1'], { use: 'authentication' }),
  'employee-1': entry(IDENTITIES['employee-1'], {}),
  'employee-1-auth': entry(IDENTITIES['employee-1'], { use: 'authentication' }),
  'system-1': entry(IDENTITIES['system-1'], {}),
  'system-1-auth': entry(IDENTITIES['system-1'], { use: 'authentication' }),
}
