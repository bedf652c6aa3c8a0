import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { authErrors } from '../../core/dist/auth/index.js'
import { documentErrors } from '../../core/dist/documents/index.js'
import { identityErrors } from '../../core/dist/identity/index.js'
import { fieldErrors } from '../../core/dist/kernel/field-length.js'
import { notificationErrors } from '../../core/dist/notifications/index.js'
import { organizationErrors } from '../../core/dist/organizations/index.js'
import { packageErrors } from '../../core/dist/packages/index.js'
import { routingErrors } from '../../core/dist/routing/index.js'
import { signatureErrors } from '../../core/dist/signatures/index.js'
import { requestErrors } from '../../host/dist/errors.js'

const CATALOGUES = [
  authErrors,
  documentErrors,
  fieldErrors,
  identityErrors,
  notificationErrors,
  organizationErrors,
  packageErrors,
  requestErrors,
  routingErrors,
  signatureErrors,
]
/** Letters that Russian has not. */
const KAZAKH = /[әғқңөұүһі]/i

describe('the catalogues of errors', () => {
  const errors = CATALOGUES.flatMap(({ texts }) => Object.entries(texts))
  const folder = new URL('../../test/', import.meta.url)
  const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))

  it('have every code once, and one translation for every message', () => {
    expect(new Set(errors.map(([code]) => code)).size).to.equal(errors.length)
    for (const [, { message, ru, kk, description }] of errors) {
      const alike = errors.filter(([, other]) => other.message === message)
      for (const [code, other] of alike) expect(other, code).to.include({ ru, kk, description })
    }
  })

  for (const [code, { message, ru, kk, description }] of errors) {
    it(`translate and explain ${code}, and some test meets it`, () => {
      expect(message).to.match(/^[\x20-\x7e]+[^.]$/)
      expect(ru)
        .to.match(/[а-яё]/i)
        .and.not.match(KAZAKH)
      expect(kk)
        .to.match(/[а-яәғқңөұүһі]/i)
        .and.not.equal(ru)
      expect(description).to.match(/^[A-Za-z].*\.$/)
      expect(tests.some((text) => text.includes(code) || text.includes(message))).to.equal(true)
    })
  }
})
