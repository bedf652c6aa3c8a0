import { expect } from 'chai'
import { checkEmailNotifications } from '#core/documents/email-notifications.js'
import { checkTitles } from '#core/documents/file-name.js'
import type { DocumentSettings } from '#core/documents/schema.js'
import { checkDocumentSettings } from '#core/documents/settings-rules.js'
import { Limits } from '#core/kernel/limits.js'
import { RegistryError } from '#verifier/error.js'

const refused = (work: () => unknown, code: string) => {
  expect(work).to.throw(RegistryError).with.property('code', code)
}

describe('a title', () => {
  it('may be empty, and as long as 255 characters', () => {
    checkTitles('', '', Limits.defaults)
    checkTitles('Қ'.repeat(255), 'o'.repeat(2000), Limits.defaults)
    checkTitles('😀'.repeat(255), '', Limits.defaults)
  })
  it('is refused when it is too long', () => {
    refused(() => checkTitles('Қ'.repeat(256), '', Limits.defaults), 'requestFieldTooLarge')
    refused(() => checkTitles('', 'o'.repeat(2001), Limits.defaults), 'requestFieldTooLarge')
  })
  it('is refused when it cannot be a file name', () => {
    refused(() => checkTitles('a/b', '', Limits.defaults), 'invalidDocumentTitle')
  })
})

describe('e-mail notifications', () => {
  const to = (...addresses: string[]) => ({ to: addresses })

  for (const address of [
    '',
    'a',
    '@b.kz',
    'a@',
    'a@b',
    'a b@c.kz',
    'A <a@b.kz>',
    'a@b.kz\r\nBcc: c@d.kz',
    'a..b@c.kz',
    'a@-b.kz',
    `${'a'.repeat(65)}@b.kz`,
  ]) {
    it(`are refused for ${JSON.stringify(address)}`, () => {
      refused(() => checkEmailNotifications(to(address), Limits.defaults), 'invalidNotificationEmail')
    })
  }
  it('are refused for more than 20 addresses', () => {
    const many = Array.from({ length: 21 }, (_, i) => `a${i}@b.kz`)
    refused(() => checkEmailNotifications(to(...many), Limits.defaults), 'tooManyNotificationEmails')
  })
  it('take ru, kk, en and their combinations as language, and nothing else', () => {
    for (const language of ['ru', 'kk', 'en', 'kk/en', 'kk/ru/en']) {
      checkEmailNotifications({ to: ['a@b.kz'], language }, Limits.defaults)
    }
    for (const language of ['de', 'kk/', '', 'ru\n']) {
      refused(
        () => checkEmailNotifications({ to: ['a@b.kz'], language }, Limits.defaults),
        'invalidNotificationLanguage',
      )
    }
  })
})

describe('document settings', () => {
  const wrong: Record<string, DocumentSettings> = {
    'an empty requirement': { signersRequirements: [{}] },
    'an IIN without its prefix': { signersRequirements: [{ iin: '123456789011' }] },
    'a malformed authority': { signersRequirements: [{ authorities: ['first head'] }] },
    'an unknown certification authority': { signersRequirements: [{ ca: 'stranger' }] },
    'a malformed BIN': { documentAccess: [{ bin: 'BIN12' }] },
    'too many rules': { documentAccess: Array.from({ length: 1001 }, () => ({ iin: 'IIN123456789011' })) },
  }
  for (const [name, settings] of Object.entries(wrong)) {
    it(`with ${name} are refused`, () => refused(() => checkDocumentSettings(settings), 'invalidDocumentSettings'))
  }
  it('of more than 256 KiB are refused', () => {
    const unique = Array.from({ length: 60_000 }, () => 'iin' as const)
    refused(() => checkDocumentSettings({ unique }), 'requestFieldTooLarge')
  })
  it('that are well formed are accepted', () => {
    checkDocumentSettings({
      private: true,
      signersRequirements: [{ iin: 'IIN123456789011', authorities: ['1.2.398.3.3.4.1.2.1'], ca: 'nca' }],
      documentAccess: [{ bin: 'BIN123456789021' }, {}],
    })
  })
})
