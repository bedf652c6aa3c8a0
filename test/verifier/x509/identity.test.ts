import { expect } from 'chai'
import { readIdentity } from '#verifier/x509/identity.js'
import { der, nameDer, oidDer } from '../../support/der.js'
import { extension, general, subjectAltName } from '../../support/pki/extensions.js'
import { issue } from '../../support/pki/hierarchy.js'
import { reasonOf } from '../../support/refusal.js'

const CN = '2.5.4.3'
const SERIAL_NUMBER = '2.5.4.5'
const OU = '2.5.4.11'
const EMAIL = '1.2.840.113549.1.9.1'

const identity = (rdns: Parameters<typeof nameDer>, extensions: Buffer[] = []) =>
  readIdentity(issue(undefined, { subject: nameDer(...rdns), extensions }).certificate)

describe('the identity of a signer', () => {
  it('is the IIN of the serialNumber and the BIN of the organizational unit', () => {
    const { userId, businessId } = identity([
      [[CN, 'ТЕСТОВ ТЕСТ']],
      [[SERIAL_NUMBER, 'IIN123456789011']],
      [[OU, 'Отдел']],
      [[OU, 'BIN123456789021']],
    ])
    expect({ userId, businessId }).to.deep.equal({ userId: 'IIN123456789011', businessId: 'BIN123456789021' })
  })

  it('is absent where the certificate does not say', () => {
    expect(identity([[[CN, 'someone']]])).to.deep.equal({
      userId: undefined,
      businessId: undefined,
      email: undefined,
      keyStorage: undefined,
    })
  })

  it('is not taken from another attribute (threat: IIN or BIN from the wrong RDN)', () => {
    const { userId, businessId } = identity([
      [[CN, 'IIN123456789011']],
      [[OU, 'IIN123456789011']],
      [[SERIAL_NUMBER, 'BIN123456789021']],
    ])
    expect([userId, businessId]).to.deep.equal([undefined, undefined])
  })

  it('is refused when the serialNumber is doubled, in one RDN or in two', () => {
    const [one, other] = ['IIN123456789011', 'IIN210987654321']
    const refused = 'badSignerCertificate: userIdAmbiguous'
    expect(reasonOf(() => identity([[[SERIAL_NUMBER, one]], [[SERIAL_NUMBER, other]]]))).to.equal(refused)
    expect(
      reasonOf(() =>
        identity([
          [
            [SERIAL_NUMBER, one],
            [SERIAL_NUMBER, other],
          ],
        ]),
      ),
    ).to.equal(refused)
    expect(reasonOf(() => identity([[[SERIAL_NUMBER, one]], [[SERIAL_NUMBER, one]]]))).to.equal(refused)
  })

  it('is refused when the BIN is doubled, in one RDN or in two', () => {
    const [one, other] = ['BIN123456789021', 'BIN120987654321']
    const refused = 'badSignerCertificate: businessIdAmbiguous'
    expect(reasonOf(() => identity([[[OU, one]], [[OU, other]]]))).to.equal(refused)
    expect(
      reasonOf(() =>
        identity([
          [
            [OU, one],
            [OU, other],
          ],
        ]),
      ),
    ).to.equal(refused)
    expect(reasonOf(() => identity([[[OU, one]], [[OU, one]]]))).to.equal(refused)
    expect(reasonOf(() => identity([[[OU, one]], [[OU, 'bin 120987654321 ']]]))).to.equal(refused)
    expect(identity([[[OU, one]], [[OU, 'BINARY WORKS']], [[OU, 'Отдел']]]).businessId).to.equal(one)
  })

  it('takes twelve digits exactly', () => {
    for (const text of ['IIN12345678901', 'IIN1234567890112', 'iin123456789011', 'IIN12345678901a', 'IIN123456789011 '])
      expect(identity([[[SERIAL_NUMBER, text]]]).userId, text).to.equal(undefined)
  })

  it('takes the e-mail of the alternative name before that of the subject', () => {
    const subject: Parameters<typeof nameDer> = [[[EMAIL, 'old@example.kz', 0x16]]]
    expect(identity(subject).email).to.equal('old@example.kz')
    const alternative = subjectAltName(general.dns('example.kz'), general.email('new@example.kz'))
    expect(identity(subject, [alternative]).email).to.equal('new@example.kz')
    expect(identity([[[EMAIL, 'a@b.kz\r\nBcc: c@d.kz']]]).email).to.equal(undefined)
  })

  it('reads the key storage, and refuses one that cannot be read', () => {
    const storage = (value: Buffer) => [extension('1.2.398.3.3.5', value)]
    expect(identity([[[CN, 'a']]], storage(der(0x30, oidDer('1.2.398.3.3.5.1.1')))).keyStorage).to.equal(
      '1.2.398.3.3.5.1.1',
    )
    expect(reasonOf(() => identity([[[CN, 'a']]], storage(der(0x05))))).to.equal(
      'badSignerCertificate: certificateMalformed',
    )
  })
})
