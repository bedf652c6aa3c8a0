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

  it('treats an empty variable as one that is not set', () => {
    expect(readConfig({ PORT: '', TLS_CERT: '', DATABASE_URL: ' ', DATA_DIR: '' })).to.deep.equal(readConfig({}))
  })

  it('is frozen', () => {
    const config = readConfig({})
    expect(() => Object.assign(config.listen, { port: 1 })).to.throw(TypeError)
  })
})
