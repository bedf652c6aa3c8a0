import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { ConfigError, readConfig } from '../../host/dist/config.js'

describe('the configuration of the stock host', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-config-'))
    writeFileSync(join(folder, 'a.pem'), 'pem')
  })
  after(() => rmSync(folder, { recursive: true }))

  it('needs nothing', () => {
    expect(readConfig({})).to.deep.equal({
      databaseUrl: 'sqlite:data/registry.sqlite',
      dataDir: './data',
      listen: { host: '127.0.0.1', port: 8080 },
      tls: undefined,
      baseUrl: undefined,
      authorities: { kind: 'development', folder: 'data/dev-authorities' },
      webhookAddresses: 'public',
      logLevel: 'info',
      errorsStatus: 'semantic',
      limits: { json: 10_485_760, upload: 4_294_967_296 },
      mutualTls: { port: 8443 },
      sessionSecrets: [],
      corsOrigins: [],
      proxies: { trusted: [], certificateHeader: undefined },
      rates: { anonymous: 60, caller: 600 },
    })
  })

  it('takes every variable', () => {
    const anchors = join(folder, 'a.pem')
    expect(
      readConfig({
        DATABASE_URL: 'mysql://u:p@db:3306/registry',
        DATA_DIR: '/var/lib/registry',
        HOST: '0.0.0.0',
        PORT: '443',
        TLS_CERT: anchors,
        TLS_KEY: anchors,
        BASE_URL: 'https://registry.example/',
        TRUST_ANCHORS: anchors,
        TSP_URL: 'http://tsp.example',
        OCSP_URL: 'http://ocsp.example:8080/x',
        WEBHOOK_ADDRESSES: 'any',
        LOG_LEVEL: 'warn',
        ERRORS_STATUS: 'always-200',
        JSON_BODY_LIMIT: '2048',
        UPLOAD_LIMIT: '4096',
        MTLS_PORT: 'off',
        SESSION_SECRET: `${'n'.repeat(32)}, ${'o'.repeat(32)}`,
        CORS_ORIGINS: 'https://portal.example http://localhost:3000',
        TRUSTED_PROXIES: '10.0.0.0/24,fd00::1',
        CLIENT_CERTIFICATE_HEADER: 'Client-Cert',
        RATE_LIMIT_ANONYMOUS: '0',
        RATE_LIMIT_CALLER: '10',
      }),
    ).to.deep.equal({
      databaseUrl: 'mysql://u:p@db:3306/registry',
      dataDir: '/var/lib/registry',
      listen: { host: '0.0.0.0', port: 443 },
      tls: { cert: Buffer.from('pem'), key: Buffer.from('pem') },
      baseUrl: 'https://registry.example',
      authorities: {
        kind: 'online',
        trustAnchors: anchors,
        tspUrl: 'http://tsp.example',
        ocspUrl: 'http://ocsp.example:8080/x',
        ocspAllowedHosts: ['ocsp.example:8080'],
      },
      webhookAddresses: 'any',
      logLevel: 'warn',
      errorsStatus: 'always-200',
      limits: { json: 2048, upload: 4096 },
      mutualTls: undefined,
      sessionSecrets: ['n'.repeat(32), 'o'.repeat(32)],
      corsOrigins: ['https://portal.example', 'http://localhost:3000'],
      proxies: { trusted: ['10.0.0.0/24', 'fd00::1'], certificateHeader: 'client-cert' },
      rates: { anonymous: 0, caller: 10 },
    })
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
      /TRUST_ANCHORS: no file(.|\n)*TSP_URL: TRUST_ANCHORS needs(.|\n)*TLS_CERT: cannot read(.|\n)*TLS_KEY: cannot read/,
    )
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

  it('treats an empty variable as one that is not set', () => {
    expect(readConfig({ PORT: '', TLS_CERT: '', DATABASE_URL: ' ', DATA_DIR: '' })).to.deep.equal(readConfig({}))
  })

  it('is frozen', () => {
    const config = readConfig({})
    expect(() => Object.assign(config.listen, { port: 1 })).to.throw(TypeError)
  })
})
