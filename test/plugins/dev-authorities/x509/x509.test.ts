import { X509Certificate } from 'node:crypto'
import { pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { DAY, NOW, testAuthorities } from '../../../support/pki/authorities.js'
import { openssl } from '../../../support/pki/openssl.js'

describe('dev-authorities: certificates', () => {
  const authorities = testAuthorities()
  const trust = {
    'root.pem': authorities.anchors.map((der) => pem('CERTIFICATE', der)).join(''),
    'chain.pem': authorities.intermediates.map((der) => pem('CERTIFICATE', der)).join(''),
  }
  const verify = `verify -x509_strict -attime ${NOW / 1000} -CAfile root.pem -untrusted chain.pem`
  const shape = (der: Buffer) =>
    openssl(
      'x509 -inform DER -in c.der -noout -text -nameopt utf8,sep_comma_plus',
      { 'c.der': der },
      ({ output }) => output,
    )

  for (const algorithm of ['rsa2048', 'p256', 'p384', 'p521'] as const) {
    it(`issues ${algorithm} certificates that OpenSSL verifies strictly up to the root`, () => {
      const { certificatePem } = authorities.person({ algorithm })
      openssl(`${verify} c.pem`, { ...trust, 'c.pem': certificatePem }, ({ ok, output }) =>
        expect(ok, output).equal(true),
      )
    })
  }

  it('names a person with IIN in serialNumber and the patronymic in 2.5.4.42', () => {
    const text = shape(authorities.person({ iin: '123456789011', surname: 'ТЕСТОВ', name: 'ТЕСТ' }).certificate)
    expect(text).contain('Subject: CN=ТЕСТОВ ТЕСТ,SN=ТЕСТОВ,serialNumber=IIN123456789011,C=KZ,GN=ТЕСТОВИЧ\n')
    expect(text).contain('E-mail Protection, 1.2.398.3.3.4.1.1\n')
    expect(text).contain('Policy: 1.2.398.3.3.2.3\n')
    expect(text).contain('Digital Signature, Non Repudiation\n')
    expect(text).contain('1.2.398.3.3.5: \n')
  })

  it('names an employee with organization and BIN, and the role as an extended key usage', () => {
    const head = authorities.employee({
      iin: '123456789011',
      bin: '123456789021',
      organization: 'АО "ТЕСТ"',
      role: 'head',
    })
    const text = shape(head.certificate)
    expect(text).contain('serialNumber=IIN123456789011,C=KZ,O=АО "ТЕСТ",OU=BIN123456789021,GN=ТЕСТОВИЧ\n')
    expect(text).contain('E-mail Protection, 1.2.398.3.3.4.1.2, 1.2.398.3.3.4.1.2.1\n')
    expect(text).contain('Policy: 1.2.398.3.3.2.1\n')
  })

  it('names an information system with its OID and BIN, without IIN and without e-mail protection', () => {
    const text = shape(authorities.system({ bin: '123456789021', name: 'УЧЁТ' }).certificate)
    expect(text).contain('Subject: UID=1.2.398.3.3.4.1.2.6.1,CN=ИС "УЧЁТ",C=KZ,O=ТОО "ТЕСТ",OU=BIN123456789021\n')
    expect(text).contain('                1.2.398.3.3.4.1.2, 1.2.398.3.3.4.1.2.6\n')
  })

  it('gives the same subject an authentication certificate that cannot sign documents', () => {
    const person = authorities.person({ algorithm: 'rsa2048' })
    const authentication = authorities.authenticationCertificate(person, { algorithm: 'rsa2048' })
    expect(new X509Certificate(authentication.certificate).subject).equal(
      new X509Certificate(person.certificate).subject,
    )
    expect(authentication.key.spki).not.deep.equal(person.key.spki)
    const text = shape(authentication.certificate)
    expect(text).contain('Digital Signature, Key Encipherment\n')
    expect(text).contain('TLS Web Client Authentication, 1.2.398.3.3.4.1.1\n')
    expect(text).contain('Policy: 1.2.398.3.3.2.4\n')
  })

  it('puts the e-mail address into the alternative name, and lets validity, usages, policies and extensions be chosen', () => {
    const { certificate } = authorities.person({
      email: 'person@example.kz',
      validFrom: NOW - 3 * DAY,
      validUntil: NOW - DAY,
      keyUsages: ['keyAgreement'],
      purposes: [],
      policies: [],
      extensions: (honest) => honest.filter(({ oid }) => oid !== '1.2.398.3.3.5'),
    })
    const { subjectAltName, validTo } = new X509Certificate(certificate)
    expect(subjectAltName).equal('email:person@example.kz')
    expect(Date.parse(validTo)).equal(NOW - DAY)
    const text = shape(certificate)
    expect(text).contain('Key Agreement\n')
    expect(text).not.match(/Extended Key Usage|Certificate Policies|1\.2\.398\.3\.3\.5/)
  })

  it('gives every person an IIN of their own with a right control digit', () => {
    const numbers = [1, 2].map(
      () => /IIN(\d{12})/.exec(new X509Certificate(authorities.person().certificate).subject)?.[1] ?? '',
    )
    expect(numbers[0]).not.equal(numbers[1])
    for (const number of numbers) {
      const sum = [...number.slice(0, 11)].reduce((total, digit, at) => total + Number(digit) * (at + 1), 0) % 11
      if (sum < 10) expect(Number(number[11])).equal(sum)
    }
  })
})
