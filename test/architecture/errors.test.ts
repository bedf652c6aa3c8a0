import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { authErrors } from '#core/auth/index.js'
import { documentErrors } from '#core/documents/index.js'
import { identityErrors } from '#core/identity/index.js'
import { fieldErrors } from '#core/kernel/field-length.js'
import { requestErrors } from '#core/kernel/request-errors.js'
import { notificationErrors } from '#core/notifications/index.js'
import { organizationErrors } from '#core/organizations/index.js'
import { originalErrors } from '#core/originals/index.js'
import { packageErrors } from '#core/packages/index.js'
import { routingErrors } from '#core/routing/index.js'
import { signatureErrors } from '#core/signatures/index.js'
import { webhookErrors } from '#core/webhooks/index.js'

const CATALOGUES = [
  authErrors,
  documentErrors,
  fieldErrors,
  identityErrors,
  notificationErrors,
  organizationErrors,
  originalErrors,
  packageErrors,
  requestErrors,
  routingErrors,
  signatureErrors,
  webhookErrors,
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
