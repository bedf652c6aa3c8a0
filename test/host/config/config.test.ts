import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultAlgorithmPolicy, etsiCatalogue, verifierKey } from '@signed-registry/verifier'
import { expect } from 'chai'
import { Value } from 'typebox/value'
import { ConfigError, readConfig } from '#host/config/config.js'
import { Environment } from '#host/config/environment.js'
import { testAuthorities } from '../../support/pki/authorities.js'
import { STATEMENT_KEY } from '../../support/statement-key.js'

/** One log, and no witnesses. */
const POLICY = `log ${verifierKey('registry.example/log', createPublicKey(STATEMENT_KEY))}\nquorum none\n`

describe('the configuration of the stock host', () => {
  let folder: string
  let certificate: string
  let key: string
  let catalogue: string
  let rsaKey: string
  let statementKey: string
  let policy: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-config-'))
    writeFileSync(join(folder, 'a.pem'), 'pem')
    const system = testAuthorities().system()
    certificate = join(folder, 'cert.pem')
    key = join(folder, 'key.pem')
    writeFileSync(certificate, system.certificatePem)
    writeFileSync(key, system.keyPem)
    catalogue = join(folder, 'catalogue.json')
    const sale = { ru: 'Договор', kk: 'Шарт' }
    writeFileSync(catalogue, JSON.stringify({ documentTypes: { sale }, signers: {}, errors: {} }))
    statementKey = join(folder, 'statement.key')
    writeFileSync(statementKey, STATEMENT_KEY)
    policy = join(folder, 'policy')
    writeFileSync(policy, POLICY)
    rsaKey = join(folder, 'dkim.pem')
    const pem = { type: 'pkcs8', format: 'pem' } as const
    writeFileSync(rsaKey, generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(pem))
  })
  after(() => rmSync(folder, { recursive: true }))

  it('needs nothing', () => {
    expect(readConfig({})).to.deep.equal({
      given: {},
      warnings: [],
      plugins: { added: [], without: [] },
      databaseUrl: 'sqlite:data/registry.sqlite',
      replicaUrl: undefined,
      dataDir: './data',
      listen: { host: '127.0.0.1', port: 8080 },
      workers: 1,
      drainMs: 0,
      tls: undefined,
      baseUrl: undefined,
      siteName: undefined,
      systemsBaseUrl: undefined,
      peerUrl: undefined,
      look: {},
      authorities: { kind: 'development', folder: 'data/dev-authorities', isMeant: false },
      archive: { kind: 'folder', folder: 'data/archive', reserve: 2 ** 30 },
      archiveKeys: [],
      log: { keyFile: 'data/log.key', witnessKeyFile: 'data/witness.key', origin: undefined, tspUrl: undefined },
      renewal: { leadDays: 90, tspUrl: undefined, digests: ['2.16.840.1.101.3.4.2.3', '2.16.840.1.101.3.4.2.10'] },
      clamdAddress: undefined,
      webhookAddresses: 'public',
      webhookPorts: [443, 80],
      choices: {
        webhookSuccess: '200',
        loginCertificates: 'any',
        uniqueOrganizations: false,
        signaturePolicy: { statusByCrls: false },
      },
      webhookTls: undefined,
      vehicleRegistration: undefined,
      govQrRelay: undefined,
      schedules: {},
      digests: undefined,
      limits: {
        strangersTempStorageMs: 24 * 60 * 60_000,
        incompleteRetentionMs: 30 * 24 * 60 * 60_000,
        searchedDocuments: 4000,
        mailAttachment: 10 * 2 ** 20,
        mailsPerHour: 200,
        newRecipientsPerHour: 100,
        newSignersRecipientsPerHour: 10,
        strangerMailsPerHour: 10,
        strangersMailsPerHour: 100,
        mailsPerRecipientPerHour: 20,
        stampedReportsPerHour: 20,
        checkEveryMs: 600_000,
      },
      mail: { kind: 'files', folder: 'data/mail', from: 'registry@localhost' },
      mailLanguage: undefined,
      operatorEmail: [],
      mailBudgets: {},
      mailBounces: undefined,
      logLevel: 'info',
      memoryLimit: undefined,
      connectionsPerAddress: 256,
      metricsAddresses: [],
      mutualTls: { port: 8443 },
      sessionSecrets: [],
      statementKey: undefined,
      shares: {},
      api: {
        errorsStatus: 'semantic',
        heldCalls: 'silent',
        limits: { json: 10_485_760, upload: 4_294_967_296 },
        corsOrigins: [],
        corsAnonymous: true,
        proxies: { trusted: [], certificateHeader: undefined },
        rates: { anonymous: 60, caller: 600, anonymousBytes: 64 * 2 ** 20, callerBytes: 512 * 2 ** 20 },
      },
    })
  })

  it('says where originals are kept, and by which keys they are encrypted', () => {
    const key = Buffer.alloc(32, 7)
    const { archive, archiveKeys, clamdAddress } = readConfig({
      ARCHIVE_URL: 's3://id:secret@s3.example/bucket/registry',
      AWS_REGION: 'kz',
      ARCHIVE_KEYS: `new:${key.toString('base64')}, old:${Buffer.alloc(32).toString('base64')}`,
      CLAMD_ADDRESS: '/run/clamd.sock',
    })
    const options = {
      endpoint: 'https://s3.example',
      bucket: 'bucket',
      prefix: 'registry/',
      region: 'kz',
      style: 'path',
    }
    expect(archive).to.deep.equal({
      kind: 's3',
      options: { ...options, accessKeyId: 'id', secretAccessKey: 'secret' },
    })
    expect(archiveKeys).to.deep.equal([
      { name: 'new', key },
      { name: 'old', key: Buffer.alloc(32) },
    ])
    expect(clamdAddress).to.equal('/run/clamd.sock')
    expect(readConfig({ ARCHIVE_DIR: '/srv/archive' }).archive).to.deep.equal({
      kind: 'folder',
      folder: '/srv/archive',
      reserve: 2 ** 30,
    })
    for (const [variables, word] of [
      [{ ARCHIVE_DIR: 'a', ARCHIVE_URL: 's3://id:hush@h/bucket' }, 'ARCHIVE_DIR'],
      [{ ARCHIVE_URL: 's3://h/bucket' }, 'ARCHIVE_URL'],
      [{ ARCHIVE_URL: 's3://id:hush@h/B' }, 'ARCHIVE_URL'],
      [{ ARCHIVE_KEYS: 'a:c2hvcnQ=' }, 'ARCHIVE_KEYS'],
      [{ ARCHIVE_KEYS: `a:${key.toString('base64')},a:${key.toString('base64')}` }, 'ARCHIVE_KEYS'],
      [{ CLAMD_ADDRESS: 'clamd' }, 'CLAMD_ADDRESS'],
    ] as const) {
      expect(() => readConfig(variables))
        .to.throw(ConfigError, word)
        .with.property('message')
        .not.match(/hush/)
    }
  })

  it('takes every variable', () => {
    const [logo, style] = [join(folder, 'logo.svg'), join(folder, 'ours.css')]
    for (const file of [logo, style]) writeFileSync(file, '')
    const anchors = join(folder, 'a.pem')
    const pair = { cert: readFileSync(certificate), key: readFileSync(key), certFile: certificate, keyFile: key }
    const environment = join(folder, 'environment')
    writeFileSync(environment, 'LOG_LEVEL=warn\n')
    const given = {
      ENVIRONMENT_FILE: environment,
      DATABASE_URL: 'mysql://u:p@db:3306/registry',
      DATABASE_READ_URL: 'mysql://u:p@replica:3306/registry',
      DATA_DIR: '/var/lib/registry',
      HOST: '0.0.0.0',
      PORT: '443',
      WORKERS: '3',
      DRAIN_SECONDS: '10',
      VERIFICATION_THREAD: 'off',
      TLS_CERT: certificate,
      TLS_KEY: key,
      BASE_URL: 'https://registry.example/',
      MTLS_BASE_URL: 'https://systems.example:10443/',
      PEER_URL: 'http://10.0.0.7:8080/',
      HELD_CALLS: 'spaces',
      SITE_NAME: 'Our Registry',
      SITE_LOGO: logo,
      SITE_STYLE: style,
      SITE_TEXTS: folder,
      SITE_SECURITY_CONTACT: 'mailto:security@example.kz, https://example.kz/security',
      TRUST_ANCHORS: anchors,
      TRUSTED_RESPONDERS: anchors,
      TSP_URL: 'http://tsp.example',
      OCSP_URL: 'http://ocsp.example:8080/x',
      SMTP_URL: 'smtps://user:password@mail.example',
      MAIL_FROM: 'Registry <registry@example.kz>',
      MAIL_RETURN_PATH: 'bounces@example.kz',
      MAIL_LANGUAGE: 'ru',
      OPERATOR_EMAIL: 'admin@example.kz, duty@example.kz',
      MAIL_BOUNCES: '/var/mail/registry',
      MAIL_ATTACHMENT_LIMIT: '4096',
      MAIL_PER_HOUR: '50',
      MAIL_NEW_PER_HOUR: '40',
      MAIL_NEW_SIGNER_PER_HOUR: '4',
      MAIL_STRANGER_PER_HOUR: '0',
      MAIL_STRANGERS_PER_HOUR: '0',
      MAIL_PER_RECIPIENT: '0',
      MAIL_BUDGETS: 'BIN123456789012=5000, BIN210987654321=300',
      STATEMENT_KEY: statementKey,
      STAMPED_REPORTS_PER_HOUR: '3',
      CHECK_MINUTES: '5',
      MAIL_PER_SECOND: '5',
      MAIL_DKIM_DOMAIN: 'example.kz',
      MAIL_DKIM_SELECTOR: 'mail',
      MAIL_DKIM_KEY: rsaKey,
      WEBHOOK_ADDRESSES: 'any',
      WEBHOOK_PORTS: '443, 8443',
      WEBHOOK_SUCCESS: '2xx',
      LOGIN_CERTIFICATES: 'authentication',
      STATUS_BY_CRLS: 'on',
      LICENSE_OWNER: 'BIN123456789021',
      METRICS_ADDRESSES: '10.0.0.9, fd00::/8',
      WEBHOOK_TLS_CERT: certificate,
      WEBHOOK_TLS_KEY: key,
      VEHICLE_REGISTRATION_URL: 'https://authority.example/documents',
      VEHICLE_REGISTRATION_TLS_CERT: certificate,
      VEHICLE_REGISTRATION_TLS_KEY: key,
      VEHICLE_REGISTRATION_TRUST: certificate,
      VEHICLE_REGISTRATION_CATALOGUE: catalogue,
      GOV_QR_RELAY_URL: 'https://other.example/api/govQr',
      GOV_QR_RELAY_TLS_CERT: certificate,
      GOV_QR_RELAY_TLS_KEY: key,
      GOV_QR_RELAY_TRUST: certificate,
      SCHEDULES: 'failOverdueItems=0 3 * * *; sweepNonces = */5 * * * *;',
      LOG_KEY: statementKey,
      LOG_ORIGIN: 'registry.example/log',
      LOG_TSP_URL: 'http://tsp.example/log',
      LOG_WITNESSES: policy,
      LOG_WITNESS_FOR: policy,
      LOG_WITNESS_KEY: statementKey,
      RENEWAL: 'on',
      RENEWAL_TSP_URL: 'http://tsp.example/renewal',
      RENEWAL_DAYS: '365',
      RENEWAL_DIGESTS: 'sha3-512, streebog512 2.16.840.1.101.3.4.2.3',
      ERRORS_STATUS: 'always-200',
      JSON_BODY_LIMIT: '2048',
      UPLOAD_LIMIT: '4096',
      MEMORY_LIMIT: '1073741824',
      MTLS_PORT: 'off',
      SESSION_SECRET: `${'n'.repeat(32)}, ${'o'.repeat(32)}`,
      CORS_ORIGINS: 'https://portal.example http://localhost:3000',
      CORS_ANONYMOUS: 'off',
      TRUSTED_PROXIES: '10.0.0.0/24,fd00::1',
      CLIENT_CERTIFICATE_HEADER: 'Client-Cert',
      DIGESTS: 'sha256, gost34311',
      INCOMPLETE_RETENTION: '7',
      SEARCH_LIMIT: '0',
      UNIQUE_BIN: 'on',
      ALGORITHMS: 'etsi',
      RATE_LIMIT_ANONYMOUS: '0',
      RATE_LIMIT_CALLER: '10',
      RATE_LIMIT_ANONYMOUS_BYTES: '1024',
      RATE_LIMIT_CALLER_BYTES: '0',
      TEMP_STORAGE_ANONYMOUS: '2',
      ARCHIVE_RESERVE: '4096',
      SHARES: 'uploads.stranger=64; temporaryStorage.whole = 500G ;uploads.whole=0;',
      CONNECTIONS_PER_ADDRESS: '7',
    }
    expect(readConfig({ ...given, LOG_LEVEL: 'trace' })).to.deep.equal({
      given: { ...given, LOG_LEVEL: 'warn' },
      warnings: [],
      plugins: { added: [], without: [] },
      databaseUrl: 'mysql://u:p@db:3306/registry',
      replicaUrl: 'mysql://u:p@replica:3306/registry',
      dataDir: '/var/lib/registry',
      listen: { host: '0.0.0.0', port: 443 },
      workers: 3,
      drainMs: 10_000,
      tls: pair,
      baseUrl: 'https://registry.example',
      siteName: 'Our Registry',
      systemsBaseUrl: 'https://systems.example:10443',
      peerUrl: 'http://10.0.0.7:8080',
      look: {
        logo: logo,
        style: style,
        texts: folder,
        securityContacts: ['mailto:security@example.kz', 'https://example.kz/security'],
      },
      authorities: {
        kind: 'online',
        trustAnchors: anchors,
        trustedResponders: anchors,
        tspUrl: 'http://tsp.example',
        ocspUrl: 'http://ocsp.example:8080/x',
        ocspAllowedHosts: ['ocsp.example:8080'],
      },
      archive: { kind: 'folder', folder: '/var/lib/registry/archive', reserve: 4096 },
      archiveKeys: [],
      clamdAddress: undefined,
      webhookAddresses: 'any',
      webhookPorts: [443, 8443],
      choices: {
        webhookSuccess: '2xx',
        loginCertificates: 'authentication',
        uniqueOrganizations: true,
        signaturePolicy: {
          statusByCrls: true,
          algorithms: { ...defaultAlgorithmPolicy, evaluations: etsiCatalogue.evaluations },
        },
        license: { owner: 'BIN123456789021' },
      },
      webhookTls: pair,
      vehicleRegistration: {
        url: 'https://authority.example/documents',
        clientCertificate: { certFile: certificate, keyFile: key },
        trust: readFileSync(certificate, 'utf8'),
        catalogue: { documentTypes: { sale: { ru: 'Договор', kk: 'Шарт' } }, signers: {}, errors: {} },
      },
      govQrRelay: {
        url: 'https://other.example/api/govQr',
        clientCertificate: { certFile: certificate, keyFile: key },
        trust: readFileSync(certificate, 'utf8'),
      },
      schedules: { failOverdueItems: '0 3 * * *', sweepNonces: '*/5 * * * *' },
      digests: ['2.16.840.1.101.3.4.2.1', '1.2.398.3.10.1.3.1'],
      limits: {
        strangersTempStorageMs: 2 * 60 * 60_000,
        incompleteRetentionMs: 7 * 24 * 60 * 60_000,
        searchedDocuments: 0,
        signaturesVerifiedHere: Number.MAX_SAFE_INTEGER,
        mailAttachment: 4096,
        mailsPerHour: 50,
        newRecipientsPerHour: 40,
        newSignersRecipientsPerHour: 4,
        strangerMailsPerHour: 0,
        strangersMailsPerHour: 0,
        mailsPerRecipientPerHour: 0,
        stampedReportsPerHour: 3,
        checkEveryMs: 300_000,
      },
      mail: {
        kind: 'smtp',
        url: 'smtps://user:password@mail.example',
        from: 'Registry <registry@example.kz>',
        returnPath: 'bounces@example.kz',
        perSecond: 5,
        dkim: { domain: 'example.kz', selector: 'mail', key: readFileSync(rsaKey, 'utf8') },
      },
      mailLanguage: 'ru',
      operatorEmail: ['admin@example.kz', 'duty@example.kz'],
      mailBudgets: { BIN123456789012: 5000, BIN210987654321: 300 },
      mailBounces: '/var/mail/registry',
      logLevel: 'warn',
      memoryLimit: 1073741824,
      connectionsPerAddress: 7,
      metricsAddresses: ['10.0.0.9', 'fd00::/8'],
      mutualTls: undefined,
      sessionSecrets: ['n'.repeat(32), 'o'.repeat(32)],
      statementKey: STATEMENT_KEY,
      log: {
        keyFile: statementKey,
        witnessKeyFile: statementKey,
        origin: 'registry.example/log',
        tspUrl: 'http://tsp.example/log',
        witnesses: POLICY,
        witnessFor: POLICY,
      },
      renewal: {
        leadDays: 365,
        tspUrl: 'http://tsp.example/renewal',
        digests: ['2.16.840.1.101.3.4.2.10', '1.2.398.3.10.1.3.3', '2.16.840.1.101.3.4.2.3'],
      },
      shares: { uploads: { stranger: 64, whole: 0 }, temporaryStorage: { whole: 500 * 2 ** 30 } },
      api: {
        errorsStatus: 'always-200',
        heldCalls: 'spaces',
        limits: { json: 2048, upload: 4096 },
        corsOrigins: ['https://portal.example', 'http://localhost:3000'],
        corsAnonymous: false,
        proxies: { trusted: ['10.0.0.0/24', 'fd00::1'], certificateHeader: 'client-cert' },
        rates: { anonymous: 0, caller: 10, anonymousBytes: 1024, callerBytes: 0 },
      },
    })
  })

  it('refuses mail that could not be sent, or would send a password without TLS', () => {
    for (const [variables, word] of [
      [{ SMTP_URL: 'smtp://mail.example' }, 'MAIL_FROM'],
      [{ SMTP_URL: 'http://mail.example', MAIL_FROM: 'a@example.kz' }, 'SMTP_URL'],
      [{ SMTP_URL: 'smtp://user:hush@mail.example?tls=off', MAIL_FROM: 'a@example.kz' }, 'SMTP_URL'],
      [{ MAIL_FROM: 'nobody' }, 'MAIL_FROM'],
      [{ MAIL_LANGUAGE: 'de' }, 'MAIL_LANGUAGE'],
      [{ OPERATOR_EMAIL: 'admin' }, 'OPERATOR_EMAIL'],
      [{ MAIL_DKIM_DOMAIN: 'example.kz', MAIL_DKIM_SELECTOR: 'mail' }, 'MAIL_DKIM_KEY'],
      [{ MAIL_DKIM_DOMAIN: 'example.kz', MAIL_DKIM_SELECTOR: 'mail', MAIL_DKIM_KEY: key }, 'MAIL_DKIM_KEY'],
    ] as const) {
      expect(() => readConfig(variables))
        .to.throw(ConfigError, word)
        .with.property('message')
        .not.match(/hush/)
    }
  })

  it('refuses several processes where one is enough for the database, or each has no mail to send', () => {
    const mysql = { DATABASE_URL: 'mysql://u:p@db:3306/registry' }
    const mail = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'a@example.kz', MAIL_PER_SECOND: '2' }
    expect(() => readConfig({ WORKERS: '2' })).to.throw(ConfigError, 'WORKERS: SQLite is for one process')
    expect(() => readConfig({ ...mysql, ...mail, WORKERS: '3' })).to.throw(ConfigError, 'WORKERS: each sends its part')
    for (const WORKERS of ['0', '65', 'many'])
      expect(() => readConfig({ ...mysql, WORKERS })).to.throw(ConfigError, 'WORKERS: takes a number of processes')
    expect(readConfig({ ...mysql, ...mail, WORKERS: '2' }).workers).to.equal(2)
    expect(readConfig({ WORKERS: '1' }).workers).to.equal(1)
  })

  it('verifies in a thread where each process has a second processor for it', () => {
    const threaded = (variables: Record<string, string>) =>
      readConfig({ DATABASE_URL: 'mysql://u:p@db:3306/registry', ...variables }).limits.signaturesVerifiedHere ===
      undefined
    expect(threaded({})).to.equal(true)
    expect(threaded({ WORKERS: '2' })).to.equal(availableParallelism() >= 4)
    expect(threaded({ VERIFICATION_THREAD: 'off' })).to.equal(false)
    if (availableParallelism() < 64) expect(threaded({ WORKERS: '64' })).to.equal(false)
  })

  it('lists everything that is wrong in one message', () => {
    const variables = {
      DATABASE_URL: 'postgres://secret@x/y',
      PORT: '99999',
      TLS_CERT: join(folder, 'none.pem'),
      OCSP_URL: 'ldap://x',
      LOG_LEVEL: 'loud',
      ERRORS_STATUS: '200',
      UPLOAD_LIMIT: '4 GiB',
      TSP_URL: 'http://tsp.example',
    }
    expect(() => readConfig(variables)).to.throw(
      ConfigError,
      /DATABASE_URL(.|\n)*PORT(.|\n)*OCSP_URL(.|\n)*LOG_LEVEL(.|\n)*ERRORS_STATUS(.|\n)*UPLOAD_LIMIT(.|\n)*TSP_URL: needs TRUST_ANCHORS(.|\n)*TLS_KEY/,
    )
    expect(() => readConfig(variables)).to.not.throw('secret')
    const files = { TRUST_ANCHORS: join(folder, 'x'), TLS_CERT: join(folder, 'c'), TLS_KEY: join(folder, 'k') }
    expect(() => readConfig(files)).to.throw(
      ConfigError,
      /TRUST_ANCHORS: cannot be read(.|\n)*TSP_URL: TRUST_ANCHORS needs(.|\n)*TLS_CERT: cannot read(.|\n)*TLS_KEY: cannot read/,
    )
  })

  it('names every malformed variable, however many there are', () => {
    const names = Object.entries(Environment.properties).flatMap(([name, schema]) =>
      Value.Check(schema, ' \u0001') ? [] : [name],
    )
    expect(names).to.have.length.above(70)
    const said = String(refusal(Object.fromEntries(names.map((name) => [name, ' \u0001']))))
    for (const name of names) expect(said).to.include(`\n  ${name}: takes `)
  })

  it('names each file that is read later, and a port that is none', () => {
    const said = refusal({
      SITE_LOGO: join(folder, 'none.svg'),
      SITE_STYLE: join(folder, 'none.css'),
      CLAMD_ADDRESS: 'scanner:99999',
      WORKERS: '3',
      SMTP_URL: 'smtp://localhost',
      MAIL_FROM: 'a@example.kz',
      MAIL_PER_SECOND: '2',
    })
    for (const line of [
      'SITE_LOGO: cannot be read: ',
      'SITE_STYLE: cannot be read: ',
      'CLAMD_ADDRESS: 99999 is no port',
      'WORKERS: SQLite is for one process',
      'WORKERS: each sends its part of MAIL_PER_SECOND',
    ])
      expect(said).to.include(`\n  ${line}`)
  })

  it('refuses addresses of its own to which no path can be added', () => {
    for (const name of ['BASE_URL', 'MTLS_BASE_URL', 'PEER_URL']) {
      for (const address of ['https://a.example/?b=c', 'https://a.example/#b', 'https://a.example?'])
        expect(refusal({ [name]: address }), address).to.include(`\n  ${name}: takes an address without ? and #`)
      expect(refusal({ [name]: 'https://user@a.example' })).to.include(`\n  ${name}: takes an address without a user`)
      expect(refusal({ [name]: 'https://%' })).to.include(`\n  ${name}: is no address`)
      expect(() => readConfig({ [name]: 'https://a.example/registry/' })).not.to.throw()
    }
  })

  it('shows no password of an address', () => {
    for (const name of ['BASE_URL', 'PEER_URL', 'TSP_URL', 'OCSP_URL', 'LOG_TSP_URL', 'RENEWAL_TSP_URL'])
      for (const address of ['https://user:hidden@a.example:99999', 'https://user:hidden@a.example/?', 'user:hidden@a'])
        expect(refusal({ [name]: address, WORKERS: '0' }), name).not.to.include('hidden')
  })

  /** What is said of a wrong configuration. */
  function refusal(variables: Record<string, string>): string {
    try {
      readConfig(variables)
    } catch (error) {
      if (error instanceof ConfigError) return error.message
      throw error
    }
    throw new Error('It was accepted')
  }

  it('says what is wrong with the statement key', () => {
    expect(() => readConfig({ STATEMENT_KEY: rsaKey })).to.throw(ConfigError, 'STATEMENT_KEY: is no Ed25519 key')
    expect(() => readConfig({ STATEMENT_KEY: certificate })).to.throw(ConfigError, 'STATEMENT_KEY: ')
    expect(() => readConfig({ STATEMENT_KEY: '/none' })).to.throw(ConfigError, 'STATEMENT_KEY: /none holds no PEM key')
  })

  it('says what is wrong with the log', () => {
    const wrong = join(folder, 'wrong-policy')
    writeFileSync(wrong, 'log nobody\n')
    for (const [variables, said] of [
      [{ LOG: 'maybe' }, 'LOG: takes one of on, off'],
      [{ LOG_KEY: rsaKey }, 'LOG_KEY: is no Ed25519 key'],
      [{ LOG_KEY: '/none' }, 'LOG_KEY: /none holds no PEM key'],
      [{ LOG_ORIGIN: 'two words' }, 'LOG_ORIGIN: takes a name such as'],
      [{ LOG_ORIGIN: 'a+b' }, 'LOG_ORIGIN: takes a name such as'],
      [{ LOG_TSP_URL: 'ftp://tsp.example' }, 'LOG_TSP_URL: takes an address'],
      [
        { TRUST_ANCHORS: certificate, TSP_URL: 'http://tsp.example', LOG_TSP_URL: 'http://[' },
        'LOG_TSP_URL: is no address',
      ],
      [{ LOG_TSP_URL: 'http://tsp.example' }, 'LOG_TSP_URL: needs TRUST_ANCHORS'],
      [{ ALGORITHMS: '/none' }, 'ALGORITHMS: cannot be used: '],
      [{ ALGORITHMS: wrong }, 'ALGORITHMS: cannot be used: it is no catalogue of algorithms: '],
      [{ LOG_WITNESSES: '/none' }, 'LOG_WITNESSES: cannot be used: '],
      [{ LOG_WITNESSES: wrong }, 'LOG_WITNESSES: cannot be used: '],
      [{ LOG_WITNESS_FOR: wrong }, 'LOG_WITNESS_FOR: cannot be used: '],
      [{ LOG_WITNESS_FOR: policy, LOG_WITNESS_KEY: rsaKey }, 'LOG_WITNESS_KEY: is no Ed25519 key'],
      [{ LOG_WITNESS_KEY: statementKey }, 'LOG_WITNESS_KEY: needs LOG_WITNESS_FOR'],
      [{ LOG: 'off', LOG_KEY: statementKey }, 'LOG_KEY: needs LOG=on'],
      [{ LOG: 'off', LOG_WITNESS_FOR: policy }, 'LOG_WITNESS_FOR: needs LOG=on'],
    ] as const)
      expect(() => readConfig(variables), JSON.stringify(variables)).to.throw(ConfigError, said)
    expect(readConfig({ LOG: 'off' }).log).to.equal(undefined)
  })

  it('says what is wrong with the renewal of evidence', () => {
    const online = { TRUST_ANCHORS: certificate, TSP_URL: 'http://tsp.example' }
    for (const [variables, said] of [
      [{ RENEWAL: 'never' }, 'RENEWAL: takes one of on, off'],
      [{ RENEWAL_TSP_URL: 'ftp://tsp.example' }, 'RENEWAL_TSP_URL: takes an address'],
      [{ ...online, RENEWAL_TSP_URL: 'http://[' }, 'RENEWAL_TSP_URL: is no address'],
      [{ RENEWAL_TSP_URL: 'http://tsp.example' }, 'RENEWAL_TSP_URL: needs TRUST_ANCHORS'],
      [{ RENEWAL_DAYS: '0' }, 'RENEWAL_DAYS: takes days, 1 to 3650'],
      [{ RENEWAL_DAYS: '3651' }, 'RENEWAL_DAYS: takes days, 1 to 3650'],
      [{ RENEWAL_DAYS: 'soon' }, 'RENEWAL_DAYS: takes days, 1 to 3650'],
      [{ RENEWAL_DIGESTS: 'md5' }, 'RENEWAL_DIGESTS: takes digests, separated by commas: sha256, '],
      [{ RENEWAL_DIGESTS: '1.2.3' }, 'RENEWAL_DIGESTS: 1.2.3 is no digest that is known and trusted'],
      [{ RENEWAL_DIGESTS: 'sha512,1.3.14.3.2.26' }, 'RENEWAL_DIGESTS: 1.3.14.3.2.26 is no digest that is known'],
      [{ RENEWAL: 'off', RENEWAL_DAYS: '30' }, 'RENEWAL_DAYS: needs RENEWAL=on'],
      [{ RENEWAL: 'off', RENEWAL_DIGESTS: 'sha512' }, 'RENEWAL_DIGESTS: needs RENEWAL=on'],
      [{ ...online, RENEWAL: 'off', RENEWAL_TSP_URL: 'http://tsp.example' }, 'RENEWAL_TSP_URL: needs RENEWAL=on'],
    ] as const)
      expect(() => readConfig(variables), JSON.stringify(variables)).to.throw(ConfigError, said)
    expect(readConfig({ RENEWAL: 'off' }).renewal).to.equal(undefined)
  })

  it('warns where nobody may be asked for certificate statuses', () => {
    const online = { TRUST_ANCHORS: certificate, TSP_URL: 'http://tsp.example/' }
    expect(readConfig(online).warnings.join()).to.contain('OCSP_URL: neither it nor OCSP_ALLOWED_HOSTS is set')
    for (const said of [
      { OCSP_URL: 'http://ocsp.example/' },
      { OCSP_ALLOWED_HOSTS: 'ocsp.example' },
      { STATUS_BY_CRLS: 'on' },
    ])
      expect(readConfig({ ...online, ...said }).warnings).to.deep.equal([])
    expect(readConfig({}).warnings).to.deep.equal([])
  })

  it('says what is wrong with shares', () => {
    for (const [shares, what] of [
      ['upload.stranger=1', 'SHARES: there are no shares of upload'],
      ['toString.stranger=1', 'SHARES: there are no shares of toString'],
      ['uploads.friend=1', 'SHARES: uploads has no share named friend'],
      ['memory.whole=9999999T', 'SHARES: memory.whole is too large'],
      ['uploads.stranger=many', 'SHARES: takes shares such as uploads.stranger=64'],
      ['uploads.stranger=-1', 'SHARES: takes shares such as'],
      ['uploads.stranger=1.5G', 'SHARES: takes shares such as'],
      ['uploads=1', 'SHARES: takes shares such as'],
      ['uploads', 'SHARES: takes shares such as'],
    ] as const)
      expect(() => readConfig({ SHARES: shares }), shares).to.throw(ConfigError, what)
  })

  it('lists what is wrong about callers', () => {
    const variables = {
      MTLS_PORT: '70000',
      SESSION_SECRET: `${'n'.repeat(32)},short`,
      CORS_ORIGINS: 'https://portal.example:443',
      TRUSTED_PROXIES: '10.0.0.0/33',
      RATE_LIMIT_CALLER: '-1',
    }
    expect(() => readConfig(variables)).to.throw(
      ConfigError,
      /SESSION_SECRET(.|\n)*RATE_LIMIT_CALLER(.|\n)*MTLS_PORT(.|\n)*CORS_ORIGINS(.|\n)*TRUSTED_PROXIES: 10/,
    )
    expect(() => readConfig(variables)).to.not.throw('nnnn')
    for (const wrong of [{ CORS_ORIGINS: '*' }, { CORS_ORIGINS: 'null' }, { CLIENT_CERTIFICATE_HEADER: 'client-cert' }])
      expect(() => readConfig(wrong)).to.throw(ConfigError)
  })

  const wrongAddress = [
    ['mysql://registry:p%w@db/registry', /DATABASE_URL: user or password cannot be decoded; write .*%XX/],
    ['mysql://registry:p#w@db/registry', /DATABASE_URL: .*%XX/],
    ['mysql://registry:p/w@db/registry', /DATABASE_URL: .*%XX/],
    ['mysql://registry:p@b/w@db:3306/registry', /DATABASE_URL: .*%XX/],
    ['mysql://registry:p@b#/w@db:3306/registry', /DATABASE_URL: .*%XX/],
    ['mysql://registry:p%40w@db:3306', /DATABASE_URL: names no database/],
    ['mysql://registry:p%40w@db:3306/', /DATABASE_URL: names no database/],
  ] as const
  for (const [url, message] of wrongAddress) {
    it(`says what is wrong with ${url}, without its password`, () => {
      expect(() => readConfig({ DATABASE_URL: url })).to.throw(ConfigError, message)
      expect(() => readConfig({ DATABASE_URL: url })).to.not.throw(/p.?w/)
    })
  }

  it('refuses a replica of SQLite, and addresses that are none of a replica', () => {
    const replica = { DATABASE_READ_URL: 'mysql://u:p@replica:3306/registry' }
    expect(() => readConfig(replica)).to.throw(ConfigError, /DATABASE_READ_URL: SQLite has no replicas/)
    const mysql = { DATABASE_URL: 'mysql://u:p@db:3306/registry' }
    for (const [url, message] of [
      ['sqlite:replica.sqlite', /DATABASE_READ_URL: takes mysql:/],
      ['mysql://u:p@replica:3306', /DATABASE_READ_URL: names no database/],
    ] as const)
      expect(() => readConfig({ ...mysql, DATABASE_READ_URL: url })).to.throw(ConfigError, message)
  })

  it('refuses malformed URLs', () => {
    for (const HOST of ['999.1.1.1', 'two words'])
      expect(() => readConfig({ HOST })).to.throw(ConfigError, `HOST: is no address of a machine: ${HOST}`)
    const variables = { TRUST_ANCHORS: folder, TSP_URL: 'http://[', OCSP_URL: 'http://x:99999', BASE_URL: 'https://%' }
    expect(() => readConfig(variables)).to.throw(ConfigError, /BASE_URL(.|\n)*TSP_URL(.|\n)*OCSP_URL/)
  })

  it('refuses a certificate or a key that it cannot use, and says which', () => {
    const other = join(folder, 'other.pem')
    writeFileSync(other, testAuthorities().system().keyPem)
    const tls = (cert: string, privateKey: string) => () => readConfig({ TLS_CERT: cert, TLS_KEY: privateKey })
    expect(tls(join(folder, 'a.pem'), key)).to.throw(ConfigError, 'TLS_CERT: holds no PEM certificate')
    expect(tls(certificate, join(folder, 'a.pem'))).to.throw(ConfigError, 'TLS_KEY: holds no PEM key')
    expect(tls(certificate, other)).to.throw(ConfigError, 'TLS_KEY: is not the key of TLS_CERT')
  })

  it('forwards to the authority that registers vehicles with everything that this needs, or not at all', () => {
    const url = { VEHICLE_REGISTRATION_URL: 'https://authority.example' }
    const pair = { VEHICLE_REGISTRATION_TLS_CERT: certificate, VEHICLE_REGISTRATION_TLS_KEY: key }
    const wrong: [Record<string, string>, RegExp][] = [
      [pair, /VEHICLE_REGISTRATION_TLS_CERT: needs VEHICLE_REGISTRATION_URL/],
      [url, /VEHICLE_REGISTRATION_TLS_CERT: the authority knows/],
      [{ ...url, ...pair, VEHICLE_REGISTRATION_TLS_KEY: '' }, /VEHICLE_REGISTRATION_TLS_KEY: TLS needs both/],
      [{ ...pair, VEHICLE_REGISTRATION_URL: 'http://authority.example' }, /VEHICLE_REGISTRATION_URL: takes an address/],
      [{ ...url, ...pair, VEHICLE_REGISTRATION_TRUST: join(folder, 'a.pem') }, /VEHICLE_REGISTRATION_\*: .*trust/],
      [
        { ...url, ...pair, VEHICLE_REGISTRATION_CATALOGUE: certificate },
        /VEHICLE_REGISTRATION_CATALOGUE: cannot be used/,
      ],
    ]
    for (const [variables, message] of wrong) expect(() => readConfig(variables)).to.throw(ConfigError, message)
  })

  it('brings the mobile application by another service that is reached over TLS, or not at all', () => {
    const url = { GOV_QR_RELAY_URL: 'https://other.example/api/govQr' }
    const relayOf = (variables: Record<string, string>) => readConfig(variables).govQrRelay
    expect(relayOf({})).to.equal(undefined)
    expect(relayOf(url)).to.deep.equal({ url: url.GOV_QR_RELAY_URL })
    expect(relayOf({ GOV_QR_RELAY_URL: 'http://localhost:8081/api/govQr' })).to.not.equal(undefined)
    const wrong: [Record<string, string>, RegExp][] = [
      [{ GOV_QR_RELAY_TRUST: certificate }, /GOV_QR_RELAY_TRUST: needs GOV_QR_RELAY_URL/],
      [{ GOV_QR_RELAY_URL: 'http://other.example/api/govQr' }, /GOV_QR_RELAY_URL: takes an address that begins with/],
      [{ GOV_QR_RELAY_URL: 'https://a:b:c/' }, /GOV_QR_RELAY_URL: takes an address that begins with/],
      [{ ...url, GOV_QR_RELAY_TLS_KEY: key }, /GOV_QR_RELAY_TLS_CERT: TLS needs both/],
      [{ ...url, GOV_QR_RELAY_TRUST: join(folder, 'none') }, /GOV_QR_RELAY_TRUST: cannot be used/],
      [{ ...url, GOV_QR_RELAY_TRUST: catalogue }, /GOV_QR_RELAY_\*: cannot be used: \/trust/],
    ]
    for (const [variables, message] of wrong) expect(() => readConfig(variables)).to.throw(ConfigError, message)
  })

  it('treats an empty variable as one that is not set', () => {
    expect(readConfig({ PORT: '', TLS_CERT: '', DATABASE_URL: ' ', DATA_DIR: '' })).to.deep.equal(readConfig({}))
  })

  it('names variables that look like misspelt ones of ours', () => {
    const { warnings } = readConfig({ TRUST_ANCHOR: 'x', LOGLEVEL: 'debug', PATH: '/bin', HOSTNAME: 'a' })
    expect(warnings).to.deep.equal([
      'TRUST_ANCHOR: is no variable of the registry; is TRUST_ANCHORS meant?',
      'LOGLEVEL: is no variable of the registry; is LOG_LEVEL meant?',
    ])
  })

  it('is frozen', () => {
    const config = readConfig({})
    expect(() => Object.assign(config.listen, { port: 1 })).to.throw(TypeError)
  })
})
