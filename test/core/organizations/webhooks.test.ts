import { expect } from 'chai'
import { isPublicAddress } from '#core/kernel/network-address.js'
import { readWebhooks, type WebhookRules } from '#core/organizations/webhooks.js'
import { refusalOf } from '../../support/refusal.js'

const rules = (changes: Partial<WebhookRules> = {}): WebhookRules => ({
  ...{ addresses: 'public', ports: [443, 80], maxUrls: 20 },
  ...changes,
})
const reasonFor = (url: string, changes: Partial<WebhookRules> = {}) =>
  refusalOf(() => readWebhooks({ urls: [url] }, rules(changes)))

describe('webhook addresses', () => {
  it('lead over http or https to the public Internet', () => {
    const webhooks = {
      urls: [
        'https://example.kz/hook?x=1#y',
        'http://93.184.216.34:80/',
        'http://example.kz:443/',
        'https://example.kz:0443/',
        'https://[2606:2800:220:1::1]/',
      ],
      routingUrls: ['https://мысал.қаз/'],
    }
    expect(readWebhooks(webhooks, rules())).to.deep.equal(webhooks)
    expect(readWebhooks({}, rules())).to.deep.equal({ urls: [], routingUrls: [] })
  })

  const wrong: Record<string, string[]> = {
    notUrl: [
      '',
      'example.kz',
      '/hook',
      'https://',
      'https://exa mple.kz',
      'https://example.kz\n',
      '\thttps://example.kz',
      'https:\\\\example.kz',
      'https:example.kz',
      'https:user@example.kz',
      'https:/example.kz',
      'https:////example.kz',
      'https://example.kz/\u0000',
      'https://exam\u00a0ple.kz',
    ],
    scheme: [
      'ftp://example.kz/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'gopher://example.kz/',
      'data:text/plain,x',
      'ws://example.kz/',
      'unix:/run/docker.sock',
    ],
    credentials: [
      'https://user@example.kz/',
      'https://user:password@example.kz/',
      'https://:@example.kz/',
      'https://@example.kz/',
    ],
    port: [
      'https://example.kz:22/',
      'http://example.kz:25/',
      'http://93.184.216.34:6379/',
      'https://[2606:2800:220:1::1]:8443/',
      'http://example.kz:8080/',
      'http://example.kz:0/',
    ],
    tooLong: [`https://example.kz/${'a'.repeat(2048)}`],
    localAddress: [
      'http://localhost/',
      'http://LOCALHOST./',
      'http://a.localhost/',
      'http://registry/',
      'http://printer.local/',
      'http://metadata.google.internal/',
      'http://127.0.0.1/',
      'http://127.1/',
      'http://2130706433/',
      'http://0x7f000001/',
      'http://0177.0.0.1/',
      'http://0/',
      'http://10.0.0.1/',
      'http://172.31.255.255/',
      'http://192.168.1.12/',
      'http://169.254.169.254/latest/meta-data',
      'http://100.64.0.1/',
      'http://224.0.0.1/',
      'http://255.255.255.255/',
      'http://[::1]/',
      'http://[::]/',
      'http://[::ffff:127.0.0.1]/',
      'http://[::ffff:8.8.8.8]/',
      'http://[fe80::1]/',
      'http://[fd00::1]/',
      'http://[64:ff9b::7f00:1]/',
      'http://[2002:7f00:1::]/',
      'http://[2001:0:7f00:1::]/',
      'http://①②⑦.0.0.1/',
    ],
  }
  for (const [reason, urls] of Object.entries(wrong)) {
    for (const url of urls) {
      it(`are refused for ${JSON.stringify(url.slice(0, 60))}`, () => {
        const { code, details } = reasonFor(url)
        expect(code).to.equal('invalidUrl')
        expect(details).to.deep.equal({ field: 'webhooks.urls', index: 0, reason })
      })
    }
  }

  it('may be local if the operator allows it, but with no other scheme', () => {
    for (const url of wrong.localAddress ?? []) readWebhooks({ urls: [url] }, rules({ addresses: 'any' }))
    expect(reasonFor('file:///etc/passwd', { addresses: 'any' }).code).to.equal('invalidUrl')
    expect(reasonFor('http://a:b@localhost/', { addresses: 'any' }).code).to.equal('invalidUrl')
  })

  it('may have the ports that the operator allows, independently of networks', () => {
    for (const url of wrong.port ?? []) readWebhooks({ urls: [url] }, rules({ ports: 'any' }))
    readWebhooks({ urls: ['https://example.kz:8443/'] }, rules({ ports: [8443] }))
    expect(reasonFor('https://example.kz/', { ports: [8443] }).details).to.include({ reason: 'port' })
    expect(reasonFor('http://localhost:6379/', { addresses: 'any' }).details).to.include({ reason: 'port' })
    expect(reasonFor('http://localhost:443/', { ports: 'any' }).details).to.include({ reason: 'localAddress' })
  })

  it('are at most 20 of each kind', () => {
    const many = Array.from({ length: 21 }, (_, i) => `https://example.kz/${i}`)
    readWebhooks({ urls: many.slice(1), routingUrls: many.slice(1) }, rules())
    expect(refusalOf(() => readWebhooks({ routingUrls: many }, rules())).details).to.deep.equal({
      field: 'webhooks.routingUrls',
      limit: 20,
    })
  })
})

describe('a public address', () => {
  it('is neither text, private nor reserved', () => {
    for (const address of [
      '',
      'example.kz',
      '1.2.3',
      '198.18.0.1',
      '192.0.2.1',
      '203.0.113.9',
      '240.0.0.1',
      'ff02::1',
      '2001:db8::1',
    ]) {
      expect(isPublicAddress(address), address).to.equal(false)
    }
    for (const address of ['8.8.8.8', '172.15.0.1', '172.32.0.1', '2a00::1', '2001:4860:4860::8888']) {
      expect(isPublicAddress(address), address).to.equal(true)
    }
  })
})
